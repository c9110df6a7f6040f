#include "block_exchange.hpp"

#include <algorithm>

namespace strata::detail {

bool BlockExchange::fills_block(const RowRun& run) const noexcept {
  const Block& block = *run.block;
  return own_ != nullptr && run.count == block.capacity && block.capacity >= block.format->full_capacity() &&
         own_->can_exchange(block, to_.rows(), block);
}

bool BlockExchange::prepare(std::span<const RowRun> runs) {
  const auto fills = [&](const RowRun& run) { return fills_block(run); };
  exchanged_.reserve(static_cast<std::size_t>(std::ranges::count_if(runs, fills)));
  return exchanged_.capacity() != 0;
}

bool BlockExchange::fits(const Block& block, const Table& table) const noexcept {
  return are_alike(*block.format, table.archetype().format()) && Rows::can_append_block(table);
}

bool BlockExchange::exchange(Place here, Place there, std::uint32_t count) noexcept {
  if (exchanged_.size() == exchanged_.capacity() || !exchange_once(here, there, count)) return false;
  exchanged_.emplace_back(here.block, there.block);
  return true;
}

bool BlockExchange::exchange_once(Place here, Place there, std::uint32_t count) noexcept {
  const bool is_possible = there.row == 0 && fills_block({here.block, here.row, count}) &&
                           are_alike(*here.block->format, *there.block->format) &&
                           own_->can_exchange(*here.block, to_.rows(), *there.block);
  if (is_possible) own_->exchange_block(*here.block, to_.rows(), *there.block);
  return is_possible;
}

void BlockExchange::update(std::span<RowRun> runs) const noexcept {
  auto next = exchanged_.begin();
  for (RowRun& run : runs) {
    if (next == exchanged_.end() || run.block != next->first) continue;
    run.block = next->second;
    ++next;
  }
}

/// Returns: whether blocks of the formats `own` (source world) and `other` (destination world) have the same layout:
/// the columns have the same positions and sizes, and columns at the same position hold the same component (see
/// ComponentMatch), whose values both worlds move with the same function.
bool BlockExchange::are_alike(const BlockFormat& own, const BlockFormat& other) const noexcept {
  return own.row_bytes() == other.row_bytes() && own.entity_prefix() == other.entity_prefix() &&
         std::ranges::equal(own.columns(), other.columns(), [&](const Column& a, const Column& b) {
           return match_.find(a.id) == b.id && a.prefix == b.prefix && a.size == b.size &&
                  a.relocate == b.relocate;
         });
}

}  // namespace strata::detail
