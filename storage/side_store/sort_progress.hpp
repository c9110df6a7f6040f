// SortProgress: the state of a sort of a sparse set (pool) that is done in several steps.
#pragma once

#include <cstdint>

namespace strata::detail {

/// The state of an incremental sort of one pool (sparse set), kept from one call of sort_pool_step to the next. Each
/// call continues at the position where the call before stopped. Between two calls, members may be added and removed.
/// If this may have put members out of order that the current sweep (pass over all members) has already passed, another
/// sweep follows.
struct SortProgress {
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  const void* order = nullptr;      ///< Identifies the comparison; null before the first call.
  std::uint32_t cursor = 1;         ///< The position of the next member to compare with the one before it.
  std::uint32_t held = kNone;       ///< The position of a member that still has to move, or kNone.
  std::uint32_t members = 0;        ///< The number of members after the last call.
  std::uint32_t displacements = 0;  ///< SparsePool::displacements after the last call.
  bool backward = false;            ///< Whether the current sweep (pass over all members) goes backward.
  bool undisturbed = true;          ///< Whether the members passed by the sweep are known to be ordered.
};

}  // namespace strata::detail
