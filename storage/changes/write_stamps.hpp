// Functions for the stamps of tracked values, of blocks and of rows: writes set them, moves copy them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../../core/block_format.hpp"
#include "../../core/slots.hpp"

namespace strata::detail {

/// Returns: the address of the stamp of the row `first` in a tracked column, which those of the rows after
/// it follow; null if the column stamps only blocks.
inline std::uint64_t* row_stamps(const Place& first, const TrackedColumn& tracked) {
  return tracked.stamp_prefix != BlockFormat::kAbsent
             ? column_of<std::uint64_t>(*first.block, tracked.stamp_prefix) + first.row
             : nullptr;
}

/// Raises to `stamp` the stamps of `count` rows from `first` on, and of their block, in the tracked column
/// at `position` (in the order of BlockFormat::tracked). Greater stamps stay.
inline void stamp_rows(Place first, std::uint32_t count, std::uint32_t position,
                       std::uint64_t stamp) noexcept {
  std::uint64_t& of_block = first.block->stamps()[position];
  of_block = std::max(of_block, stamp);
  std::uint64_t* const of_rows = row_stamps(first, first.block->format->tracked()[position]);
  if (of_rows == nullptr) return;
  for (std::uint32_t i = 0; i < count; ++i) of_rows[i] = std::max(of_rows[i], stamp);
}

/// Raises the stamps of one value and of its block to `stamp`, if the component is tracked.
/// Contract: the block has a column for the component.
inline void stamp_value(Place place, ComponentId id, std::uint64_t stamp) noexcept {
  const std::uint32_t position = place.block->format->find_tracked(id);
  if (position != BlockFormat::kAbsent) stamp_rows(place, 1, position, stamp);
}

/// Sets the stamps of all tracked values of `count` new rows, from `first` on, to `stamp`, and raises those
/// of their block.
void stamp_new_rows(Place first, std::uint32_t count, std::uint64_t stamp) noexcept;

/// Copies the stamps of `count` rows that have moved from `from` to `to`, for the tracked columns that both
/// formats have. Each stamp of the new block becomes at least that of the old block, so no change is lost.
/// Columns that only the new format has get `stamp`.
void carry_stamps(Place to, Place from, std::uint32_t count, std::uint64_t stamp) noexcept;

/// Exchanges the stamps of two rows of blocks with one format. In each tracked column, the stamps of the
/// two blocks become the greater one of them.
void swap_stamps(Place a, Place b) noexcept;

/// Returns: whether a row's stamp is newer than that of its block, which breaks an invariant (see Table).
bool has_stray_stamp(const Block& block);

}  // namespace strata::detail
