// EmptyTables: the two tables that became empty last. Each of them keeps a block, so that adding a row to such a table
// does not allocate.
#pragma once

#include <array>

#include "../tables/table.hpp"
#include "../tables/table_blocks.hpp"

namespace strata::detail {

/// The two tables that became empty last keep one block each, so that single rows that move back and forth between
/// tables do not allocate. This class stores which tables these two are. Two kinds of tables are never among them.
/// Tables that may be dropped while they are empty (their Branch::lasts is not set) keep no block. Tables in which room
/// for rows is reserved when they become empty (see Rows::reserve) keep all of their blocks.
class EmptyTables {
 public:
  explicit EmptyTables(TableBlocks& blocks) : blocks_(blocks) {}

  /// Returns: whether the table is one of the two empty tables that keep a block.
  bool keeps(const Table& table) const { return &table == kept_[0] || &table == kept_[1]; }

  /// Called when a table has got its first row. If it was one of the two empty tables that keep a block, it is no
  /// longer one of them after the call.
  void leave(const Table& table) noexcept;

  /// Handles a table that has lost its last row:
  /// - If room for rows is reserved in the table (see Rows::reserve), the table keeps all of its blocks.
  /// - If the table may be dropped while it is empty (its Branch::lasts is not set), all of its blocks are freed.
  /// - Otherwise the table keeps its first block. Only the two tables that became empty last keep one. So the table
  ///   that became empty before these two loses its block, unless room for rows is reserved in that table.
  void enter(Table& table) noexcept;

  /// Frees the blocks of an empty table. As long as an empty table has blocks, it has a reserved position in the list
  /// of the tables of its depth (see RankLists). This function releases that position, too. Does nothing if the table
  /// has no blocks.
  /// Contract: the table is not one of the two empty tables that keep a block (see `keeps`).
  void free(Table& table) noexcept;

  /// Frees the blocks of the two empty tables that have kept one. Exception: a table in which room for rows is reserved
  /// keeps its blocks.
  void free_kept() noexcept;

 private:
  void free_kept(Table* table) noexcept;

  TableBlocks& blocks_;
  std::array<Table*, 2> kept_{};  // The table that became empty last comes first.
};

}  // namespace strata::detail
