// What is done with the stamps of tracked values, of blocks and of rows: writes set them, moves carry them
// along.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../../core/column_layout.hpp"
#include "../../core/slots.hpp"

namespace strata::detail {

/// The stamps of neighbouring rows' values of a tracked column; null where only blocks are stamped.
inline std::uint64_t* row_stamps(const Place& first, const TrackedColumn& tracked) {
  return tracked.stamp_prefix != ColumnLayout::kAbsent
             ? column_of<std::uint64_t>(*first.block, tracked.stamp_prefix) + first.row
             : nullptr;
}

/// Notes a write to neighbouring rows' values of the tracked column at `position`. Stamps only grow.
inline void stamp_rows(Place first, std::uint32_t count, std::uint32_t position,
                       std::uint64_t stamp) noexcept {
  std::uint64_t& of_block = first.block->stamps()[position];
  of_block = std::max(of_block, stamp);
  std::uint64_t* const of_rows = row_stamps(first, first.block->layout->tracked()[position]);
  if (of_rows == nullptr) return;
  for (std::uint32_t i = 0; i < count; ++i) of_rows[i] = std::max(of_rows[i], stamp);
}

/// Notes a write to one value of a component, if it is tracked.
/// Contract: the block has a column for it.
inline void stamp_value(Place place, ComponentId id, std::uint64_t stamp) noexcept {
  const std::uint32_t position = place.block->layout->find_tracked(id);
  if (position != ColumnLayout::kAbsent) stamp_rows(place, 1, position, stamp);
}

/// Stamps all tracked values of new rows.
void stamp_new_rows(Place first, std::uint32_t count, std::uint64_t stamp) noexcept;

/// Takes the stamps of rows along that move, of the columns that both layouts have: those of the new block
/// become at least those of the old, so that no change is lost. Columns that are new get `stamp`.
void carry_stamps(Place to, Place from, std::uint32_t count, std::uint64_t stamp) noexcept;

/// Exchanges the stamps of two rows of one layout.
void swap_stamps(Place a, Place b) noexcept;

/// Returns: whether a row's stamp is newer than that of its block.
bool has_stray_stamp(const Block& block);

}  // namespace strata::detail
