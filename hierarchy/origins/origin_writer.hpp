// OriginWriter: finds where the parents of a block's rows are stored, and stores that in a cache.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "origin_runs.hpp"

namespace strata::detail {

/// Computes and stores the origins of the rows of one block at a time: for each row, the block and row in
/// which its parent is stored. OriginKeeper decides when, and for which rows.
class OriginWriter {
 public:
  /// If more than one in `kRowsPerPatch` rows of a block is new or has changed, it is cheaper to find the
  /// parents of all rows again than to update single rows.
  static constexpr std::uint32_t kRowsPerPatch = 4;
  /// As long as parents' locations are stored as segments (see Origins), at most so many rows of a block are
  /// updated one by one. If there are more, storing the location for each row is cheaper (Form::places).
  static constexpr std::uint32_t kFewPatches = 8;

  OriginWriter(Store& store, const Links& links) : store_(store), links_(links), runs_(store.memory()) {}

  /// Finds the origins of all rows of a block, that is, the block and row in which each row's parent is
  /// stored. Stores them as the block's cache, in the form that suits them (see Origins::Form). `in_order`
  /// says that the rows are in the order of their parents' rows; Origins::jumps is 0 then.
  /// Errors: std::bad_alloc; the stored origins are unchanged then.
  /// Contract: the block belongs to a table that the children of several parents share.
  /// Complexity: O(rows).
  void find_all(Block& block, bool in_order);

  /// Changes the cached location of the parent for one row of a block. `kept` is the block's cache. If the
  /// locations are stored as segments without room for another one, they are stored as Form::places from then
  /// on, in a new cache that replaces `kept`. With Form::scattered, nothing is stored.
  /// Returns: whether the row had another location before; always true with Form::scattered, where it is not
  /// known.
  /// Errors: std::bad_alloc; the location for this row may be wrong then.
  /// Complexity: O(1) with Form::places, otherwise O(segments and groups); O(rows) if there is no room.
  bool change(Block& block, Origins& kept, const OriginPatch& patch);

  /// Stores the locations of parents for a block again, in the form Origins::Form::places, with room for new
  /// rows. `kept` has the locations stored so far, in any form but Form::scattered.
  /// Returns: the new locations, which replace `kept`.
  /// Errors: std::bad_alloc; the stored locations are unchanged then.
  /// Complexity: O(rows).
  Origins& spread(Block& block, const Origins& kept);

  /// Changes the form in which the locations of parents are stored for a block, from Form::places to segments
  /// (see Origins), which take less memory. `places` is the block's cache, which may be replaced. If the
  /// segments would have fewer than about 8 rows on average, keeps the form. Sets Origins::changed to 0.
  /// Errors: std::bad_alloc; the stored locations are unchanged then.
  /// Complexity: O(rows).
  void compact(Block& block, Origins& places);

  /// Returns: whether the locations of parents in `kept` are right and are those of all rows of the block;
  /// for tests. True for Form::scattered, which has no locations.
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
