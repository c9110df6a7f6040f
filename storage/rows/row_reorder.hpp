// RowReorder: moves the rows of a table to new blocks, in another order.
#pragma once

#include <cstdint>
#include <span>

#include "rows.hpp"

namespace strata::detail {

/// One reordering of a table: it allocates new blocks, moves rows into them in an order that the caller chooses, and
/// replaces the old blocks. The rows come from the table itself or, if the table is empty, from other tables of the
/// same archetype. The moves are not logged: the caller has to notify readers that cache row positions.
///
/// Contract: after the first call of `take`, which moves rows, the caller goes on until `count` rows have been taken,
/// and then calls `finish`. When `finish` is called, all rows of the table itself have been taken by this or another
/// RowReorder. Nothing else changes the tables meanwhile.
class RowReorder {
 public:
  /// Allocates new blocks for `count` rows: the number of rows that the table will have after `finish`. Moves no row
  /// yet.
  /// Errors: std::bad_alloc; nothing has changed then.
  RowReorder(Rows& rows, Table& table, std::uint32_t count);
  RowReorder(const RowReorder&) = delete;
  RowReorder& operator=(const RowReorder&) = delete;
  RowReorder(RowReorder&& other) noexcept
      : rows_(other.rows_),
        table_(other.table_),
        count_(other.count_),
        first_(other.first_),
        filling_(other.filling_) {
    other.first_ = nullptr;
  }
  /// Frees the blocks that the table does not use: its old ones or, if `finish` was not called, the new ones.
  ~RowReorder();

  /// Moves rows of tables to the next free rows of the new blocks. `entities` are the indices of the entities
  /// (Entity::index), and places[i] is the row of entities[i].
  /// Contract: the rows are in old blocks of tables of the same archetype, not in new blocks of a RowReorder. All calls
  /// together take at most the `count` rows of the constructor.
  /// Complexity: O(columns * rows).
  void take(std::span<const std::uint32_t> entities, std::span<const Place> places) noexcept;

  /// Gives the table the new blocks in place of its old ones. The destructor of this object frees the old ones. If the
  /// `count` of the constructor is 0, there are no new blocks, and the rows of the table are removed.
  /// Contract: calls of `take` have moved `count` rows to the new blocks; see also the contract of the class.
  /// Invalidates: pointers to the table's values.
  void finish() noexcept;

 private:
  void free_blocks() noexcept;
  void give_back() noexcept;
  void take_into_block(std::span<const std::uint32_t> entities, std::span<const Place> places) noexcept;

  Rows& rows_;
  Table& table_;
  std::uint32_t count_;       // How many rows the table will have.
  Block* first_ = nullptr;    // The first of the new blocks or, after `finish`, of the old ones.
  Block* filling_ = nullptr;  // The block for the next row that is taken.
};

}  // namespace strata::detail
