// EmptyTables: the tables that keep a block although they have no rows.
#pragma once

#include <array>

#include "../tables/table.hpp"
#include "../tables/table_blocks.hpp"

namespace strata::detail {

/// A table that loses its last row keeps its first block until two more tables have lost theirs. So single
/// rows that move back and forth between tables do not allocate. This applies only to branches that are never
/// dropped. A table with reserved rows keeps all of its blocks.
class EmptyTables {
 public:
  explicit EmptyTables(TableBlocks& blocks) : blocks_(blocks) {}

  bool keeps(const Table& table) const { return &table == kept_[0] || &table == kept_[1]; }

  /// Removes a table that has a row again.
  void leave(const Table& table) noexcept;

  /// Frees the blocks of a table that has lost its last row, except for one that it may keep.
  void enter(Table& table) noexcept;

  /// Frees the blocks of an empty table, and releases its reserved position among the tables of its rank.
  void free(Table& table) noexcept;

  /// Frees the kept blocks.
  void free_kept() noexcept;

 private:
  void free_kept(Table* table) noexcept;

  TableBlocks& blocks_;
  std::array<Table*, 2> kept_{};  // The table that lost its rows last is first.
};

}  // namespace strata::detail
