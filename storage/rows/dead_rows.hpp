// DeadRows: rows that were removed from their tables and whose values are still to be destroyed.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "../tables/table.hpp"
#include "../tables/table_blocks.hpp"

namespace strata::detail {

/// A list of dead rows: rows that were removed from their tables, but whose values still have to be destroyed.
/// Destructors may run any code, so they run when the structural change that removes the rows is complete. Until then,
/// the values stay in blocks (allocations, each of which stores some rows of a table): behind the remaining rows of the
/// table's last block, or in a block that has lost all of its rows and was unlinked from its table.
///
/// The list allocates no memory: it is a chain of blocks. The chain has the first block of each table with dead rows,
/// and the blocks that were unlinked from their tables. Block::previous links the chain, because these blocks have no
/// other use for it. Values are destroyed table by table, in the order in which the tables lost rows. When a subtree is
/// destroyed, children are removed before their parents, so the tables of children come first.
///
/// Invariants:
///   X1. A table with dead rows is in the chain, represented by its first block.
///   X2. A block of the chain may belong to no table (Block::owner is null). All rows that such a block counts are
///       dead.
class DeadRows {
 public:
  explicit DeadRows(TableBlocks& blocks) : blocks_(blocks) {}

  bool empty() const { return first_ == nullptr; }

  /// Counts the last row of a table's last block as dead: its values are destroyed later. The row is still
  /// in the table; the caller removes it next.
  void add(Table& table) noexcept {
    if (table.dead_rows_ == 0) {
      chain(*table.first_block_);
      table.dead_rows_ = kChained;
    }
    table.dead_rows_ += kOne;
  }

  /// Unlinks the last block from a table, after all rows of this block were removed, and keeps it until the
  /// values of these rows are destroyed.
  void take_last_block(Table& table) noexcept;

  /// Unlinks all blocks of a table, and keeps them until the values of all their rows are destroyed. Afterwards, the
  /// table has no block and no capacity. The caller sets its number of rows to 0.
  /// Contract: the table has a block.
  void take_all_blocks(Table& table) noexcept;

  /// Destroys the values of all dead rows (removed rows whose values still exist), and frees the blocks that
  /// `take_last_block` and `take_all_blocks` have unlinked. Calls `release(Table&)` for each table in the chain that
  /// has no rows left.
  /// Complexity: O(values).
  template <class Release>
  void destroy(Release release) noexcept {
    while (first_ != nullptr) {
      Block& block = *first_;
      first_ = std::exchange(block.previous, nullptr);
      if (block.owner == nullptr) {
        destroy_values(block, 0, block.count);
        blocks_.free_detached(block);
        continue;
      }
      Table& table = table_of(block);
      const Block& last = *table.last_block_;
      destroy_values(last, last.count, std::exchange(table.dead_rows_, 0) / kOne);
      if (table.empty()) release(table);
    }
  }

  /// Checks the invariants. `chained` is the number of tables for which `is_chained` is true.
  /// Returns: the invariant that does not hold, as a sentence; empty when all hold.
  /// Complexity: O(blocks in the chain).
  std::string check_invariants(std::size_t chained) const;

  /// Returns: whether the first block of the table is in the chain, because the table has lost rows whose values are
  /// not destroyed yet. Also true if these values are in a block that was unlinked from the table, unless that block
  /// was the table's first one.
  static bool is_chained(const Table& table) { return table.dead_rows_ != 0; }

  /// Returns: whether the last block of the table still has values of removed rows, behind its remaining rows.
  static bool has(const Table& table) { return table.dead_rows_ >= kOne; }

 private:
  // The parts of Table::dead_rows_. Bit kChained is set while the table is in the chain of blocks with dead rows
  // (removed rows whose values still exist). The bits above it count the dead rows of the table's last block; adding
  // kOne counts one more.
  static constexpr std::uint32_t kChained = 1;
  static constexpr std::uint32_t kOne = 2;

  static void destroy_values(const Block& block, std::uint32_t first, std::uint32_t count) noexcept;

  void chain(Block& block) noexcept {
    (first_ == nullptr ? first_ : last_->previous) = &block;
    block.previous = nullptr;
    last_ = &block;
  }

  TableBlocks& blocks_;
  Block* first_ = nullptr;  // The first block of the chain, the one that was added first.
  Block* last_ = nullptr;
};

}  // namespace strata::detail
