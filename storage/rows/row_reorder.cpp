#include "row_reorder.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "../../core/compiler.hpp"
#include "../../core/rollback.hpp"
#include "row_values.hpp"

namespace strata::detail {
namespace {

/// While a column is copied, the value that is copied this many rows later is prefetched.
constexpr std::size_t kValuesAhead = 16;

void prefetch_value(const Column& column, Place place) noexcept {
  const std::byte* const value = place.block->value(column.prefix, place.row, column.size);
  prefetch_to_read(value);
  prefetch_to_read(value + column.size - 1);
}

/// Copies the values of a column from the rows `from`, which may be in any blocks and any order, to adjacent rows, the
/// first of which is `to`. `size` is the size of a value in bytes.
template <std::size_t size>
void copy_values(const Column& column, Place to, std::span<const Place> from) noexcept {
  std::byte* target = to.block->value(column.prefix, to.row, size);
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (i + kValuesAhead < from.size()) prefetch_value(column, from[i + kValuesAhead]);
    std::memcpy(target, from[i].block->value(column.prefix, from[i].row, size), size);
    target += size;
  }
}

void move_column(const Column& column, Place to, std::span<const Place> from) noexcept {
  switch (column.plain_size) {
    case 4:
      return copy_values<4>(column, to, from);
    case 8:
      return copy_values<8>(column, to, from);
    case 12:
      return copy_values<12>(column, to, from);
    case 16:
      return copy_values<16>(column, to, from);
    case 48:
      return copy_values<48>(column, to, from);
    case 64:
      return copy_values<64>(column, to, from);
    default:
      break;
  }
  std::byte* target = to.block->value(column.prefix, to.row, column.size);
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (i + kValuesAhead < from.size()) prefetch_value(column, from[i + kValuesAhead]);
    column.relocate_values(target, from[i].block->value(column.prefix, from[i].row, column.size), 1);
    target += column.size;
  }
}

}  // namespace

RowReorder::RowReorder(Rows& rows, Table& table, std::uint32_t count)
    : rows_(rows), table_(table), count_(count) {
  if (count == 0) return;
  const std::uint32_t old_capacity = table.capacity_;
  const std::uint32_t full = table.archetype().format().full_capacity();
  if (table.empty()) table.archetype().ranks_.promise(table.rank());
  Rollback undo([this] { give_back(); });
  first_ = &rows_.blocks_.allocate(table, std::min(full, count), rows_.changes().fresh_version());
  for (Block* last = first_; table.capacity_ - old_capacity < count;) {
    last = &rows_.blocks_.append(table, *last, rows_.changes().fresh_version());
  }
  filling_ = first_;
  undo.dismiss();
}

RowReorder::~RowReorder() {
  if (first_ != nullptr) give_back();
}

/// Frees the blocks that the table does not use: the new ones or, after `finish`, the old ones. If the table is empty,
/// also releases the position that the constructor has reserved for it in the list of the tables of its rank (depth of
/// its entities in the hierarchy; see RankLists).
void RowReorder::give_back() noexcept {
  if (table_.empty()) table_.archetype().ranks_.take_back(table_.rank());
  free_blocks();
}

void RowReorder::free_blocks() noexcept {
  while (first_ != nullptr) {
    Block* const next = first_->next;
    rows_.blocks_.free(table_, *first_);
    first_ = next;
  }
}

void RowReorder::take(std::span<const std::uint32_t> entities, std::span<const Place> places) noexcept {
  while (!entities.empty()) {
    if (filling_->count == filling_->capacity) filling_ = filling_->next;
    const std::size_t count = std::min<std::size_t>(entities.size(), filling_->capacity - filling_->count);
    take_into_block(entities.first(count), places.first(count));
    entities = entities.subspan(count);
    places = places.subspan(count);
  }
}

void RowReorder::take_into_block(std::span<const std::uint32_t> entities,
                                 std::span<const Place> places) noexcept {
  const BlockFormat& format = *filling_->format;
  const Place to{filling_, filling_->count};
  if (format.relocates()) {
    for (const std::uint32_t entity : entities) rows_.slots_.hide(entity);  // Until its values are complete.
  }
  for (const Column& column : format.columns()) move_column(column, to, places);
  if (format.tracks()) {
    for (std::uint32_t i = 0; i < places.size(); ++i) {
      carry_stamps({to.block, to.row + i}, places[i], 1, rows_.changes().clock().now());
    }
  }
  Entity* const named = format.entities(*filling_) + to.row;
  for (std::uint32_t i = 0; i < entities.size(); ++i) {
    named[i] = rows_.slots_.handle_of(entities[i]);
    rows_.slots_.place(entities[i], {to.block, to.row + i});
  }
  filling_->count += static_cast<std::uint32_t>(entities.size());
}

void RowReorder::finish() noexcept {
  if (count_ == 0) return rows_.retract(table_, table_.row_count_);
  const bool was_empty = table_.empty();
  std::swap(table_.first_block_, first_);
  table_.last_block_ = filling_;
  table_.row_count_ = count_;
  was_empty ? rows_.enter_rank(table_) : table_.archetype().replace_first_block(table_);
  rows_.changes().ranks().note(table_.rank());
  rows_.changes().add_one();
}

}  // namespace strata::detail
