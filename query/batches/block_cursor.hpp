// BlockCursor: walks the blocks of a query's tables in a given order.
#pragma once

#include <cstdint>

#include "../matching/matcher.hpp"
#include "../matching/rank_order.hpp"

namespace strata::detail {

/// Asks for the memory of a table that comes soon: of many small ones, each would otherwise be waited for.
inline void prefetch_table(const Block& first) {
  constexpr std::size_t kLines = 6;  // Header and first values; a single line was not enough.
  const auto* const begin = reinterpret_cast<const std::byte*>(&first);
  for (std::size_t line = 0; line < kLines; ++line) __builtin_prefetch(begin + line * 64);
}

/// Asks for the header of the block behind this one, which says where its values are: the hardware foresees where the
/// columns of a block go on, but not where the next block is.
inline void prefetch_next(const Block& block) {
  __builtin_prefetch(block.next);
}

/// Visits every block with rows of every matched archetype once.
/// Contract: the matcher is refreshed, and there is no structural change while the cursor is in use.
/// Complexity: O(blocks) for a whole walk, by rank O(blocks + lists of tables by rank * log archetypes), of matched
/// archetypes that have rows; to begin one, O(1), or O(such archetypes) by rank.
class BlockCursor {
 public:
  BlockCursor(const Matcher& matcher, Order order);

  /// Goes to the next block.
  /// Returns: false when there is none, now and ever after.
  bool next() {
    if (block_ != nullptr) block_ = block_->next;
    if ((block_ == nullptr || block_->count == 0) && !next_table()) return false;
    prefetch_next(*block_);
    return true;
  }

  const Block& block() const { return *block_; }
  std::size_t match() const { return match_; }  ///< Index of the block's archetype among the matches.
  std::uint32_t rank() const { return rank_; }

  /// Returns: the first blocks of the tables of this archetype and rank, and which of them the block belongs to.
  std::span<Block* const> tables() const { return tables_; }
  std::size_t table() const { return table_; }

 private:
  bool next_table();
  bool next_list();
  bool next_list_of_match();

  const Matcher& matcher_;
  Order order_;
  std::size_t match_ = 0;
  std::uint32_t rank_ = 0;
  std::size_t next_occupied_ = 0;
  bool started_ = false;
  RankLists::Cursor lists_;  // Of the current match, where the order is not by rank.
  RankOrder ranks_;          // Where it is.
  std::span<Block* const> tables_;
  std::size_t table_ = 0;
  const Block* block_ = nullptr;
};

}  // namespace strata::detail
