#include "row_selection.hpp"

#include <algorithm>

#include "../../core/reserve.hpp"

namespace strata::detail {

void RowSelection::add(const RowRun& run) {
  std::uint64_t* const words = words_of(*run.block);
  for (std::uint32_t row = run.row; row < run.row + run.count;) {
    const std::uint32_t count = std::min(64 - row % 64, run.row + run.count - row);
    const std::uint64_t bits = (~std::uint64_t{0} >> (64 - count)) << row % 64;
    size_ += static_cast<std::size_t>(std::popcount(bits & ~words[row / 64]));
    words[row / 64] |= bits;
    row += count;
  }
}

/// Finds the selection bits of a block, or creates them with no row selected. Stores the block in `recent_`, and the
/// position of its bits (an index into `bits_`) in `recent_word_`. Called by `words_of` if the block is not the one of
/// the last call.
void RowSelection::look_up(Block& block) {
  if (blocks_.size() * 2 >= buckets_.size()) grow_buckets();
  std::uint32_t& bucket = bucket_of(block);
  if (bucket == kNone) {
    const std::uint32_t words = (block.count + 63) / 64;
    reserve_one(blocks_);
    const std::size_t first = bits_.size();
    bits_.resize(first + words, 0);
    bucket = static_cast<std::uint32_t>(blocks_.size());
    blocks_.push_back({&block, first, words, false, false});
  }
  recent_ = &block;
  recent_word_ = blocks_[bucket].first_word;
}

/// Returns: the entry for a block in the hash table `buckets_`: the position of the block in `blocks_`, or kNone if the
/// block has no selected rows yet.
std::uint32_t& RowSelection::bucket_of(const Block& block) {
  const std::uint64_t mixed = reinterpret_cast<std::uintptr_t>(&block) * 0x9E37'79B9'7F4A'7C15u;
  std::size_t at = static_cast<std::size_t>(mixed >> 32) & (buckets_.size() - 1);
  while (buckets_[at] != kNone && blocks_[buckets_[at]].block != &block)
    at = (at + 1) & (buckets_.size() - 1);
  return buckets_[at];
}

void RowSelection::grow_buckets() {
  buckets_.assign(std::max<std::size_t>(16, buckets_.size() * 2), kNone);
  for (std::uint32_t i = 0; i < blocks_.size(); ++i) bucket_of(*blocks_[i].block) = i;
}

std::uint32_t RowSelection::count_rows(const BlockRows& rows) const {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < rows.words; ++i)
    count += static_cast<std::uint32_t>(std::popcount(bits_[rows.first_word + i]));
  return count;
}

void RowSelection::arrange() {
  order_.clear();
  parts_.clear();
  for (BlockRows& rows : blocks_) rows.is_arranged = false;
  order_.reserve(blocks_.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i].is_arranged) continue;
    Table& table = table_of(*blocks_[i].block);
    Part part{&table, static_cast<std::uint32_t>(order_.size()), 0, 0};
    for (Block* block = table.first_block(); block != nullptr; block = block->next) {
      const std::uint32_t found = bucket_of(*block);
      if (found == kNone) continue;
      BlockRows& rows = blocks_[found];
      rows.is_arranged = true;
      rows.is_first = block == table.first_block();
      order_.push_back(found);
      part.count += count_rows(rows);
      ++part.blocks;
    }
    parts_.push_back(part);
  }
}

void RowSelection::refresh() noexcept {
  for (BlockRows& rows : blocks_) {
    if (rows.is_first) rows.block = nullptr;
  }
  for (const Part& part : parts_) {
    BlockRows& rows = blocks_[order_[part.first]];
    if (rows.is_first) rows.block = part.table->first_block();
  }
}

}  // namespace strata::detail
