#include "dead_rows.hpp"

#include "../tables/archetype.hpp"

namespace strata::detail {
void DeadRows::destroy_values(const Block& block, std::uint32_t first, std::uint32_t count) noexcept {
  if (count == 0) return;
  for (const Column& column : block.format->columns()) {
    column.component->destroy_values(block.value(column.prefix, first, column.size), count);
  }
}

std::string DeadRows::check_invariants(std::size_t chained) const {
  for (const Block* block = first_; block != nullptr; block = block->previous) {
    if (block->owner == nullptr) {
      if (block->count > block->capacity) return "X2: a block has more dead rows than rows";
    } else if (const Table& table = table_of(*block); !is_chained(table) || table.first_block_ != block) {
      return "X1: a block in the chain of dead rows is not the first one of a table that has some";
    } else {
      --chained;
    }
  }
  return chained == 0 ? "" : "X1: a table has dead rows and is not in their chain";
}

void DeadRows::take_last_block(Table& table) noexcept {
  Block& block = *table.last_block_;
  block.count = table.dead_rows_ / kOne;
  block.owner = nullptr;
  table.capacity_ -= block.capacity;
  if (&block == table.first_block_) {  // The block stays in the chain.
    table.first_block_ = table.last_block_ = block.next;
    if (block.next != nullptr) block.next->previous = nullptr;
    table.dead_rows_ = 0;
    return;
  }
  table.last_block_ = block.previous;
  block.previous->next = block.next;
  if (block.next != nullptr) block.next->previous = block.previous;
  table.dead_rows_ = kChained;
  chain(block);
}

void DeadRows::take_all_blocks(Table& table) noexcept {
  table.last_block_->count += table.dead_rows_ / kOne;
  Block* block = table.first_block_;
  if (table.dead_rows_ != 0) {
    block->owner = nullptr;
    block = block->next;
  }
  while (block != nullptr) {
    block->owner = nullptr;
    chain(*std::exchange(block, block->next));
  }
  table.first_block_ = table.last_block_ = nullptr;
  table.capacity_ = table.dead_rows_ = 0;
}

}  // namespace strata::detail
