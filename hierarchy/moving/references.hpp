// Functions that replace the entity handles in all values of some entities.
#pragma once

#include <span>
#include <string>

#include "../../core/entity_map.hpp"
#include "../saving/saved_parts.hpp"

namespace strata::detail {

/// Replaces the entity handles in the values of these entities.
/// Returns: the number of values whose handles were replaced; see `undo_references`.
/// Errors: what the functions of components throw; `done` is the number of values that may have changed then.
void replace_references(const Store& store, std::span<const Entity> entities, const EntityMap& map,
                        std::size_t& done);
/// Does the same for the first `count` values alone. An exception ends it.
void restore_references(const Store& store, std::span<const Entity> entities, const EntityMap& map,
                        std::size_t count) noexcept;

/// Returns: a sentence about the first reference from one of these entities, in a value or as a pair, to a live entity
/// that is not among them; empty if there is none.
/// Errors: std::bad_alloc, and what the functions of components throw.
std::string find_reference_outside(const SavedParts& parts, std::span<const Entity> entities);

}  // namespace strata::detail
