// digest and find_differences: what a world contains, as a number, and in what two worlds differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../../core/compiler.hpp"
#include "../../hierarchy/saving/comparison.hpp"

namespace strata {

class World;

// What a world contains are its entities with their handles, parents and the order of children, names, components,
// states and pairs of relations. In which tables or pools values lie is no part of it, nor is their order there or the
// order of pairs.

/// Returns: a hash of what a world contains. It is the same on every machine, with every layout and storage.
/// Errors: std::bad_alloc, and what functions of members_of throw.
/// Contract: the values of all components that entities have are described (see members_of), or are left out.
/// Complexity: O(contents).
STRATA_API std::uint64_t digest(const World& world, Undescribed undescribed = Undescribed::refuse);

/// Returns: in what two worlds differ, by entity index, and in all or the first `most` cases; empty if they contain the
/// same.
/// Errors, Contract: as for `digest`.
STRATA_API std::vector<WorldDifference> find_differences(
    const World& first, const World& second, std::size_t most = std::numeric_limits<std::size_t>::max(),
    Undescribed undescribed = Undescribed::refuse);

}  // namespace strata
