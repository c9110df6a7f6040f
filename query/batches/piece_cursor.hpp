// PieceCursor: walks only some pieces of the tables that a query visits, such as the pieces that one thread visits.
#pragma once

#include <cstdint>
#include <span>

#include "../../core/compiler.hpp"
#include "../matching/matcher.hpp"

namespace strata::detail {

/// Some of the rows that a query visits: several whole tables of one archetype and rank (depth of the entities), or
/// some rows of one block of a table.
struct TablePiece {
  std::span<Block* const> tables;  ///< The list: the first block of each table of one archetype and rank.
  std::uint32_t match;             ///< The index of the archetype in Matcher::matches.
  std::uint32_t rank;
  std::uint32_t table;      ///< The piece's first table, as an index in the list.
  std::uint32_t table_end;  ///< The index after the piece's last table.
  const Block* block;  ///< Null: whole tables. Otherwise the rows from `row` up to `row_end` of this block.
  std::uint32_t row;
  std::uint32_t row_end;
};

/// Visits the blocks of the pieces in a list, in the order of the list. A PieceCursor has the functions of BlockCursor,
/// but visits only the rows of its pieces.
/// Contract: the pieces were made from tables that match the query of the constructor's Matcher. They outlive the
/// cursor. There is no structural change while the cursor is in use.
class PieceCursor {
 public:
  using Where = std::span<const TablePiece>;
  static constexpr bool kWholeBlocks = false;

  PieceCursor(const Matcher&, Where pieces) : pieces_(pieces) {}

  /// Goes to the next block that has rows of a piece. The first call goes to the first such block.
  /// Returns: false if no such block is left.
  bool next() {
    if (block_ != nullptr) block_ = piece_->block == nullptr ? block_->next : nullptr;
    if ((block_ == nullptr || block_->count == 0) && !next_table()) return false;
    first_row_ = piece_->block != nullptr ? piece_->row : 0;
    end_row_ = piece_->block != nullptr ? piece_->row_end : block_->count;
    return true;
  }

  const Block& block() const { return *block_; }
  std::size_t match() const { return piece_->match; }
  std::uint32_t rank() const { return piece_->rank; }
  /// `tables` returns the first block of each table that has the archetype and the rank of the current piece. `table`
  /// returns the index of the current table in this list. The rows to visit in the current block are those from
  /// `first_row` up to, but without, `end_row`.
  std::span<Block* const> tables() const { return piece_->tables; }
  std::size_t table() const { return table_; }
  std::uint32_t first_row() const { return first_row_; }
  std::uint32_t end_row() const { return end_row_; }

 private:
  bool next_table() {
    if (piece_ == nullptr || ++table_ == piece_->table_end) {
      if (pieces_.empty()) return false;
      piece_ = &pieces_.front();
      pieces_ = pieces_.subspan(1);
      table_ = piece_->table;
    }
    block_ = piece_->block != nullptr ? piece_->block : piece_->tables[table_];
    if (table_ + 1 < piece_->table_end) prefetch_to_read(piece_->tables[table_ + 1]);
    return true;
  }

  Where pieces_;  // The pieces after the current one.
  const TablePiece* piece_ = nullptr;
  std::size_t table_ = 0;
  const Block* block_ = nullptr;
  std::uint32_t first_row_ = 0;
  std::uint32_t end_row_ = 0;
};

}  // namespace strata::detail
