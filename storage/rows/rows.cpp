#include "rows.hpp"

#include <algorithm>
#include <utility>

#include "../../core/contract.hpp"
#include "../../core/rollback.hpp"
#include "row_values.hpp"

namespace strata::detail {

namespace {

/// Returns: the new capacity, in rows, of a table whose only block is full at `capacity` rows. A world may have a table
/// for the children of each parent. Most of these tables are small, and faster growth would leave most of their memory
/// unused.
std::uint32_t next_capacity(std::uint32_t capacity) {
  if (capacity < 8) return capacity + (capacity + 1) / 2;
  return capacity < 64 ? capacity + capacity / 4 : capacity * 2;
}

std::byte* value_at(const Block& block, const Column& column, std::uint32_t row) {
  return block.value(column.prefix, row, column.size);
}

}  // namespace

void Rows::grow(Table& table, std::uint32_t rows) {
  STRATA_EXPECTS(rows > table.row_count_,
                 "a table cannot hold more than " + std::to_string(~std::uint32_t{0}) + " rows");
  changes_.reserve(slots_.size(), table.rank());
  const BlockFormat& format = table.archetype().format();
  if (format.destroys()) {
    swap_space_.reserve(format);
    removed_.reserve(format);
  }
  const std::uint32_t full = format.full_capacity();
  if (table.first_block_ == nullptr) {
    add_first_block(table, std::min(full, rows));
  } else if (table.first_block_->capacity < full) {
    const std::uint32_t next = next_capacity(table.first_block_->capacity);
    replace_only_block(table, std::min(full, std::max(rows, next)));
  }
  Block* tail = table.first_block_;
  while (tail->next != nullptr) tail = tail->next;
  while (table.capacity_ < rows) tail = &blocks_.append(table, *tail, changes_.fresh_version());
}

/// Allocates the first block of a table, with room for `rows` rows, and reserves a position for the table in the list
/// of the tables of its rank (depth of its entities in the hierarchy; see RankLists).
/// Errors: std::bad_alloc; nothing has changed then.
void Rows::add_first_block(Table& table, std::uint32_t rows) {
  table.archetype().ranks_.promise(table.rank());
  Rollback take_back([&] { table.archetype().ranks_.take_back(table.rank()); });
  table.first_block_ = table.last_block_ = &blocks_.allocate(table, rows, changes_.fresh_version());
  take_back.dismiss();
}

void Rows::replace_only_block(Table& table, std::uint32_t rows) {
  Block& block = blocks_.allocate(table, rows, changes_.fresh_version());
  Block* const old = table.first_block_;
  table.first_block_ = &block;
  table.last_block_ = &block;

  if (block.format->relocates()) hide_rows({old, 0}, old->count);
  {
    const ChangeGuard::MovingIf moving(guard_, block.format->relocates());
    for (const Column& column : block.format->columns()) {
      column.relocate_values(block.column(column.prefix), old->column(column.prefix), old->count);
    }
  }
  const Entity* const moved = block.format->entities(*old);
  std::copy_n(moved, old->count, block.format->entities(block));
  block.count = old->count;
  changes_.carry_stamps({&block, 0}, {old, 0}, old->count);
  for (std::uint32_t row = 0; row < block.count; ++row) {
    slots_.place(moved[row].index(), {&block, row});
    changes_.moved().record(moved[row].index());
  }
  blocks_.free(table, *old);
  // The replacement of the block is counted as a change here, and not by the caller: readers may have kept the address
  // of the old block, and the caller may still fail and add no row.
  changes_.add_one();
  if (!table.empty()) table.archetype().replace_first_block(table);
}

std::uint32_t Rows::shrink(Table& table) {
  if (table.first_block_ == nullptr) return 0;
  blocks_.free_after(table, *table.last_block_);
  for (Block* block = table.first_block_; block != nullptr; block = block->next) {
    if (block->cache != nullptr && !block->cache->valid) blocks_.detach(*block);
  }
  const Block& only = *table.first_block_;
  const BlockFormat& format = *only.format;
  const std::size_t needed = format.header_bytes() + std::size_t{format.row_bytes()} * only.count;
  if (only.next != nullptr || only.count == 0 || BlockPool::rounded(needed) >= TableBlocks::bytes_of(only))
    return 0;
  replace_only_block(table, only.count);
  return table.row_count_;
}

/// Appends up to `most` rows: as many as fit into Table::last_block_ or, if that block is full, into the block after
/// it. Their values and entities are uninitialised. If room for rows is reserved in the table (see `reserve`), uses
/// this room.
/// Returns: the new rows.
/// Contract: the table has room for at least one row; see `ensure_room`.
RowRun Rows::open_run(Table& table, std::uint32_t most) noexcept {
  Block* block = table.last_block_;
  if (block->count == block->capacity) table.last_block_ = block = block->next;
  const RowRun run{block, block->count, std::min(most, block->capacity - block->count)};
  add_rows(table, *block, run.count);
  return run;
}

/// Adds `count` to the numbers of rows of a block and of its table. If room for rows is reserved in the table, the new
/// rows take this room.
void Rows::add_rows(Table& table, Block& block, std::uint32_t count) noexcept {
  block.count += count;
  changes_.touch(block);
  if (table.row_count_ == 0) enter_rank(table);
  table.row_count_ += count;
  table.reserved_rows_ -= std::min(table.reserved_rows_, count);
}

void Rows::retract(Table& table, std::uint32_t count) noexcept {
  while (count != 0) {
    const std::uint32_t dropped = std::min(count, table.last_block_->count);
    drop_last_rows(table, dropped);
    count -= dropped;
  }
}

/// Moves `count` adjacent rows, from `from` on, to the rows from `to` on: the entities, the values, and the times of
/// the last writes. Updates the slots of the entities (the records of where their rows are), and logs the entities as
/// moved. `Columns` is the class that finds the columns of the new rows: SameColumns if both rows have the same
/// columns, otherwise SharedColumns. Values without a column in the new rows are not moved.
template <class Columns>
void Rows::relocate_rows(Place to, Place from, std::uint32_t count) noexcept {
  const BlockFormat& format = *from.block->format;
  if (format.relocates()) hide_rows(from, count);
  {
    const ChangeGuard::MovingIf moving(guard_, format.relocates());
    Columns columns(*to.block->format);
    for (const Column& column : format.columns()) {
      const Column* const there = columns.find(column);
      if (there == nullptr) continue;
      column.relocate_values(value_at(*to.block, *there, to.row), value_at(*from.block, column, from.row),
                             count);
    }
  }
  changes_.carry_stamps(to, from, count);
  rename_rows(to, from, count);
}
template void Rows::relocate_rows<SharedColumns>(Place to, Place from, std::uint32_t count) noexcept;

/// Copies the entities of moved rows to the new rows, updates the slots of these entities (the records of where their
/// rows are), and logs the entities as moved (see MoveLog).
void Rows::rename_rows(Place to, Place from, std::uint32_t count) noexcept {
  const Entity* const source = from.block->format->entities(*from.block) + from.row;
  Entity* const target = to.block->format->entities(*to.block) + to.row;
  for (std::uint32_t i = 0; i < count; ++i) {
    target[i] = source[i];
    slots_.place(source[i].index(), {to.block, to.row + i});
    changes_.moved().record(source[i].index());
  }
}

RowRun Rows::move_run(Place from, std::uint32_t count, Table& to) noexcept {
  const RowRun run = open_run(to, count);
  relocate_rows<SameColumns>({run.block, run.row}, from, run.count);
  close_hole(from, run.count);
  return run;
}

Place Rows::move(Place from, Table& to) noexcept {
  const BlockFormat& source = *from.block->format;
  Table& table = table_of(*from.block);
  const Place last = last_row(table);
  const Entity entity = source.entities(*from.block)[from.row];
  const Place place = open_row(to);
  place.block->format->entities(*place.block)[place.row] = entity;
  slots_.place(entity.index(), place);
  if (source.has_objects()) [[unlikely]] {
    move_objects(place, from, last);
  } else if (place.block->format == &source) {
    move_row<SameColumns>(place, from, last, LeaveRemoved());
  } else {
    move_row<SharedColumns>(place, from, last, LeaveRemoved());
  }
  changes_.carry_stamps(place, from, 1);
  changes_.moved().record(entity.index());
  drop_hole(table, from, last);
  return place;
}

/// The part of `move` that moves the values, if moving or destroying them may run user code. Moves values from the row
/// `from` to the row `to`. Then moves those of `last`, the last row of the old table, to `from`, unless `from` is that
/// row. Values that have no column in the new table go to `removed_`, and are destroyed after the moves (see `move`).
/// Until the moves are complete, look-ups do not find the entities of the moved rows.
void Rows::move_objects(Place to, Place from, Place last) noexcept {
  const BlockFormat& source = *from.block->format;
  const BlockFormat& target = *to.block->format;
  hide(to);
  hide(last);
  {
    const ChangeGuard::Moving moving(guard_);
    move_row<SharedColumns>(to, from, last,
                            [this](const Column& column, void* value) { removed_.take(column, value); });
  }
  slots_.place(target.entities(*to.block)[to.row].index(), to);
  if (last.block != from.block || last.row != from.row) {
    slots_.place(source.entities(*last.block)[last.row].index(), from);
  }
  if (removed_.mark_moved(source, target)) mark_dead();
}

/// Hides the entity of a row from look-ups while its values are being moved. `Slots::place` makes it visible
/// again. Does nothing if look-ups do not find the entity anyway.
void Rows::hide(Place place) noexcept {
  const Entity entity = place.block->format->entities(*place.block)[place.row];
  if (slots_.alive(entity)) slots_.hide(entity.index());
}

void Rows::hide_rows(Place first, std::uint32_t count) noexcept {
  for (; count != 0; --count, ++first.row) hide(first);
}

void Rows::erase(Place first, std::uint32_t count) noexcept {
  if (!first.block->format->destroys()) return close_hole(first, count);
  // Rows are removed from the last to the first, so that a row that fills a hole is never one of the rows to
  // be removed.
  while (count-- != 0) bury({first.block, first.row + count});
  mark_dead();
}

void Rows::erase_object(Place place) noexcept {
  bury(place);
  mark_dead();
}

/// Removes the row at `place` from its table, after exchanging it with the last row of the table. The values
/// of the removed row are destroyed later; see DeadRows.
void Rows::bury(Place place) noexcept {
  Table& table = table_of(*place.block);
  const Place last = last_row(table);
  if (place.block != last.block || place.row != last.row) {
    hide(place);
    hide(last);
    const ChangeGuard::Moving moving(guard_);
    swap_space_.swap_values(place, last);
  }
  dead_.add(table);
  drop_hole(table, place, last);
}

/// Notifies the ChangeGuard that there are removed values, so that they are destroyed when the current change ends. If
/// this object was made without a ChangeGuard, destroys them at once.
void Rows::mark_dead() noexcept {
  waits_ ? guard_.mark_dead() : destroy_dead();
}

void Rows::destroy_dead() noexcept {
  removed_.destroy();
  dead_.destroy([this](Table& table) { empty_.enter(table); });
}

/// Removes the row `hole`, whose values have been destroyed or moved away: moves the last row of its table to the place
/// `hole`. If `hole` is the last row, only removes it.
void Rows::close_hole(Place hole) noexcept {
  Table& table = table_of(*hole.block);
  const Place last = last_row(table);
  if (hole.block != last.block || hole.row != last.row) {
    const bool relocates = hole.block->format->relocates();
    if (relocates) [[unlikely]] {
      hide(hole);
      hide(last);
    }
    const ChangeGuard::MovingIf moving(guard_, relocates);
    fill_hole(hole, last);
  }
  drop_hole(table, hole, last);
}

/// Removes `count` adjacent rows of a block, the first of which is `hole`. The values of these rows have been destroyed
/// or moved away. The last `count` rows of the table move to the freed places; if fewer rows come after the removed
/// ones, only these move.
void Rows::close_hole(Place hole, std::uint32_t count) noexcept {
  Table& table = table_of(*hole.block);
  changes_.touch(*hole.block);
  while (count != 0) {
    Block& last = *table.last_block_;
    const bool in_last = hole.block == &last;
    const std::uint32_t behind = in_last ? last.count - hole.row - count : last.count;
    const std::uint32_t filled = std::min(count, behind);
    if (filled != 0) relocate_rows<SameColumns>(hole, {&last, last.count - filled}, filled);
    // If the hole is in the last block, the rows of the hole that were not filled are now at the end of this block.
    // They are removed together with the old places of the rows that have moved into the hole.
    const std::uint32_t dropped = in_last ? count : filled;
    drop_last_rows(table, dropped);
    hole.row += filled;
    count -= dropped;
  }
}

/// Updates a table whose last block has lost all of its rows:
/// - If the table has no rows any more, removes it from the list of the tables of its rank (depth of its entities in
///   the hierarchy; see RankLists).
/// - Otherwise makes the block before the empty one the last block. If values of removed rows are still in the empty
///   block, unlinks that block (see DeadRows). If not, keeps the empty block, and frees the blocks after it unless room
///   for rows is reserved in the table.
void Rows::leave_last_block(Table& table) noexcept {
  if (table.row_count_ == 0) return lose_last_row(table);
  if (DeadRows::has(table)) [[unlikely]]
    return dead_.take_last_block(table);
  // One empty block stays behind the last one in use, so that repeatedly adding and removing a row at the end of a
  // block does not allocate.
  Block& empty = *table.last_block_;
  table.last_block_ = empty.previous;
  if (table.reserved_rows_ == 0) blocks_.free_after(table, empty);
}

void Rows::enter_rank(Table& table) noexcept {
  table.archetype().enter_rank(table);
  // Records that tables of this rank (depth of their entities in the hierarchy) have changed. RowChanges::touch does
  // that only if a reader has called RowChanges::watch for the block. Readers do not see the blocks of a table without
  // rows, so perhaps none has called it for the first block.
  changes_.ranks().note(table.rank());
  empty_.leave(table);
}

void Rows::lose_last_row(Table& table) noexcept {
  const bool keeps_place = table.reserved_rows_ != 0 || table.branch().lasts != 0;
  keeps_place ? table.archetype().leave_rank_for_now(table) : table.archetype().leave_rank(table);
  if (DeadRows::has(table) && !keeps_place) [[unlikely]]
    dead_.take_last_block(table);  // The table may be dropped before the values are destroyed.
  table.last_block_ = table.first_block_;
  if (table.first_block_ != nullptr && !DeadRows::is_chained(table)) empty_.enter(table);
}

void Rows::clear(Table& table) noexcept {
  if (table.empty()) return;
  table.archetype().leave_rank(table);
  table.row_count_ = 0;
  changes_.ranks().note(table.rank());
  changes_.add_one();
  if (!table.archetype().format().destroys()) return blocks_.free_all(table);
  dead_.take_all_blocks(table);
  mark_dead();
}

void Rows::swap(Place a, Place b) noexcept {
  if (a.block->format->relocates()) [[unlikely]] {
    hide(a);
    hide(b);
  }
  {
    const ChangeGuard::MovingIf moving(guard_, a.block->format->relocates());
    swap_space_.swap_values(a, b);
  }
  const BlockFormat& format = *a.block->format;
  if (format.tracks()) [[unlikely]]
    swap_stamps(a, b);
  Entity& first = format.entities(*a.block)[a.row];
  Entity& second = format.entities(*b.block)[b.row];
  std::swap(first, second);
  for (const auto& [entity, place] : {std::pair{first, a}, std::pair{second, b}}) {
    slots_.place(entity.index(), place);
    changes_.moved().record(entity.index());
    changes_.touch(*place.block);
  }
}

void Rows::release_reservations(Table& table) noexcept {
  table.reserved_rows_ = 0;
  if (table.empty() && !empty_.keeps(table)) empty_.free(table);
}

}  // namespace strata::detail
