// TableBlocks: allocates, links and frees the blocks of tables.
#pragma once

#include <cstdint>

#include "../../core/block_pool.hpp"
#include "table.hpp"

namespace strata::detail {

/// Allocates and frees blocks, the memory in which tables store their rows. `Rows` decides which rows a block
/// contains.
class TableBlocks {
 public:
  explicit TableBlocks(BlockPool& pool) : pool_(pool) {}

  /// Allocates a block without rows, and adds its capacity to that of the table. The caller links the block to the
  /// table. `version` is the initial value of Block::version.
  /// Returns: a block with room for at least `rows` rows.
  /// Errors: std::bad_alloc; nothing has changed then.
  Block& allocate(Table& table, std::uint32_t rows, std::uint32_t version);

  /// Allocates a full-size block without rows, adds its capacity to that of the table, and links it after `last`, a
  /// block of this table that has no next one. `version` is the initial value of the new block's Block::version.
  /// Returns: the new block.
  /// Errors: std::bad_alloc; nothing has changed then.
  Block& append(Table& table, Block& last, std::uint32_t version);

  /// Frees a block that is no longer linked to its table, together with its cache (see BlockCache), and
  /// subtracts the block's capacity from the table's.
  void free(Table& table, Block& block) noexcept;

  /// Frees a block that belongs to no table any more, together with its cache (see BlockCache).
  void free_detached(Block& block) noexcept;

  /// Frees all blocks of a table.
  void free_all(Table& table) noexcept;

  /// Frees the blocks that come after `kept` in the linked list of a table's blocks.
  void free_after(Table& table, Block& kept) noexcept;

  /// Allocates a cache for a block: memory for data that a reader computes from the block's rows. `bytes` is
  /// the size of these data and of the BlockCache, which is their header.
  /// Returns: the cache. It is attached to no block yet, and its data are marked as invalid.
  /// Errors: std::bad_alloc.
  BlockCache& create_cache(std::size_t bytes);

  /// Makes `cache` the cache of a block, and frees the cache that the block had before.
  void attach(Block& block, BlockCache& cache) noexcept {
    detach(block);
    block.cache = &cache;
  }

  /// Frees the cache of a block, if it has one.
  void detach(Block& block) noexcept;

  /// Returns: the size of a block in bytes, without its cache.
  static std::size_t bytes_of(const Block& block);

 private:
  BlockPool& pool_;
};

}  // namespace strata::detail
