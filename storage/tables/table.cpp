#include "table.hpp"

#include "../changes/write_stamps.hpp"
#include "archetype.hpp"

namespace strata::detail {

std::uint32_t Table::block_count() const {
  std::uint32_t count = 0;
  for (const Block* block = first_block_; block != nullptr; block = block->next) ++count;
  return count;
}

std::string Table::check_invariants(bool at_rest) const {
  std::uint64_t rows = 0;
  std::uint64_t capacity = 0;
  bool past_last = false;
  const std::uint32_t blocks = block_count();
  const Block* previous = nullptr;
  for (const Block* block = first_block_; block != nullptr; block = block->next) {
    if (block->owner != this || block->format != &archetype_->format() ||
        (block != first_block_ && block->previous != previous)) {
      return "T1: a block is not linked to its table";
    }
    if (past_last ? block->count != 0 : block != last_block_ && block->count != block->capacity) {
      return "T1: blocks are not filled front to back";
    }
    if (blocks > 1 && block->capacity < archetype_->format().full_capacity()) {
      return "T3: a table of several blocks has a small one";
    }
    if (has_stray_stamp(*block)) return "T5: a row was written after its block";
    past_last = past_last || block == last_block_;
    rows += block->count;
    capacity += block->capacity;
    previous = block;
  }
  if (rows != row_count_ || capacity != capacity_) return "T2: rows or capacities do not add up";
  if (at_rest && row_count_ == 0 && first_block_ != nullptr && (branch_->lasts == 0 || blocks != 1)) {
    return "T4: an empty table keeps blocks";
  }
  if (reserved_rows_ != 0) return "T2: room was promised and never used";
  return "";
}

}  // namespace strata::detail
