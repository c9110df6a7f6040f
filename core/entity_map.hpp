// EntityMap: maps the entities of a subtree to their copies while the subtree is copied or moved to another world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "entity.hpp"

namespace strata {

/// Maps the entities of a subtree (an entity and its descendants) to the copies that are being made of them. If the
/// subtree is moved to another world, the copies are the new entities that the other world creates for it. If the
/// values of a component contain entity handles, the component's function `remap_entities` receives the map. The
/// function replaces the handles of entities in the subtree by the handles of their copies.
///
/// The library also calls `remap_entities` to find references that leave a subtree (see OutsideReferences::refuse). The
/// function then receives a map that changes no handle, and a copy of the value. If the values of the component cannot
/// be copied, it receives the value itself. So `remap_entities` of such a component must not change a value if the map
/// changes none of its handles.
///
/// A map is valid until the call of `remap_entities` that received it returns.
class EntityMap {
 public:
  /// Replaces a handle that refers to an entity outside of the subtree. `context` is the pointer that was passed to
  /// `make_sorted` with the function.
  /// Returns: the handle that replaces `entity`, which is neither null nor in the subtree.
  using Outside = Entity (*)(void* context, Entity entity);

  /// `copies[i]` is the copy of `originals[i]`. `positions` is indexed by Entity::index: the element at index
  /// `originals[i].index()` is i. All other elements may have any value.
  EntityMap(std::span<const Entity> originals, std::span<const Entity> copies,
            std::span<const std::uint32_t> positions)
      : originals_(originals), copies_(copies), positions_(positions) {}

  /// Makes a map that finds originals by binary search. `copies[i]` is the copy of `originals[i]`. `order` has the
  /// positions 0 to originals.size() - 1, in ascending order of Entity::bits of the originals at these positions.
  /// `outside` returns the replacements of handles that are not in the subtree; if it is null, these handles are not
  /// replaced.
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
  /// Complexity: O(1); in a map that `make_sorted` has made, O(log n), where n is the number of originals.
  bool contains(Entity entity) const noexcept {
    const std::uint32_t position = position_of(entity);
    return position < originals_.size() && originals_[position] == entity;
  }

  /// Returns: the copy of `entity` if `entity` is in the subtree; otherwise `entity` itself. Exception: a map that was
  /// made with a function `outside` replaces handles that are neither null nor in the subtree by what that function
  /// returns.
  /// Complexity: as `contains`.
  Entity operator()(Entity entity) const noexcept {
    if (contains(entity)) return copies_[position_of(entity)];
    return outside_ != nullptr && entity ? outside_(context_, entity) : entity;
  }

 private:
  static constexpr std::uint32_t kAbsent = 0xFFFF'FFFF;

  /// Returns: the index of the entity in `originals_`, if it is there; otherwise any number, possibly past the end.
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
