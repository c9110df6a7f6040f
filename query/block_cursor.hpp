// BlockCursor: walks the blocks of a query's tables in a given order.
#pragma once

#include <cstdint>

#include "matcher.hpp"

namespace strata {

/// Visits every block with rows of every matched archetype once.
/// Contract: no structural change while it is in use.
/// Complexity: O(blocks + matched archetypes * ranks) for a whole walk.
class BlockCursor {
 public:
  BlockCursor(const Matcher& matcher, Order order);

  /// Goes to the next block.
  /// Returns: false when there is none, now and ever after.
  bool next() {
    if (block_ != nullptr) block_ = block_->next;
    if (block_ != nullptr && block_->count != 0) return true;
    return next_table();
  }

  const Block& block() const { return *block_; }
  std::size_t match() const { return match_; }  ///< Index of the block's archetype among the matches.
  std::uint32_t rank() const { return rank_; }

  /// Returns: the first blocks of the tables of this archetype and rank, and which of them the block belongs to.
  std::span<Block* const> tables() const { return tables_; }
  std::size_t table() const { return table_; }

 private:
  bool next_table();
  void look_ahead() const;
  bool next_list();
  bool next_list_of_rank();

  std::span<Archetype* const> matches_;
  Order order_;
  std::size_t match_ = 0;
  std::uint32_t rank_ = 0;
  std::uint32_t rank_count_ = 0;
  bool started_ = false;
  bool ended_ = false;
  std::span<Block* const> tables_;
  std::size_t table_ = 0;
  const Block* block_ = nullptr;
};

}  // namespace strata
