// EmptyTables: the two tables that became empty last. They keep a block, so that adding a row to them does
// not allocate.
#pragma once

#include <array>

#include "../tables/table.hpp"
#include "../tables/table_blocks.hpp"

namespace strata::detail {

/// The two tables that became empty last. Each keeps one block, so that single rows that move back and forth between
/// tables do not allocate. A branch is the group of tables for one place in the hierarchy. Only a table whose branch is
/// never dropped (`Branch::lasts` is set) can be one of the two. A table in which room for rows is reserved (see
/// Rows::reserve) keeps all of its blocks and is not listed here.
class EmptyTables {
 public:
  explicit EmptyTables(TableBlocks& blocks) : blocks_(blocks) {}

  /// Returns: whether the table is one of the two that keep a block.
  bool keeps(const Table& table) const { return &table == kept_[0] || &table == kept_[1]; }

  /// Called when a table has got a row. If the table is one of the two that keep a block, removes it from these two.
  void leave(const Table& table) noexcept;

  /// Handles a table that has lost its last row:
  /// - If room for rows is reserved in it (see Rows::reserve), it keeps all of its blocks.
  /// - If its branch (the group of tables for one place in the hierarchy) may be dropped (see Branch::lasts), all of
  ///   its blocks are freed.
  /// - Otherwise it becomes one of the two tables that keep their first block. It replaces the one of these two that
  ///   has been empty for longer. The block of the replaced table is freed, unless room for rows is reserved in that
  ///   table.
  void enter(Table& table) noexcept;

  /// Frees the blocks of a table that has no rows and is not one of the two that keep a block. Also releases the
  /// position that is reserved for the table in the list of the tables with its rank, that is, its depth in the
  /// hierarchy (see RankLists). Does nothing if the table has no blocks.
  void free(Table& table) noexcept;

  /// Frees the blocks that the two tables have kept; afterwards, no empty table keeps a block. Exception: a table in
  /// which room for rows is reserved keeps all of its blocks.
  void free_kept() noexcept;

 private:
  void free_kept(Table* table) noexcept;

  TableBlocks& blocks_;
  std::array<Table*, 2> kept_{};  // The table that became empty last comes first.
};

}  // namespace strata::detail
