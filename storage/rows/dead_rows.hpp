// DeadRows: rows that have left their tables, and whose values are not yet destroyed.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "../tables/table.hpp"
#include "../tables/table_blocks.hpp"

namespace strata::detail {

/// Destructors may run any code, so they run when the change that ends their values is complete. Until then the values
/// wait behind the rows of their table's last block, or in a block that has lost all of its rows and has left its table.
/// Takes no memory: blocks are chained by what leads to the block before them, the first blocks of tables among them.
/// Values of tables that lost rows earlier are destroyed earlier: children before their parents.
///
/// Invariants:
///   X1. A table with dead rows is in the chain, by its first block.
///   X2. A block in the chain without an owner has as many dead rows as its count says.
class DeadRows {
 public:
  explicit DeadRows(TableBlocks& blocks) : blocks_(blocks) {}

  bool empty() const { return first_ == nullptr; }

  /// Notes that the last row of the last block of a table is dead; the table is to lose it next.
  void add(Table& table) noexcept {
    if (table.dead_rows_ == 0) {
      chain(*table.first_block_);
      table.dead_rows_ = kChained;
    }
    table.dead_rows_ += kOne;
  }

  /// Takes a table's last block, which has lost its last row, out of the table.
  void take_last_block(Table& table) noexcept;

  /// Takes all blocks of a table, whose rows are all dead.
  void take_all_blocks(Table& table) noexcept;

  /// Destroys the values, and gives the blocks back; calls `release(Table&)` for each table that is left without rows.
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

  /// `chained`: how many tables there are for which `is_chained` holds.
  /// Returns: the invariant that does not hold; empty when all do.
  /// Complexity: O(blocks in the chain).
  std::string check_invariants(std::size_t chained) const;

  /// Returns: whether the table's first block is in the chain.
  static bool is_chained(const Table& table) { return table.dead_rows_ != 0; }

  /// Returns: whether rows behind those of the table's last block are dead.
  static bool has(const Table& table) { return table.dead_rows_ >= kOne; }

 private:
  static constexpr std::uint32_t kChained = 1;  // Of Table::dead_rows_, beside twice the number of rows.
  static constexpr std::uint32_t kOne = 2;

  static void destroy_values(const Block& block, std::uint32_t first, std::uint32_t count) noexcept;

  void chain(Block& block) noexcept {
    (first_ == nullptr ? first_ : last_->previous) = &block;
    block.previous = nullptr;
    last_ = &block;
  }

  TableBlocks& blocks_;
  Block* first_ = nullptr;  // In the order in which they came.
  Block* last_ = nullptr;
};

}  // namespace strata::detail
