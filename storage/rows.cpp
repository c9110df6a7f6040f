#include "rows.hpp"

#include <algorithm>

#include "../core/contract.hpp"

namespace strata {
namespace {

constexpr std::uint32_t kFirstCapacity = 4;

std::byte* value_at(const Block& block, const Column& column, std::uint32_t row) {
  return block.value(column.prefix, row, column.size);
}

/// The header, padded so that the first column is aligned.
std::size_t header_bytes(const ColumnLayout& layout) {
  return std::max<std::size_t>(sizeof(Block), layout.alignment());
}

}  // namespace

Block& Rows::allocate(Table& table, std::uint32_t rows) {
  const ColumnLayout& layout = table.archetype().layout();
  const std::size_t header = header_bytes(layout);
  const std::size_t bytes = BlockPool::rounded(header + std::size_t{layout.row_bytes()} * rows);
  void* memory = pool_.allocate(bytes, layout.alignment());
  auto* block = ::new (memory) Block{};
  block->layout = &layout;
  block->columns = static_cast<std::byte*>(memory) + header;
  block->owner = &table;
  // What the pool's size class leaves over becomes rows.
  block->capacity = static_cast<std::uint32_t>((bytes - header) / layout.row_bytes());
  block->bytes = bytes;
  table.capacity_ += block->capacity;
  return *block;
}

void Rows::free(Table& table, Block& block) noexcept {
  table.capacity_ -= block.capacity;
  pool_.deallocate(&block, block.bytes, table.archetype().layout().alignment());
}

void Rows::grow(Table& table, std::uint32_t rows) {
  STRATA_EXPECTS(rows > table.row_count_, "a table cannot hold more than 4,294,967,295 rows");
  const std::uint32_t full = table.archetype().layout().full_capacity();
  Block* tail = table.first_block_;
  if (tail == nullptr || tail->capacity < full) {
    const std::uint32_t doubled = tail == nullptr ? kFirstCapacity : tail->capacity * 2;
    replace_only_block(table, std::min(full, std::max(rows, doubled)));
  }
  for (tail = table.first_block_; tail->next != nullptr;) tail = tail->next;
  while (table.capacity_ < rows) {
    Block& block = allocate(table, full);
    block.previous = tail;
    tail->next = &block;
    tail = &block;
  }
}

void Rows::replace_only_block(Table& table, std::uint32_t rows) {
  Block& block = allocate(table, rows);
  Block* const old = table.first_block_;
  table.first_block_ = &block;
  table.last_block_ = &block;
  if (old == nullptr) return;

  for (const Column& column : block.layout->columns()) {
    column.component->relocate_values(block.column(column.prefix), old->column(column.prefix), old->count);
  }
  const Entity* const moved = block.layout->entities(*old);
  std::copy_n(moved, old->count, block.layout->entities(block));
  block.count = old->count;
  for (std::uint32_t row = 0; row < block.count; ++row) slots_.place(moved[row].index(), {&block, row});
  free(table, *old);
}

Place Rows::append(Table& table, Entity entity) noexcept {
  Block* block = table.last_block_;
  if (block->count == block->capacity) table.last_block_ = block = block->next;
  const std::uint32_t row = block->count++;
  block->layout->entities(*block)[row] = entity;
  slots_.place(entity.index(), {block, row});
  if (table.row_count_++ == 0) table.archetype().enter_rank(table);
  if (table.expected_rows_ != 0) --table.expected_rows_;
  return {block, row};
}

Place Rows::move(Place from, Table& to) noexcept {
  const ColumnLayout& source = *from.block->layout;
  const Place place = append(to, source.entities(*from.block)[from.row]);
  const ColumnLayout& target = *place.block->layout;
  for (const Column& column : source.columns()) {
    std::byte* const value = value_at(*from.block, column, from.row);
    const std::uint32_t prefix = target.prefix_of(column.id);
    if (prefix == ColumnLayout::kAbsent) {
      column.component->destroy_values(value, 1);
    } else {
      column.component->relocate_values(place.block->value(prefix, place.row, column.size), value, 1);
    }
  }
  close_hole(from);
  return place;
}

void Rows::erase(Place place) noexcept {
  for (const Column& column : place.block->layout->columns()) {
    column.component->destroy_values(value_at(*place.block, column, place.row), 1);
  }
  close_hole(place);
}

void Rows::close_hole(Place hole) noexcept {
  Table& table = table_of(*hole.block);
  Block& last_block = *table.last_block_;
  const std::uint32_t last_row = last_block.count - 1;
  if (hole.block != &last_block || hole.row != last_row) {
    const ColumnLayout& layout = *last_block.layout;
    for (const Column& column : layout.columns()) {
      column.component->relocate_values(value_at(*hole.block, column, hole.row),
                                        value_at(last_block, column, last_row), 1);
    }
    const Entity moved = layout.entities(last_block)[last_row];
    layout.entities(*hole.block)[hole.row] = moved;
    slots_.place(moved.index(), hole);
  }
  drop_last_row(table);
}

void Rows::drop_last_row(Table& table) noexcept {
  Block& block = *table.last_block_;
  --block.count;
  --table.row_count_;
  if (table.row_count_ == 0) {
    table.archetype().leave_rank(table);
    table.last_block_ = table.first_block_;
    if (table.expected_rows_ == 0) free_blocks(table);
  } else if (block.count == 0) {
    // One empty block stays, so that a row coming and going at the edge does not allocate.
    table.last_block_ = block.previous;
    if (table.expected_rows_ == 0) free_blocks_after(table, block);
  }
}

void Rows::clear(Table& table) noexcept {
  if (table.empty()) return;
  table.archetype().leave_rank(table);
  for (Block* block = table.first_block_; block != nullptr; block = block->next) {
    for (const Column& column : block->layout->columns()) {
      column.component->destroy_values(block->column(column.prefix), block->count);
    }
  }
  table.row_count_ = 0;
  free_blocks(table);
}

void Rows::forget_expected(Table& table) noexcept {
  table.expected_rows_ = 0;
  if (table.empty()) free_blocks(table);
}

void Rows::free_blocks(Table& table) noexcept {
  if (table.first_block_ == nullptr) return;
  free_blocks_after(table, *table.first_block_);
  free(table, *table.first_block_);
  table.first_block_ = nullptr;
  table.last_block_ = nullptr;
}

void Rows::free_blocks_after(Table& table, Block& kept) noexcept {
  for (Block* block = kept.next; block != nullptr;) {
    Block* const next = block->next;
    free(table, *block);
    block = next;
  }
  kept.next = nullptr;
}

}  // namespace strata
