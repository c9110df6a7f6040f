// Functions for the stamps of tracked values, of blocks and of rows: writes set them, moves copy them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../../core/block_format.hpp"
#include "../../core/slots.hpp"

namespace strata::detail {

/// Returns: the stamps of adjacent rows in a tracked column; null if only blocks are stamped.
inline std::uint64_t* row_stamps(const Place& first, const TrackedColumn& tracked) {
  return tracked.stamp_prefix != BlockFormat::kAbsent
             ? column_of<std::uint64_t>(*first.block, tracked.stamp_prefix) + first.row
             : nullptr;
}

/// Records a write to adjacent rows in the tracked column at `position`. Stamps only grow.
inline void stamp_rows(Place first, std::uint32_t count, std::uint32_t position,
                       std::uint64_t stamp) noexcept {
  std::uint64_t& of_block = first.block->stamps()[position];
  of_block = std::max(of_block, stamp);
  std::uint64_t* const of_rows = row_stamps(first, first.block->format->tracked()[position]);
  if (of_rows == nullptr) return;
  for (std::uint32_t i = 0; i < count; ++i) of_rows[i] = std::max(of_rows[i], stamp);
}

/// Records a write to one value of a component, if it is tracked.
/// Contract: the block has a column for it.
inline void stamp_value(Place place, ComponentId id, std::uint64_t stamp) noexcept {
  const std::uint32_t position = place.block->format->find_tracked(id);
  if (position != BlockFormat::kAbsent) stamp_rows(place, 1, position, stamp);
}

/// Stamps all tracked values of new rows.
void stamp_new_rows(Place first, std::uint32_t count, std::uint64_t stamp) noexcept;

/// Copies the stamps of moved rows for the columns that both formats have. The stamps of the new block become
/// at least those of the old one, so no change is lost. New columns get `stamp`.
void carry_stamps(Place to, Place from, std::uint32_t count, std::uint64_t stamp) noexcept;

/// Exchanges the stamps of two rows of one format.
void swap_stamps(Place a, Place b) noexcept;

/// Returns: whether a row's stamp is newer than that of its block.
bool has_stray_stamp(const Block& block);

}  // namespace strata::detail
