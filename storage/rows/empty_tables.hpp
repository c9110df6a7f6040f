// EmptyTables: the tables that keep a block although they have no rows.
#pragma once

#include <array>

#include "../tables/table.hpp"
#include "../tables/table_blocks.hpp"

namespace strata::detail {

/// The two tables that became empty last: they keep one block each. So single rows that move back and forth
/// between tables do not allocate. Only tables of branches with `Branch::lasts` are kept. A table with
/// reserved rows keeps all of its blocks and is not listed here.
class EmptyTables {
 public:
  explicit EmptyTables(TableBlocks& blocks) : blocks_(blocks) {}

  /// Returns: whether the table is one of these two.
  bool keeps(const Table& table) const { return &table == kept_[0] || &table == kept_[1]; }

  /// Removes a table that has got a row from the list; does nothing for a table that is not listed.
  void leave(const Table& table) noexcept;

  /// Handles a table that has lost its last row: lists it and frees all blocks but the first, or frees all
  /// blocks if its branch may be dropped. The table that was listed longest loses its block.
  void enter(Table& table) noexcept;

  /// Frees the blocks of a table without rows that is not listed, and its reserved position in the rank
  /// list (see RankLists).
  void free(Table& table) noexcept;

  /// Frees the blocks of the listed tables, except those with reserved rows, and empties the list.
  void free_kept() noexcept;

 private:
  void free_kept(Table* table) noexcept;

  TableBlocks& blocks_;
  std::array<Table*, 2> kept_{};  // The table that lost its rows last is first.
};

}  // namespace strata::detail
