// Rows: the one place where rows are appended, moved and removed, and slots re-pointed.
#pragma once

#include "../core/block_pool.hpp"
#include "../core/slots.hpp"
#include "archetype.hpp"

namespace strata {

/// Changes tables. Whatever can fail happens in `reserve` and `expect`; the changes themselves cannot.
class Rows {
 public:
  Rows(Slots& slots, BlockPool& pool) : slots_(slots), pool_(pool) {}

  /// Makes room for `additional` rows beyond those expected.
  /// Errors: std::bad_alloc; the table's rows are unchanged then.
  /// Invalidates: pointers to the table's values, while its only block is below full size.
  void reserve(Table& table, std::uint32_t additional) {
    if (table.capacity_ - table.row_count_ < additional + table.expected_rows_) [[unlikely]] {
      grow(table, table.row_count_ + table.expected_rows_ + additional);
    }
  }

  /// Promises room for one more row to a later `append` or `move`, for changes of many rows that must not
  /// stop half way.
  /// Errors: std::bad_alloc; nothing has changed then.
  void expect(Table& table) {
    reserve(table, 1);
    ++table.expected_rows_;
  }

  /// Takes all promises of `expect` back.
  void forget_expected(Table& table) noexcept;

  /// Appends a row whose values are uninitialised but for the entity.
  /// Contract: there is room.
  /// Complexity: O(1).
  Place append(Table& table, Entity entity) noexcept;

  /// Moves a row to another table: shared values are moved, those without a column there are destroyed, those
  /// new there are left uninitialised.
  /// Contract: there is room.
  /// Returns: the row's new place.
  /// Invalidates: pointers to the values of this row and of the last row of its old table.
  /// Complexity: O(columns).
  Place move(Place from, Table& to) noexcept;

  /// Destroys a row's values and removes it; the table's last row moves into the hole.
  /// Complexity: O(columns).
  void erase(Place place) noexcept;

  /// Destroys all rows of a table and gives its blocks back; the slots of the rows are left alone.
  void clear(Table& table) noexcept;

 private:
  Block& allocate(Table& table, std::uint32_t rows);
  void free(Table& table, Block& block) noexcept;
  void free_blocks(Table& table) noexcept;
  void free_blocks_after(Table& table, Block& kept) noexcept;
  void grow(Table& table, std::uint32_t rows);
  void replace_only_block(Table& table, std::uint32_t rows);
  void close_hole(Place hole) noexcept;
  void drop_last_row(Table& table) noexcept;

  Slots& slots_;
  BlockPool& pool_;
};

}  // namespace strata
