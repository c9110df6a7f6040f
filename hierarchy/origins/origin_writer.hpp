// OriginWriter: finds the origins of a block's rows, and writes them in the form that suits them.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "origin_runs.hpp"

namespace strata::detail {

/// Writes the `Origins` that are kept with one block at a time. Which rows to write, and when, is the business of
/// `OriginKeeper`.
class OriginWriter {
 public:
  /// Where more than one of so many rows has changed, finding all anew costs less than finding those.
  static constexpr std::uint32_t kRowsPerPatch = 4;
  /// So many rows are changed in runs at a time; with more, places cost less. Runs have room for that.
  static constexpr std::uint32_t kFewPatches = 8;

  OriginWriter(Store& store, const Links& links) : store_(store), links_(links), runs_(store.memory()) {}

  /// Finds the origins of all rows of a block of a level. Where the level is in family order, no row counts as a jump.
  /// Errors: std::bad_alloc; what was kept is as it was.
  /// Complexity: O(rows).
  void find_all(Block& block, bool in_order);

  /// Gives one row another origin; if runs have no room for it, the origins become places.
  /// Returns: whether it was another one; of scattered ones, it may have been.
  /// Errors: std::bad_alloc; where the row's origin is in another block, it may be half changed.
  /// Complexity: O(1) for places, O(segments and groups) for runs; O(rows) where these have no room.
  bool change(Block& block, Origins& kept, const OriginPatch& patch);

  /// Writes runs or places as places, with room for rows that may still come.
  /// Returns: these, which are kept with the block instead.
  /// Errors: std::bad_alloc; what was kept is as it was.
  /// Complexity: O(rows).
  Origins& spread(Block& block, const Origins& kept);

  /// Writes places as runs, if they are.
  /// Errors: std::bad_alloc; the places are still right.
  /// Complexity: O(rows).
  void compact(Block& block, Origins& places);

  /// Returns: whether the origins are those of all rows of the block.
  bool is_right(const Block& block, const Origins& kept) const;

 private:
  static bool change_place(Origins& places, const OriginPatch& patch) noexcept;
  bool change_runs(Block& block, Origins& runs, const OriginPatch& patch);
  void write(Block& block, std::uint32_t jumps);

  Store& store_;
  const Links& links_;
  OriginRuns runs_;  // Of the block at hand.
};

}  // namespace strata::detail
