// The part of Rows that appends, removes and exchanges all rows of a block at once.
#include <algorithm>

#include "rows.hpp"

namespace strata::detail {

/// The first step of `append_block`: appends as many rows as a full-size block has, all of them in one block. Their
/// values and entities are uninitialised.
/// Returns: the new rows.
/// Contract: that of `append_block`.
RowRun Rows::open_block(Table& table) noexcept {
  Block* block = table.last_block_;
  if (block->count == block->capacity) {
    table.last_block_ = block = block->next;
  } else if (block->count != 0) {
    block = block->next;
    TableBlocks::move_before_last(table, *block);
  }
  add_rows(table, *block, block->capacity);
  return {block, 0, block->capacity};
}

void Rows::retract_block(Block& block) noexcept {
  Table& table = table_of(block);
  if (&block == table.last_block_) return drop_last_rows(table, block.count);
  // If the table has dead rows (removed rows whose values still exist), they are found through its first block (see
  // DeadRows). `block` may be that first block, so it is not freed; the last rows of the table fill it instead.
  if (DeadRows::is_chained(table)) return close_hole({&block, 0}, block.count);
  changes_.touch(block);
  table.row_count_ -= block.count;
  blocks_.remove(table, block);
}

bool Rows::can_exchange(const Block& own, const Rows& others, const Block& other) const noexcept {
  const auto is_free = [](const Block& block) {
    return block.count == block.capacity && !block.format->tracks() && !DeadRows::is_chained(table_of(block));
  };
  return own.capacity == other.capacity && is_free(own) && is_free(other) &&
         blocks_.can_exchange(own, others.blocks_, other);
}

void Rows::exchange_block(Block& own, Rows& others, Block& other) noexcept {
  blocks_.exchange(own, others.blocks_, other);
  Entity* const entities = own.format->entities(own);
  std::swap_ranges(entities, entities + own.count, other.format->entities(other));
  place_rows(other);
  others.place_rows(own);
}

/// Stores the places of the rows of a block in the slots of their entities (the records of where their rows are), and
/// logs these entities as moved (see MoveLog).
void Rows::place_rows(Block& block) noexcept {
  const std::span<const Entity> entities = entities_of({&block, 0, block.count});
  slots_.place_all(entities, {&block, 0});
  for (const Entity entity : entities) changes_.moved().record(entity.index());
  changes_.touch(block);
  // A freed block of this world may have had the same address. The new version prevents readers that remember the
  // freed block from mistaking this block for it.
  block.version = changes_.fresh_version();
}

}  // namespace strata::detail
