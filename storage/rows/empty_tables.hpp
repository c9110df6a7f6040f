// EmptyTables: the two tables that became empty last. They keep a block, so that adding a row to them does
// not allocate.
#pragma once

#include <array>

#include "../tables/table.hpp"
#include "../tables/table_blocks.hpp"

namespace strata::detail {

/// The two tables that became empty last. Each keeps one block, so that single rows that move back and forth
/// between tables do not allocate. Only tables of branches with `Branch::lasts`, which are never dropped, are
/// kept. A table with reserved rows keeps all of its blocks and is not listed here.
class EmptyTables {
 public:
  explicit EmptyTables(TableBlocks& blocks) : blocks_(blocks) {}

  /// Returns: whether the table is one of the two that keep a block.
  bool keeps(const Table& table) const { return &table == kept_[0] || &table == kept_[1]; }

  /// Removes a table from the list, because it has got a row. Does nothing if the table is not listed.
  void leave(const Table& table) noexcept;

  /// Handles a table that has lost its last row:
  /// - If rows are reserved in it, it keeps all of its blocks.
  /// - If its branch may be dropped, all of its blocks are freed.
  /// - Otherwise it is listed and keeps its first block. The table that was listed longest loses its block.
  void enter(Table& table) noexcept;

  /// Frees the blocks of a table that has no rows and is not listed. Also releases the position that is
  /// reserved for the table in the list of its rank (see RankLists).
  void free(Table& table) noexcept;

  /// Empties the list, and frees the blocks of the tables that were listed. A table with reserved rows keeps
  /// its blocks.
  void free_kept() noexcept;

 private:
  void free_kept(Table* table) noexcept;

  TableBlocks& blocks_;
  std::array<Table*, 2> kept_{};  // The table that lost its rows last is first.
};

}  // namespace strata::detail
