// SortProgress: where a pool's sorting in steps goes on.
#pragma once

#include <cstdint>

namespace strata::detail {

/// What is kept between two calls of sort_pool_step. Members may come and go meanwhile: then it says where to
/// go on all the same, but what lies behind has to be looked at once more.
struct SortProgress {
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  const void* order = nullptr;      ///< Which comparison it is about; null: none yet.
  std::uint32_t cursor = 1;         ///< The position of the pair that is next; it and the one before.
  std::uint32_t held = kNone;       ///< The position of a member that has not come as far as it has to.
  std::uint32_t members = 0;        ///< How many there were,
  std::uint32_t displacements = 0;  ///< and how often one had been displaced.
  bool backward = false;            ///< Which way this sweep goes.
  bool undisturbed = true;          ///< Whether all behind the cursor is in order.
};

}  // namespace strata::detail
