// digest_of: a hash of what a world contains.
#pragma once

#include <cstdint>

#include "contents.hpp"
#include "digest_sum.hpp"

namespace strata::detail {

/// Returns: a hash of the entities, their parents and the order of children, names, components, states and pairs, and
/// of resources. It depends on nothing else: not on where rows and members are stored, on component ids or on the
/// machine.
/// Errors: std::bad_alloc, and what functions of members_of throw.
/// Contract: that of Contents::counts, for all components and resources.
/// Complexity: O(contents).
std::uint64_t digest_of(const Contents& contents);

/// Add to `sum` the hashes of the members of a pool or of the pairs of a relation, if these belong to the contents.
void add_pool(const Contents& contents, const SparsePool& pool, DigestSum& sum);
void add_pairs(const Contents& contents, const Pairs& pairs, DigestSum& sum);

}  // namespace strata::detail
