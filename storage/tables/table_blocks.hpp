// TableBlocks: allocates the blocks of tables, chains them, and gives them back.
#pragma once

#include <cstdint>

#include "../../core/block_pool.hpp"
#include "table.hpp"

namespace strata::detail {

/// The memory of tables: which rows are in it is the business of `Rows`.
class TableBlocks {
 public:
  explicit TableBlocks(BlockPool& pool) : pool_(pool) {}

  /// Makes a block without rows, of that version; it is the caller's to chain.
  /// Returns: a block with room for `rows` rows at least, counted in the table's capacity.
  /// Errors: std::bad_alloc; nothing has changed then.
  Block& allocate(Table& table, std::uint32_t rows, std::uint32_t version);

  /// Chains one more block of full size behind a table's last one.
  /// Returns: that block.
  /// Errors: std::bad_alloc; nothing has changed then.
  Block& append(Table& table, Block& last, std::uint32_t version);

  /// Gives back a block that is no longer in its table's chain, with what was derived from its rows.
  void free(Table& table, Block& block) noexcept;

  /// The same, where the table does not count the block any more.
  void free_detached(Block& block) noexcept;

  /// Gives back all blocks of a table.
  void free_all(Table& table) noexcept;

  /// Gives back the blocks behind one of a table.
  void free_after(Table& table, Block& kept) noexcept;

  /// Gives memory for what a reader derives from the rows of a block, to be attached to it. It is void.
  /// Errors: std::bad_alloc.
  Companion& create_companion(std::size_t bytes);

  /// Gives a block such memory in place of what it had.
  void attach(Block& block, Companion& companion) noexcept {
    detach(block);
    block.companion = &companion;
  }

  /// Gives back what was derived from the rows of a block.
  void detach(Block& block) noexcept;

  /// Returns: the bytes that a block takes, without its companion.
  static std::size_t bytes_of(const Block& block);

 private:
  BlockPool& pool_;
};

}  // namespace strata::detail
