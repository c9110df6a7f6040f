// EntityMap: which copy stands for which entity, while a subtree is copied.
#pragma once

#include <cstdint>
#include <span>

#include "entity.hpp"

namespace strata {

/// Leads from the entities of a subtree to their copies; handed to the components of the copies, so that a
/// reference to an entity of the subtree becomes one to its copy.
/// Invalidates: the map, by the end of the call that it was handed to.
class EntityMap {
 public:
  /// `copies[i]` is the copy of `originals[i]`; `positions`, by slot index, says which i that may be. Entries
  /// of other indices may hold anything.
  EntityMap(std::span<const Entity> originals, std::span<const Entity> copies,
            std::span<const std::uint32_t> positions)
      : originals_(originals), copies_(copies), positions_(positions) {}

  /// Returns: the copy of `entity`; `entity` itself when it is not of the subtree, stale or names nothing.
  /// Complexity: O(1).
  Entity operator()(Entity entity) const noexcept {
    if (entity.index() >= positions_.size()) return entity;
    const std::uint32_t position = positions_[entity.index()];
    return position < originals_.size() && originals_[position] == entity ? copies_[position] : entity;
  }

 private:
  std::span<const Entity> originals_;
  std::span<const Entity> copies_;
  std::span<const std::uint32_t> positions_;
};

}  // namespace strata
