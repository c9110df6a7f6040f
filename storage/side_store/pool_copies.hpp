// Functions that compare two sparse sets (pools) of one component, and copy values from one to the other.
#pragma once

#include "sparse_pool.hpp"

namespace strata::detail {

/// Returns: whether two pools have the same members in the same order, and are alike in whether their members have been
/// sorted (see SparsePool::arranged).
bool have_equal_members(const SparsePool& a, const SparsePool& b) noexcept;

/// Returns: whether the values in two pools have the same bytes.
/// Contract: the pools have the same members in the same order.
bool have_equal_values(const SparsePool& a, const SparsePool& b) noexcept;

/// Replaces the values in `to` by copies of those in `from`.
/// Contract: both pools have the same members in the same order, and values can be copied as bytes.
void copy_values(const SparsePool& from, SparsePool& to) noexcept;

}  // namespace strata::detail
