// EntityMap: maps the entities of a subtree to their copies while the subtree is copied.
#pragma once

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
  /// `copies[i]` is the copy of `originals[i]`. `positions` is indexed by Entity::index: the entry of
  /// `originals[i]` is i. All other entries may have any value.
  EntityMap(std::span<const Entity> originals, std::span<const Entity> copies,
            std::span<const std::uint32_t> positions)
      : originals_(originals), copies_(copies), positions_(positions) {}

  /// Returns: whether `entity` is in the subtree.
  /// Complexity: O(1).
  bool contains(Entity entity) const noexcept {
    if (entity.index() >= positions_.size()) return false;
    const std::uint32_t position = positions_[entity.index()];
    return position < originals_.size() && originals_[position] == entity;
  }

  /// Returns: the copy of `entity`; `entity` itself if it is null, stale or not in the subtree.
  /// Complexity: O(1).
  Entity operator()(Entity entity) const noexcept {
    return contains(entity) ? copies_[positions_[entity.index()]] : entity;
  }

 private:
  std::span<const Entity> originals_;
  std::span<const Entity> copies_;
  std::span<const std::uint32_t> positions_;
};

}  // namespace strata
