// TableBlocks: allocates, links and frees the blocks of tables.
#pragma once

#include <cstdint>

#include "../../core/block_pool.hpp"
#include "table.hpp"

namespace strata::detail {

/// The memory of tables. `Rows` manages the rows in it.
class TableBlocks {
 public:
  explicit TableBlocks(BlockPool& pool) : pool_(pool) {}

  /// Allocates a block without rows, with this version. The caller links it to the table.
  /// Returns: a block with room for at least `rows` rows, which the table's capacity includes.
  /// Errors: std::bad_alloc; nothing has changed then.
  Block& allocate(Table& table, std::uint32_t rows, std::uint32_t version);

  /// Appends one more full-size block to a table.
  /// Returns: that block.
  /// Errors: std::bad_alloc; nothing has changed then.
  Block& append(Table& table, Block& last, std::uint32_t version);

  /// Frees a block that is no longer linked to its table, with the data derived from its rows.
  void free(Table& table, Block& block) noexcept;

  /// The same if the table's capacity does not include the block any more.
  void free_detached(Block& block) noexcept;

  /// Frees all blocks of a table.
  void free_all(Table& table) noexcept;

  /// Frees the blocks of a table after `kept`.
  void free_after(Table& table, Block& kept) noexcept;

  /// Allocates memory for data that a reader derives from the rows of a block. The data are invalid, and are
  /// not attached yet.
  /// Errors: std::bad_alloc.
  BlockCache& create_cache(std::size_t bytes);

  /// Attaches such memory to a block, and frees the one attached before.
  void attach(Block& block, BlockCache& cache) noexcept {
    detach(block);
    block.cache = &cache;
  }

  /// Frees the data derived from the rows of a block.
  void detach(Block& block) noexcept;

  /// Returns: the size of a block in bytes, without its cache.
  static std::size_t bytes_of(const Block& block);

 private:
  BlockPool& pool_;
};

}  // namespace strata::detail
