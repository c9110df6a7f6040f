// Functions that set and read stamps: the times (see WriteClock) of the last writes to a component in a row or in a
// block. Only components whose writes are recorded (see Tracking) have stamps.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../../core/block_format.hpp"
#include "../../core/compiler.hpp"
#include "../../core/slots.hpp"

namespace strata::detail {

/// Returns: the address of the stamp (the time of the last write, see WriteClock) of the row `first` in a tracked
/// column. The stamps of the following rows follow in memory. Null if the column has one stamp for each block, but none
/// for each row.
inline std::uint64_t* row_stamps(const Place& first, const TrackedColumn& tracked) {
  return tracked.stamp_prefix != BlockFormat::kAbsent
             ? column_of<std::uint64_t>(*first.block, tracked.stamp_prefix) + first.row
             : nullptr;
}

/// Whether other threads may record writes in the same block at the same time.
enum class StampSharing : bool { alone, shared };

/// Records a write of `count` rows, from `first` on, in the tracked column at `position` (in the order of
/// BlockFormat::tracked). Raises the stamps (times of the last write, see WriteClock) of these rows and of their block
/// to `stamp`. Greater stamps do not change.
/// Threads: with StampSharing::shared, any number at a time, if no two of them record writes of the same row.
inline void stamp_rows(Place first, std::uint32_t count, std::uint32_t position, std::uint64_t stamp,
                       StampSharing sharing = StampSharing::alone) noexcept {
  std::uint64_t& of_block = first.block->stamps()[position];
  if (sharing == StampSharing::shared) {
    atomic_raise(of_block, stamp);
  } else {
    of_block = std::max(of_block, stamp);
  }
  std::uint64_t* const of_rows = row_stamps(first, first.block->format->tracked()[position]);
  if (of_rows == nullptr) return;
  for (std::uint32_t i = 0; i < count; ++i) of_rows[i] = std::max(of_rows[i], stamp);
}

/// Records a write of one value, if its component is tracked: raises the stamps (times of the last write, see
/// WriteClock) of the row and of its block to `stamp` in the component's column. Does nothing if the block has no
/// tracked column for the component.
inline void stamp_value(Place place, ComponentId id, std::uint64_t stamp,
                        StampSharing sharing = StampSharing::alone) noexcept {
  const std::uint32_t position = place.block->format->find_tracked(id);
  if (position != BlockFormat::kAbsent) stamp_rows(place, 1, position, stamp, sharing);
}

/// Sets the stamps (times of the last write, see WriteClock) of `count` new rows, from `first` on, to `stamp` in all
/// tracked columns. Raises the stamps of their block to at least `stamp`.
STRATA_API void stamp_new_rows(Place first, std::uint32_t count, std::uint64_t stamp) noexcept;

/// Sets the stamps (times of the last write, see WriteClock) of `count` rows that have moved from `from` to `to`, in
/// each tracked column of the new block. If the old block has the column, too, the rows keep their stamps, and the
/// stamp of the new block is raised to that of the old block. Otherwise, the rows get `stamp`, and the stamp of the new
/// block is raised to `stamp`. If the stamp of the new block is greater already, it does not change. The stamp of the
/// block is raised because queries skip blocks by their stamps, and would otherwise miss the writes to the moved rows.
void carry_stamps(Place to, Place from, std::uint32_t count, std::uint64_t stamp) noexcept;

/// Exchanges the stamps (times of the last write, see WriteClock) of two rows in blocks of one format. A block also has
/// one stamp for each tracked column, which must not be less than those of its rows. So in each tracked column, the
/// stamps of both blocks become the greater one of the two.
void swap_stamps(Place a, Place b) noexcept;

/// Returns: whether any row of the block has a later stamp (time of the last write, see WriteClock) in a tracked column
/// than the block itself. Such a stamp is an error: a query skips blocks by their stamps, so it would miss the write.
bool has_stray_stamp(const Block& block);

}  // namespace strata::detail
