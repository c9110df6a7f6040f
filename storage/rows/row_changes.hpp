// RowChanges: records changes of rows, for readers that cache data about rows.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "../../core/compiler.hpp"
#include "../../core/slots.hpp"
#include "../changes/changed_ranks.hpp"
#include "../changes/move_log.hpp"
#include "../changes/write_clock.hpp"
#include "../changes/write_stamps.hpp"

namespace strata::detail {

/// Records changes of rows, so that readers that cache data about rows know when the cached data are outdated. The
/// records are a count of all changes, a version for each block, a log of the rows that have moved, the set of the
/// depths (in the hierarchy) at which tables have changed, and a clock that gives a time to each write of a component
/// whose writes are tracked.
class RowChanges {
 public:
  explicit RowChanges(std::pmr::memory_resource* memory) : moved_(memory), ranks_(memory) {}

  /// Makes room, so that changes of tables of the rank `rank` (the depth of their entities in the hierarchy) are
  /// recorded without allocating. `slots` is the number of entity slots in the world, one for each entity index.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(std::size_t slots, std::uint32_t rank) {
    moved_.reserve(slots);
    ranks_.reserve(rank);
  }

  /// Returns: the number of changes of rows so far. As long as a reader finds the same number, no rows have changed.
  std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }
  /// Adds one to the number of changes of rows. Called for changes that are not recorded by `touch`.
  void add_one() noexcept { count_.store(count() + 1, std::memory_order_relaxed); }

  /// Records that rows of a block were added, removed or replaced: increases the version of the block and the count of
  /// changes. If this is the first change since a reader has called `watch` for the block, also adds the depth of the
  /// block's entities (in the hierarchy) to `ranks`. Does not log moved rows.
  void touch(Block& block) noexcept {
    if (static_cast<std::int32_t>(++block.version) < 0) [[unlikely]]
      mark_watched(block);
    add_one();
  }

  /// Makes the next `touch` of a block, and only that one, add the depth of the block's entities to `ranks`.
  static void watch(Block& block) noexcept { block.version |= Block::kWatched; }

  /// Returns: the first version of a new block. It is the number of changes so far, so no other block has a higher
  /// version, and readers can tell the new block from a freed block that had the same address. The bit that `watch`
  /// sets is set, too, so that the first change of the block adds the depth of its entities to `ranks`.
  std::uint32_t fresh_version() const { return static_cast<std::uint32_t>(count()) | Block::kWatched; }

  /// Records that the entity of the row at `place` has got another parent, although the row has not moved.
  void mark_related(const Place& place) noexcept {
    touch(*place.block);
    moved_.record(place.block->format->entities(*place.block)[place.row].index());
  }

  /// Returns: the log of entities whose rows have moved or that have got another parent.
  MoveLog& moved() { return moved_; }
  const MoveLog& moved() const { return moved_; }

  /// Returns: the set of the ranks of tables whose rows or row order have changed. The rank of a table is the depth of
  /// its entities in the hierarchy. A reader erases the ranks that it has processed, and calls `watch` for the blocks
  /// of their tables, so that the next change of such a block adds the rank to this set again.
  ChangedRanks& ranks() { return ranks_; }
  const ChangedRanks& ranks() const { return ranks_; }

  /// Returns: the clock that gives a time to each write of a tracked component, that is, one whose writes are recorded
  /// (see Tracking).
  WriteClock& clock() { return clock_; }
  const WriteClock& clock() const { return clock_; }

  /// Records for `count` new rows, from `first` on, that the values of their tracked components (those whose writes are
  /// recorded, see Tracking) are written now. Called before the values are constructed. A block may have a cache: data
  /// that a reader computed from the rows (see BlockCache). New rows are not in the log of moved rows, so this function
  /// marks the cache as invalid.
  void stamp_new(Place first, std::uint32_t count) noexcept {
    if (first.block->cache != nullptr) [[unlikely]]
      first.block->cache->valid = false;
    if (first.block->format->tracks()) [[unlikely]]
      stamp_new_rows(first, count, clock_.now());
  }

  /// Copies the times of the last writes to tracked components (see Tracking) for `count` rows that have moved, from
  /// the old to the new rows. In tracked columns that only the new rows have, sets these times to now.
  void carry_stamps(Place to, Place from, std::uint32_t count) noexcept {
    if (to.block->format->tracks()) [[unlikely]]
      detail::carry_stamps(to, from, count, clock_.now());
  }

 private:
  STRATA_COLD STRATA_NOINLINE STRATA_API void mark_watched(Block& block) noexcept;

  MoveLog moved_;
  ChangedRanks ranks_;
  // Atomic, because a reader may increase the count (by `add_one`, when it updates the cached locations of parents)
  // while other readers read it. No two threads increase it at the same time.
  std::atomic<std::uint64_t> count_ = 0;
  WriteClock clock_;
};

}  // namespace strata::detail
