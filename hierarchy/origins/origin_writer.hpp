// OriginWriter: finds where the parents of a block's rows are stored, and stores that in a cache.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "origin_runs.hpp"

namespace strata::detail {

/// Computes and stores the origins of the rows of one block at a time. The origin of a row is the block and row in
/// which its parent is stored. OriginKeeper decides when this is done, and for which rows.
class OriginWriter {
 public:
  /// If more than one in `kRowsPerPatch` rows of a block is new, or more than that have parents in another place than
  /// before, it is cheaper to find the origins of all rows again than to update those of single rows.
  static constexpr std::uint32_t kRowsPerPatch = 4;
  /// The greatest number of changed rows of a block that are updated one by one while the block's cache is compressed
  /// into segments of several rows (see Origins). If more rows have changed, it is cheaper to convert the cache to one
  /// location per row (Form::places) before updating it.
  static constexpr std::uint32_t kFewPatches = 8;

  OriginWriter(Store& store, const Links& links) : store_(store), links_(links), runs_(store.memory()) {}

  /// Finds the origins of all rows of a block: the block and row in which each row's parent is stored. Stores them as
  /// the block's cache, in the form that suits them (see Origins::Form). Sets Origins::jumps to the number of rows
  /// whose parent is not stored near the parent of the previous row; to 0 if `in_order` is true, which says that the
  /// rows are in the order of their parents' rows.
  /// Errors: std::bad_alloc; the stored origins are unchanged then.
  /// Contract: the block belongs to a table that the children of several parents share.
  /// Complexity: O(rows).
  void find_all(Block& block, bool in_order);

  /// Stores `patch.origin` as the location of the parent of row `patch.row` in `kept`, the cache of a block. With
  /// Form::rows or Form::groups (see Origins), the row may need a new segment or group; if `kept` has no room for it, a
  /// new cache with Form::places replaces `kept`. With Form::scattered, nothing is stored.
  /// Returns: whether the location differs from the one that was stored; always true with Form::scattered, which stores
  /// none.
  /// Errors: std::bad_alloc; the stored location for this row may be wrong then.
  /// Complexity: O(1) with Form::places; otherwise O(segments + groups), or O(rows) if a new cache replaces `kept`. A
  /// group is successive rows with the same parent; only Form::groups stores groups.
  bool change(Block& block, Origins& kept, const OriginPatch& patch);

  /// Replaces `kept`, the cached locations of parents for a block, by a copy in the form Origins::Form::places, with
  /// room for new rows. `kept` may have any form but Form::scattered.
  /// Returns: the new cache.
  /// Errors: std::bad_alloc; the stored locations are unchanged then.
  /// Complexity: O(rows).
  Origins& spread(Block& block, const Origins& kept);

  /// Compresses `places`, the cached locations of parents for a block, from Form::places (one location for each row) to
  /// segments of several rows (see Origins). The block may get a new cache object. Does not compress if a segment would
  /// have fewer than about 8 rows on average. In both cases, Origins::changed is 0 afterwards.
  /// Errors: std::bad_alloc; the stored locations are unchanged then.
  /// Complexity: O(rows).
  void compact(Block& block, Origins& places);

  /// Returns: whether `kept` has the right location of the parent for each row of the block; true for Form::scattered,
  /// which stores no locations. For tests.
  bool is_right(const Block& block, const Origins& kept) const;

 private:
  static bool change_place(Origins& places, const OriginPatch& patch) noexcept;
  bool change_runs(Block& block, Origins& runs, const OriginPatch& patch);
  void write(Block& block, std::uint32_t jumps);

  Store& store_;
  const Links& links_;
  OriginRuns runs_;  // The origins of the block that is being written.
};

}  // namespace strata::detail
