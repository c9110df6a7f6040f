#include "write_stamps.hpp"

#include <utility>

namespace strata::detail {

void stamp_new_rows(Place first, std::uint32_t count, std::uint64_t stamp) noexcept {
  const std::span<const TrackedColumn> tracked = first.block->format->tracked();
  for (std::uint32_t position = 0; position < tracked.size(); ++position) {
    // Unlike `stamp_rows`, this also overwrites greater stamps of rows: those still in the memory of the new rows are
    // the stamps of removed rows. The stamp of the block is only raised, because it also is that of the older rows.
    if (std::uint64_t* const rows = row_stamps(first, tracked[position])) std::fill_n(rows, count, stamp);
    std::uint64_t& of_block = first.block->stamps()[position];
    of_block = std::max(of_block, stamp);
  }
}

void carry_stamps(Place to, Place from, std::uint32_t count, std::uint64_t stamp) noexcept {
  const BlockFormat& source = *from.block->format;
  const std::span<const TrackedColumn> tracked = to.block->format->tracked();
  for (std::uint32_t position = 0; position < tracked.size(); ++position) {
    const std::uint32_t before =
        &source == to.block->format ? position : source.find_tracked(tracked[position].id);
    const bool is_new = before == BlockFormat::kAbsent;
    std::uint64_t& of_block = to.block->stamps()[position];
    of_block = std::max(of_block, is_new ? stamp : from.block->stamps()[before]);
    std::uint64_t* const rows = row_stamps(to, tracked[position]);
    if (rows == nullptr) continue;
    if (is_new) {
      std::fill_n(rows, count, stamp);
    } else {
      std::copy_n(row_stamps(from, source.tracked()[before]), count, rows);
    }
  }
}

void swap_stamps(Place a, Place b) noexcept {
  const std::span<const TrackedColumn> tracked = a.block->format->tracked();
  for (std::uint32_t position = 0; position < tracked.size(); ++position) {
    std::uint64_t& of_a = a.block->stamps()[position];
    std::uint64_t& of_b = b.block->stamps()[position];
    of_a = of_b = std::max(of_a, of_b);
    std::uint64_t* const row = row_stamps(a, tracked[position]);
    if (row != nullptr) std::swap(*row, *row_stamps(b, tracked[position]));
  }
}

bool has_stray_stamp(const Block& block) {
  const std::span<const TrackedColumn> tracked = block.format->tracked();
  for (std::uint32_t position = 0; position < tracked.size(); ++position) {
    if (tracked[position].stamp_prefix == BlockFormat::kAbsent) continue;
    const auto* const rows = column_of<const std::uint64_t>(block, tracked[position].stamp_prefix);
    const std::uint64_t of_block = block.stamps()[position];
    if (std::any_of(rows, rows + block.count, [&](std::uint64_t row) { return row > of_block; })) return true;
  }
  return false;
}

}  // namespace strata::detail
