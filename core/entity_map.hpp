// EntityMap: maps the entities of a subtree to their copies while the subtree is copied or moved to another world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "entity.hpp"

namespace strata {

/// Maps the entities of a subtree (an entity and its descendants) to the copies that are being made of them.
/// A component whose values contain entity handles receives it in `remap_entities`. There it replaces handles
/// of the subtree by handles of the copies.
///
/// A map is valid until the `remap_entities` that received it returns.
class EntityMap {
 public:
  /// Returns: the handle that replaces a handle which is not null and not in the subtree.
  using Outside = Entity (*)(void* context, Entity entity);

  /// `copies[i]` is the copy of `originals[i]`. `positions` is indexed by Entity::index: the entry of
  /// `originals[i]` is i. All other entries may have any value.
  EntityMap(std::span<const Entity> originals, std::span<const Entity> copies,
            std::span<const std::uint32_t> positions)
      : originals_(originals), copies_(copies), positions_(positions) {}

  /// `order` has the positions in `originals`, by ascending bits of the originals. If `outside` is given, it returns
  /// the replacements of other handles; otherwise these are not changed.
  static EntityMap make_sorted(std::span<const Entity> originals, std::span<const Entity> copies,
                               std::span<const std::uint32_t> order, Outside outside = nullptr,
                               void* context = nullptr) {
    EntityMap map(originals, copies, order);
    map.is_sorted_ = true;
    map.outside_ = outside;
    map.context_ = context;
    return map;
  }

  /// Returns: whether `entity` is in the subtree.
  /// Complexity: O(1); O(log n) for n entities that move to another world.
  bool contains(Entity entity) const noexcept {
    const std::uint32_t position = position_of(entity);
    return position < originals_.size() && originals_[position] == entity;
  }

  /// Returns: the copy of `entity`; `entity` itself if it is null, stale or not in the subtree.
  /// Complexity: as `contains`.
  Entity operator()(Entity entity) const noexcept {
    if (contains(entity)) return copies_[position_of(entity)];
    return outside_ != nullptr && entity ? outside_(context_, entity) : entity;
  }

 private:
  static constexpr std::uint32_t kAbsent = 0xFFFF'FFFF;

  /// Returns: the only position at which the entity may be in the subtree.
  std::uint32_t position_of(Entity entity) const noexcept {
    if (!is_sorted_) return entity.index() < positions_.size() ? positions_[entity.index()] : kAbsent;
    std::size_t begin = 0;
    for (std::size_t end = positions_.size(); begin != end;) {
      const std::size_t middle = begin + (end - begin) / 2;
      if (originals_[positions_[middle]].bits() < entity.bits()) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin < positions_.size() ? positions_[begin] : kAbsent;
  }

  std::span<const Entity> originals_;
  std::span<const Entity> copies_;
  std::span<const std::uint32_t> positions_;
  Outside outside_ = nullptr;
  void* context_ = nullptr;
  bool is_sorted_ = false;
};

}  // namespace strata
