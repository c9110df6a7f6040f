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
  /// table. `version` is the initial value of Block::version, which changes whenever a row gets or loses its entity.
  /// Returns: a block with room for at least `rows` rows.
  /// Errors: std::bad_alloc; nothing has changed then.
  Block& allocate(Table& table, std::uint32_t rows, std::uint32_t version);

  /// Allocates a full-size block without rows, adds its capacity to that of the table, and links it after `last`, a
  /// block of this table that has no next one. `version` is the initial value of the new block's Block::version.
  /// Returns: the new block.
  /// Errors: std::bad_alloc; nothing has changed then.
  Block& append(Table& table, Block& last, std::uint32_t version);

  /// Moves the empty block `block` to the position before the last block with rows, in the linked list of the table's
  /// blocks. The caller then fills `block` completely. The last block with rows stays behind it, because only the last
  /// one may be partly filled (see invariant T1 of Table).
  /// Contract: the table has rows, and `block` is the next block after the last block with rows.
  static void move_before_last(Table& table, Block& block) noexcept;

  /// Unlinks a block from its table and frees the block. The caller has removed the rows of the block.
  /// Contract: the table has other rows, and the block is not the last one with rows.
  void remove(Table& table, Block& block) noexcept;

  /// Returns: whether `exchange` can exchange `own`, a block of this world, with `other`, a block of the world of
  /// `others`. The blocks must have the same size and alignment, and come from the same memory resource. Each block
  /// must be an allocation of its own, so it must not be small: BlockPool cuts small blocks from larger allocations.
  bool can_exchange(const Block& own, const TableBlocks& others, const Block& other) const noexcept;
  /// Exchanges two blocks of different worlds: `own`, a block of this world, and `other`, a block of the world of
  /// `others`. Each of the two blocks replaces the other one in its table. The values stay in their block, so they
  /// change worlds without being copied.
  /// Contract: `can_exchange` returns true, the formats have the same columns at the same places, both blocks have
  /// rows, and no component has change tracking.
  void exchange(Block& own, TableBlocks& others, Block& other) noexcept;

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
  static void relink(const Block& old, Block& block) noexcept;

  BlockPool& pool_;
};

}  // namespace strata::detail
