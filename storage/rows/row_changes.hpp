// RowChanges: what readers of rows learn about changes of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "../../core/slots.hpp"
#include "../changes/changed_ranks.hpp"
#include "../changes/move_log.hpp"
#include "../changes/write_clock.hpp"
#include "../changes/write_stamps.hpp"

namespace strata::detail {

/// Readers keep what they have derived from rows, and find out here whether it still holds: a count of all changes, a
/// version for each block, a log of the rows that have moved, the ranks with changes, and the stamps of tracked values.
class RowChanges {
 public:
  explicit RowChanges(std::pmr::memory_resource* memory) : moved_(memory), ranks_(memory) {}

  /// Makes room, so that changes of rows of so many slots and of tables of that rank can be noted without memory.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(std::size_t slots, std::uint32_t rank) {
    moved_.reserve(slots);
    ranks_.reserve(rank);
  }

  /// Returns: a counter that grows with every change of rows.
  std::uint64_t count() const { return count_; }
  void add_one() noexcept { ++count_; }

  /// Records that the rows of a block have changed, without a move.
  void touch(Block& block) noexcept {
    if (static_cast<std::int32_t>(++block.version) < 0) [[unlikely]]
      mark_watched(block);
    add_one();
  }

  /// Requests that the next change of a block's rows is recorded in `ranks`.
  static void watch(Block& block) noexcept { block.version |= Block::kWatched; }

  /// Returns: a version for a new block, larger than all versions before.
  std::uint32_t fresh_version() const { return static_cast<std::uint32_t>(count_) | Block::kWatched; }

  /// Records that a row relates to another row than before, without a move.
  void mark_related(const Place& place) noexcept {
    touch(*place.block);
    moved_.record(place.block->format->entities(*place.block)[place.row].index());
  }

  /// Returns: the log of rows that have moved or relate to another row.
  MoveLog& moved() { return moved_; }
  const MoveLog& moved() const { return moved_; }

  /// Returns: the ranks whose rows or row order have changed since a reader erased them from the set.
  ChangedRanks& ranks() { return ranks_; }
  const ChangedRanks& ranks() const { return ranks_; }

  /// Returns: the clock that stamps writes to tracked components.
  WriteClock& clock() { return clock_; }
  const WriteClock& clock() const { return clock_; }

  /// Stamps rows whose values are about to be built. New rows are not logged, so data derived from the block
  /// become invalid.
  void stamp_new(Place first, std::uint32_t count) noexcept {
    if (first.block->cache != nullptr) [[unlikely]]
      first.block->cache->valid = false;
    if (first.block->format->tracks()) [[unlikely]]
      stamp_new_rows(first, count, clock_.now());
  }

  /// Copies the stamps of moved rows.
  void carry_stamps(Place to, Place from, std::uint32_t count) noexcept {
    if (to.block->format->tracks()) [[unlikely]]
      detail::carry_stamps(to, from, count, clock_.now());
  }

 private:
  [[gnu::cold, gnu::noinline]] void mark_watched(Block& block) noexcept;

  MoveLog moved_;
  ChangedRanks ranks_;
  std::uint64_t count_ = 0;
  WriteClock clock_;
};

}  // namespace strata::detail
