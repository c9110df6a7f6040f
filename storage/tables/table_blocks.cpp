#include "table_blocks.hpp"

#include <algorithm>
#include <utility>

#include "archetype.hpp"

namespace strata::detail {

Block& TableBlocks::allocate(Table& table, std::uint32_t rows, std::uint32_t version) {
  const BlockFormat& format = table.archetype().format();
  const std::size_t header = format.header_bytes();
  const std::size_t bytes = BlockPool::rounded(header + std::size_t{format.row_bytes()} * rows);
  void* memory = pool_.allocate(bytes, format.alignment());
  auto* block = ::new (memory) Block{};
  block->format = &format;
  block->columns = static_cast<std::byte*>(memory) + header;
  block->owner = &table;
  block->label = table.branch().label;
  std::fill_n(block->stamps(), format.tracked().size(), 0);
  block->version = version;
  // BlockPool rounds sizes up. The block gets as many rows as fit into the rounded size, at least `rows`.
  block->capacity = static_cast<std::uint32_t>((bytes - header) / format.row_bytes());
  table.capacity_ += block->capacity;
  return *block;
}

Block& TableBlocks::append(Table& table, Block& last, std::uint32_t version) {
  Block& block = allocate(table, table.archetype().format().full_capacity(), version);
  block.previous = &last;
  last.next = &block;
  return block;
}

void TableBlocks::move_before_last(Table& table, Block& block) noexcept {
  Block& last = *table.last_block_;
  last.next = block.next;
  if (block.next != nullptr) block.next->previous = &last;
  block.next = &last;
  if (&last == table.first_block_) {
    block.previous = nullptr;
    table.first_block_ = &block;
    table.archetype().replace_first_block(table);
  } else {
    block.previous = last.previous;
    last.previous->next = &block;
  }
  last.previous = &block;
}

void TableBlocks::remove(Table& table, Block& block) noexcept {
  if (&block == table.first_block_) {
    table.first_block_ = block.next;
    block.next->previous = nullptr;
    table.archetype().replace_first_block(table);
  } else {
    block.previous->next = block.next;
    block.next->previous = block.previous;
  }
  free(table, block);
}

bool TableBlocks::can_exchange(const Block& own, const TableBlocks& others,
                               const Block& other) const noexcept {
  return bytes_of(own) == bytes_of(other) && own.format->alignment() == other.format->alignment() &&
         pool_.can_exchange(others.pool_, bytes_of(own));
}

void TableBlocks::exchange(Block& own, TableBlocks& others, Block& other) noexcept {
  pool_.exchange(&own, others.pool_, &other, bytes_of(own));
  std::swap(own, other);
  std::swap(own.columns, other.columns);
  relink(own, other);
  relink(other, own);
}

/// Called by `exchange` after it has swapped the headers of two blocks, once for each header: this header has moved
/// from `old` to `block`. Changes the pointers to the header, in its table and in the neighbouring blocks, from `old`
/// to `block`.
void TableBlocks::relink(const Block& old, Block& block) noexcept {
  Table& table = table_of(block);
  if (block.next != nullptr) block.next->previous = &block;
  if (table.last_block_ == &old) table.last_block_ = &block;
  if (table.first_block_ != &old) {
    block.previous->next = &block;
    return;
  }
  table.first_block_ = &block;
  table.archetype().replace_first_block(table);
}

void TableBlocks::free(Table& table, Block& block) noexcept {
  table.capacity_ -= block.capacity;
  free_detached(block);
}

void TableBlocks::free_detached(Block& block) noexcept {
  detach(block);
  pool_.deallocate(&block, bytes_of(block), block.format->alignment());
}

void TableBlocks::free_all(Table& table) noexcept {
  if (table.first_block_ == nullptr) return;
  free_after(table, *table.first_block_);
  free(table, *table.first_block_);
  table.first_block_ = nullptr;
  table.last_block_ = nullptr;
}

void TableBlocks::free_after(Table& table, Block& kept) noexcept {
  for (Block* block = kept.next; block != nullptr;) {
    Block* const next = block->next;
    free(table, *block);
    block = next;
  }
  kept.next = nullptr;
}

BlockCache& TableBlocks::create_cache(std::size_t bytes) {
  void* const memory = pool_.allocate(bytes);
  return *::new (memory) BlockCache{static_cast<std::uint32_t>(BlockPool::rounded(bytes)), false};
}

void TableBlocks::detach(Block& block) noexcept {
  if (block.cache != nullptr) pool_.deallocate(block.cache, block.cache->bytes);
  block.cache = nullptr;
}

std::size_t TableBlocks::bytes_of(const Block& block) {
  // A block has as many rows as fit into the rounded size of its allocation. So rounding the bytes that these rows and
  // the header take gives the size of the allocation.
  return BlockPool::rounded(block.format->header_bytes() +
                            std::size_t{block.format->row_bytes()} * block.capacity);
}

}  // namespace strata::detail
