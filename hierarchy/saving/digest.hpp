// digest_of: a hash of what a world contains.
#pragma once

#include <cstdint>

#include "contents.hpp"
#include "digest_sum.hpp"

namespace strata::detail {

/// Returns: a hash of the entities, their parents and the order of children, names, components and whether these are
/// switched off, states, layers and pairs, and of resources. It depends on nothing else: not on where rows and members
/// of sparse sets are stored, on component ids or on the machine.
/// Errors: std::bad_alloc, and what the program's functions for writing values (see members_of) throw.
/// Contract: if `contents` has Undescribed::refuse, the types of all components and resources are described for saving
/// (see members_of).
/// Complexity: O(contents).
std::uint64_t digest_of(const Contents& contents);

/// Both functions add hashes to `sum`. `add_pool` adds the hashes of the members of a pool (sparse set), if the pool's
/// component belongs to the contents (see Contents::counts). `add_pairs` adds the hashes of the pairs of a relation;
/// these hashes include the values of the pairs only if the component of the relation belongs to the contents.
void add_pool(const Contents& contents, const SparsePool& pool, DigestSum& sum);
void add_pairs(const Contents& contents, const Pairs& pairs, DigestSum& sum);

}  // namespace strata::detail
