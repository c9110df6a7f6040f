// OriginWriter: finds the origins of a block's rows and writes them in the best form.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "origin_runs.hpp"

namespace strata::detail {

/// Computes and stores the origins of one block's rows at a time: for each row, the place of its parent's
/// row. `OriginKeeper` decides which rows to write, and when.
class OriginWriter {
 public:
  /// If more than one in `kRowsPerPatch` rows is new or has changed, computing all origins is cheaper than
  /// updating single ones.
  static constexpr std::uint32_t kRowsPerPatch = 4;
  /// The most rows of a block to update in one pass while origins are stored as runs. For more, places are
  /// cheaper.
  static constexpr std::uint32_t kFewPatches = 8;

  OriginWriter(Store& store, const Links& links) : store_(store), links_(links), runs_(store.memory()) {}

  /// Computes the origins of all rows of a block in a level table, and stores them in the form that suits
  /// them. `in_order` says that the level is in family order; Origins::jumps is then 0.
  /// Errors: std::bad_alloc; the stored origins are unchanged then.
  /// Complexity: O(rows).
  void find_all(Block& block, bool in_order);

  /// Changes the origin of one row. If runs have no room for it, the origins are converted to places.
  /// Returns: whether the origin was a different one; always true for scattered origins, where it is not
  /// known.
  /// Errors: std::bad_alloc; if the row's origin is in another block, the row may be half changed.
  /// Complexity: O(1) for places, O(segments and groups) for runs; O(rows) if runs have no room.
  bool change(Block& block, Origins& kept, const OriginPatch& patch);

  /// Stores the origins of a block as places, with room for new rows. They are stored as runs or places
  /// before.
  /// Returns: the new origins, which replace `kept`.
  /// Errors: std::bad_alloc; the stored origins are unchanged then.
  /// Complexity: O(rows).
  Origins& spread(Block& block, const Origins& kept);

  /// Stores the origins of a block as runs instead of places (see Origins::Form), if the runs are long
  /// enough.
  /// Errors: std::bad_alloc; the places are still right.
  /// Complexity: O(rows).
  void compact(Block& block, Origins& places);

  /// Returns: whether the origins are right for all rows of the block.
  bool is_right(const Block& block, const Origins& kept) const;

 private:
  static bool change_place(Origins& places, const OriginPatch& patch) noexcept;
  bool change_runs(Block& block, Origins& runs, const OriginPatch& patch);
  void write(Block& block, std::uint32_t jumps);

  Store& store_;
  const Links& links_;
  OriginRuns runs_;  // Of the current block.
};

}  // namespace strata::detail
