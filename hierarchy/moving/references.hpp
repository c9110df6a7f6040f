// Functions that replace the entity handles in all values of some entities, or that search these values for handles of
// other entities.
#pragma once

#include <span>
#include <string>

#include "../../core/entity_map.hpp"
#include "../saving/saved_parts.hpp"

namespace strata::detail {

/// Replaces the entity handles in the values of `entities`, as `map` says. Sets `done` to the number of values that the
/// function has visited; see `restore_references`.
/// Errors: what a component's own function for replacing handles (`remap`) throws. `done` then also counts the value
/// for which `remap` threw: that value may have changed in part, so `restore_references` has to visit it, too.
void replace_references(const Store& store, std::span<const Entity> entities, const EntityMap& map,
                        std::size_t& done);
/// Replaces the entity handles in the first `count` values that `replace_references` visits for the same `entities`.
/// With the reverse map, this undoes a `replace_references` that has set `done` to `count`. If a component's `remap`
/// throws, the program ends (std::terminate).
void restore_references(const Store& store, std::span<const Entity> entities, const EntityMap& map,
                        std::size_t count) noexcept;

/// Searches for a reference from one of `entities` to a live entity that is not in `entities`. A reference is a handle
/// in the value of a component or of a pair (relation, target), or the target of a pair.
/// Returns: a sentence about the first such reference; empty if there is none.
/// Errors: std::bad_alloc, and what the functions of components throw.
std::string find_reference_outside(const SavedParts& parts, std::span<const Entity> entities);

}  // namespace strata::detail
