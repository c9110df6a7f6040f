// EmptyTables: which tables without rows keep a block.
#pragma once

#include <array>

#include "../tables/table.hpp"
#include "../tables/table_blocks.hpp"

namespace strata::detail {

/// A table that loses its last row keeps its first block until two others have lost theirs, so that rows that go to and
/// fro between tables, one by one, do not allocate; in branches that last only. A table that has been promised rows keeps
/// all of its blocks.
class EmptyTables {
 public:
  explicit EmptyTables(TableBlocks& blocks) : blocks_(blocks) {}

  bool keeps(const Table& table) const { return &table == kept_[0] || &table == kept_[1]; }

  /// Notes that a table has a row again.
  void leave(const Table& table) noexcept;

  /// Gives back the blocks of a table that has lost its last row, but for one that it may keep.
  void enter(Table& table) noexcept;

  /// Gives back the blocks of a table without rows, and its promised place among the tables of its rank.
  void free(Table& table) noexcept;

  /// Gives back what is kept.
  void free_kept() noexcept;

 private:
  void free_kept(Table* table) noexcept;

  TableBlocks& blocks_;
  std::array<Table*, 2> kept_{};  // The last one to lose its rows is first.
};

}  // namespace strata::detail
