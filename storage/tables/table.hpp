// Table: a table of entities with the same components. A row is an entity with the values of its components. The rows
// are stored in blocks.
#pragma once

#include <cstdint>
#include <string>

#include "../../core/block.hpp"
#include "branch.hpp"

namespace strata::detail {

class Archetype;

/// The entities of one archetype and one branch. A branch is a group of tables, such as those of the children of one
/// parent. The rows are stored in a linked list of blocks, each of which holds all columns of its rows. Only `Rows`
/// changes the rows, only `TableBlocks` allocates blocks, and only `Tables` creates and drops tables.
///
/// Invariants:
///   T1. Blocks are filled front to back: blocks before the last one with rows are full, blocks after it are empty.
///   T2. `row_count` is the sum of the blocks' counts, `capacity` the sum of their capacities.
///   T3. A table of more than one block has only full-size blocks, which never move.
///   T4. A table without rows has no block. Exceptions: each of the two tables that became empty most recently may keep
///       one (see EmptyTables), and an operation that is under way may have allocated blocks for new rows.
///   T5. If a component has both a time of the last write for each row and one for each block (see WriteClock), the
///       time of a row is never later than the time of its block.
class Table {
 public:
  Table(Archetype& archetype, Branch& branch) : archetype_(&archetype), branch_(&branch) {}

  Archetype& archetype() const { return *archetype_; }
  Branch& branch() const { return *branch_; }
  std::uint32_t rank() const { return branch_->rank; }
  std::uint32_t row_count() const { return row_count_; }
  std::uint32_t block_count() const;
  bool empty() const { return row_count_ == 0; }

  /// Returns: the first block; null when there is none. `Block::next` leads to the other blocks. Blocks without rows
  /// come last.
  const Block* first_block() const { return first_block_; }
  Block* first_block() { return first_block_; }

  /// Returns: the next table of the same branch (a group of tables), in a linked list; null at the end.
  Table* next_in_branch() const { return next_in_branch_; }

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do. T4 is only checked if `at_rest`
  /// is true, that is, if no change of the store is under way.
  std::string check_invariants(bool at_rest) const;

 private:
  friend class DeadRows;
  friend class EmptyTables;
  friend class RankLists;
  friend class RowReorder;
  friend class RowRestorer;
  friend class Rows;
  friend class TableBlocks;
  friend class Tables;
  friend class UnfinishedRows;

  Archetype* archetype_;
  Branch* branch_;
  Block* first_block_ = nullptr;
  Block* last_block_ = nullptr;
  std::uint32_t row_count_ = 0;
  std::uint32_t capacity_ = 0;
  std::uint32_t reserved_rows_ = 0;  // Rows that are reserved by Rows::reserve and not used yet.
  std::uint32_t dead_rows_ = 0;      // Removed rows whose values still exist, and a flag; see DeadRows.
  std::uint32_t rank_position_ = 0;  // The table's position in the list of its rank, while it has rows.
  Table* next_in_branch_ = nullptr;
};
static_assert(sizeof(Table) <= 64);

/// Returns: the table that owns a block.
/// Contract: the block belongs to a table. A block that has lost all of its rows belongs to none while it waits for its
/// values to be destroyed; see DeadRows.
inline Table& table_of(const Block& block) {
  return *static_cast<Table*>(block.owner);
}

}  // namespace strata::detail
