// BlockCursor: walks the memory blocks that hold the rows of a query's matching tables.
#pragma once

#include <cstdint>

#include "../../core/compiler.hpp"
#include "../matching/matcher.hpp"
#include "../matching/rank_order.hpp"
#include "../matching/selection.hpp"

namespace strata::detail {

/// Prefetches the first block of a table that a query will visit a few tables later. With many small tables,
/// each visit would otherwise wait for its block.
inline void prefetch_table(const Block& first) {
  constexpr std::size_t kLines = 6;  // Cache lines: the header and the first values. One line is not enough.
  const auto* const begin = reinterpret_cast<const std::byte*>(&first);
  for (std::size_t line = 0; line < kLines; ++line) prefetch_to_read(begin + line * 64);
}

/// Prefetches the header of the block that follows `block` in its table. Within a block, the hardware
/// prefetches the columns without help, but it cannot predict where the next block is.
inline void prefetch_next(const Block& block) {
  prefetch_to_read(block.next);
}

/// Visits each block with rows of a matching archetype once. The constructor receives a Selection, which gives the
/// order of the visit. If the selection has a range of depths in the hierarchy, visits only the blocks of tables whose
/// entities are at these depths. All entities of a table have the same depth; it is called the table's rank.
/// Contract: `Matcher::refresh` was called, and there is no structural change while the cursor is in use.
/// Complexity (only archetypes that match and have rows are counted, unless stated otherwise):
/// - start: O(1), or O(archetypes) in an order by depth
/// - whole walk: O(blocks); in an order by depth O(blocks + lists * log archetypes), where an archetype has one list of
///   tables for each depth
/// - with a range of depths: the start takes O(min(archetypes, depths)). Then, at each depth of the range, every
///   archetype of the world that has tables of this depth takes O(log matches) more, even if it does not match.
///   Archetypes without such tables cost nothing.
// The whole class is exported, not only its functions: clang hides an instance of a template if a template argument is
// hidden, and BlockCursor is an argument of BasicTableBatches.
class STRATA_API BlockCursor {
 public:
  using Where = Selection;
  static constexpr bool kWholeBlocks = true;  ///< All rows of each block are visited.

  BlockCursor(const Matcher& matcher, const Selection& selection);

  /// Goes to the next block that has rows, or to the first one at the first call.
  /// Returns: false if no such block is left.
  bool next() {
    if (block_ != nullptr) block_ = block_->next;
    if ((block_ == nullptr || block_->count == 0) && !next_table()) return false;
    prefetch_next(*block_);
    return true;
  }

  const Block& block() const { return *block_; }
  std::size_t match() const { return match_; }  ///< Index of the block's archetype in Matcher::matches.
  std::uint32_t rank() const { return rank_; }

  /// `tables` returns all tables of the current block's archetype and rank (depth of the entities). Each table is given
  /// by its first block. `table` returns the index of the current block's table in this list.
  std::span<Block* const> tables() const { return tables_; }
  std::size_t table() const { return table_; }

  /// The rows of the current block from `first_row` up to, but not including, `end_row` are visited. These are all rows
  /// of the block; in a PieceCursor, which has the same functions, they may be a part of them.
  static constexpr std::uint32_t first_row() { return 0; }
  std::uint32_t end_row() const { return block_->count; }

  /// Goes to the next list of tables; a list has all tables of one archetype and rank. Afterwards, `tables`, `match`
  /// and `rank` describe the list. This function is for callers that read the tables' blocks themselves; a walk calls
  /// either this function or `next`, not both.
  /// Returns: false if no list is left.
  bool next_tables() { return order_ == Order::any ? next_list_of_match() : next_list(); }

 private:
  bool next_table();
  bool next_list();
  bool next_list_of_match();
  void start_at(Depths depths);
  bool next_list_of_depths();

  const Matcher& matcher_;
  Order order_;
  std::size_t match_ = 0;
  std::uint32_t rank_ = 0;
  std::size_t next_occupied_ = 0;
  bool started_ = false;
  RankLists::Cursor lists_;  // Lists of tables of the current archetype, if the order is not by rank.
  RankOrder ranks_;          // For an order by rank, if all depths are visited.
  // Only used if a range of depths is visited. `depths_left_`: how many depths are left, the current one included.
  // `at_depth_`: the archetypes that may have tables of the current depth. `next_at_depth_`: the index in `at_depth_`
  // of the archetype to look at next.
  std::uint32_t depths_left_ = 0;
  std::span<Archetype* const> at_depth_;
  std::size_t next_at_depth_ = 0;
  std::span<Block* const> tables_;
  std::size_t table_ = 0;
  const Block* block_ = nullptr;
};

}  // namespace strata::detail
