#include "empty_tables.hpp"

#include <utility>

#include "../tables/archetype.hpp"

namespace strata::detail {

void EmptyTables::leave(const Table& table) noexcept {
  if (kept_[0] == &table) {
    kept_ = {kept_[1], nullptr};
  } else if (kept_[1] == &table) {
    kept_[1] = nullptr;
  }
}

void EmptyTables::enter(Table& table) noexcept {
  if (table.reserved_rows_ != 0) return;
  if (table.branch().lasts == 0) return blocks_.free_all(table);
  if (table.first_block_->next != nullptr) blocks_.free_after(table, *table.first_block_);
  free_kept(kept_[1]);
  kept_ = {&table, kept_[0]};
}

void EmptyTables::free(Table& table) noexcept {
  if (table.first_block_ == nullptr) return;
  table.archetype().ranks_.take_back(table.rank());
  blocks_.free_all(table);
}

void EmptyTables::free_kept() noexcept {
  for (Table* const table : std::exchange(kept_, {})) free_kept(table);
}

void EmptyTables::free_kept(Table* table) noexcept {
  if (table == nullptr || table->reserved_rows_ != 0) return;  // The room is kept for the reserved rows.
  free(*table);
}

}  // namespace strata::detail
