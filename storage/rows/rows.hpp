// Rows: appends, moves and removes rows of tables, and updates the slots of their entities (the records of where the
// row of each entity is).
#pragma once

#include <algorithm>
#include <span>

#include "../../core/compiler.hpp"
#include "../../core/slots.hpp"
#include "../changes/change_guard.hpp"
#include "../changes/swap_space.hpp"
#include "../tables/archetype.hpp"
#include "../tables/table_blocks.hpp"
#include "dead_rows.hpp"
#include "empty_tables.hpp"
#include "removed_values.hpp"
#include "row_changes.hpp"

namespace strata::detail {

/// A run of adjacent rows of a block. The run becomes invalid when one of its rows moves.
struct RowRun {
  Block* block;
  std::uint32_t row;  ///< The position of the first row in its block.
  std::uint32_t count;
};

/// Returns: the entities of the rows of a run.
inline std::span<Entity> entities_of(const RowRun& run) {
  return {run.block->format->entities(*run.block) + run.row, run.count};
}

/// Adds, moves and removes rows of tables, and keeps the slots of their entities (the records of where the row of each
/// entity is) up to date. Functions that allocate memory, such as `ensure_room` and `reserve`, can fail. Adding, moving
/// and removing rows cannot fail.
class Rows {
 public:
  /// `guard` refuses structural changes while a query iterates or user code runs. If it is given, the values of erased
  /// rows and removed components are kept until `destroy_dead`, and the guard is notified that there are such values
  /// (ChangeGuard::mark_dead). If it is null, the values of erased rows and removed components are destroyed at once.
  Rows(Slots& slots, BlockPool& pool, std::pmr::memory_resource* memory, const ChangeGuard* guard = nullptr)
      : slots_(slots),
        blocks_(pool),
        changes_(memory),
        empty_(blocks_),
        swap_space_(memory),
        dead_(blocks_),
        removed_(memory),
        waits_(guard != nullptr),
        guard_(waits_ ? *guard : own_guard_) {}

  /// Allocates blocks until the table has room for `additional` rows besides those that `reserve` has reserved. Appends
  /// no row.
  /// Errors: std::bad_alloc; the table's rows are unchanged then.
  /// Contract: the table's rows, its reserved rows and the `additional` rows together are fewer than 2^32.
  /// Invalidates: pointers to the table's values, if the table has a single block below full size: a larger block
  /// replaces that block.
  void ensure_room(Table& table, std::uint32_t additional) {
    if (table.capacity_ - table.row_count_ < additional + table.reserved_rows_) [[unlikely]] {
      grow(table, table.row_count_ + table.reserved_rows_ + additional);
    }
  }

  /// Allocates and reserves room for `count` rows, in addition to those reserved before. Later calls that add rows,
  /// such as `append` and `move`, use this room. Meant for changes of many rows, which must not run out of memory half
  /// way.
  /// Errors: std::bad_alloc; the table's rows are unchanged then, but an empty table may keep blocks until
  /// `release_reservations`.
  void reserve(Table& table, std::uint32_t count = 1) {
    ensure_room(table, count);
    table.reserved_rows_ += count;
  }

  /// Checks the list of removed rows whose values still exist (see DeadRows). `chained` is the number of
  /// tables for which DeadRows::is_chained is true.
  /// Returns: the invariant of DeadRows that does not hold, as a sentence; empty when all hold.
  std::string check_invariants(std::size_t chained) const { return dead_.check_invariants(chained); }

  /// Releases all room that is reserved in a table (see `reserve`). If the table has no rows, frees its blocks, unless
  /// the table is one of the two empty tables that keep a block; see EmptyTables.
  void release_reservations(Table& table) noexcept;

  /// Appends a row with uninitialised values. The caller then writes the entity to the row, and stores the row's place
  /// in the entity's slot (the record of where its row is); see Store::append_row.
  /// Contract: the table has room for the row; see `ensure_room`.
  /// Complexity: O(1).
  Place append(Table& table) noexcept {
    const Place place = open_row(table);
    changes_.stamp_new(place, 1);
    return place;
  }

  /// Appends up to `most` rows with uninitialised values: as many as fit into one block. Calls `name(RowRun)`, which
  /// has to write the entities to these rows, and store the places of the rows in the slots of the entities (the
  /// records of where their rows are). If `fill_rows` will move other rows to these rows, `name` only has to write null
  /// entities.
  /// Returns: the new rows.
  /// Contract: the table has room for at least one row; `name` does not throw.
  /// Complexity: O(rows appended).
  template <class Name>
  RowRun append_run(Table& table, std::uint32_t most, Name name) noexcept {
    const RowRun run = open_run(table, most);
    name(run);
    changes_.stamp_new({run.block, run.row}, run.count);
    return run;
  }

  /// Removes the last `count` rows of a table without destroying their values: the values were not constructed, or were
  /// moved away or destroyed before. Does not change the slots of their entities (the records of where their rows are).
  void retract(Table& table, std::uint32_t count) noexcept;

  /// Returns: whether `append_block` may be called: no removed rows of the table wait for their values to be destroyed.
  static bool can_append_block(const Table& table) { return !DeadRows::is_chained(table); }

  /// Appends as many rows as a full-size block has, all of them in one block, so that the block can be exchanged for
  /// one with values (see `exchange_block`). If the last block has rows and is not full, the block of the new rows is
  /// put before the last one, because only the last block of a table may be partly filled. Calls `name(RowRun)` as
  /// `append_run` does.
  /// Returns: the new rows.
  /// Contract: `can_append_block` returns true; the rows are reserved (see `reserve`); `name` does not throw.
  template <class Name>
  RowRun append_block(Table& table, Name name) noexcept {
    const RowRun run = open_block(table);
    name(run);
    changes_.stamp_new({run.block, run.row}, run.count);
    return run;
  }

  /// Removes all rows of a full block. Frees the block, unless it is the last block of its table that has rows. Moves
  /// no rows of other blocks. Exception: if values of rows that were removed from the table earlier are not destroyed
  /// yet (see DeadRows), the block is not freed, the last rows of the table move into it, and room that is reserved in
  /// the table may be lost.
  /// Contract: the values of the rows have been moved away or destroyed.
  void retract_block(Block& block) noexcept;

  /// Returns: whether `exchange_block` can exchange a block of this world and a block of another world: both are full,
  /// of equal capacity and exchangeable in memory (see TableBlocks::can_exchange), they have no tracked components (see
  /// Tracking), and no removed rows of their tables wait for their values to be destroyed. Does not compare the
  /// columns. `others` is the Rows object of the other world.
  bool can_exchange(const Block& own, const Rows& others, const Block& other) const noexcept;
  /// Exchanges a full block with a full block of another world, without touching the values. The two blocks take each
  /// other's place in their tables, and exchange their entities. So each entity keeps its position in its table, and
  /// has the values of the entity at the same row of the other block.
  /// Contract: `can_exchange` returns true. The columns of both blocks have the same positions in memory, and columns
  /// at the same position belong to components of the two worlds that correspond to each other.
  void exchange_block(Block& own, Rows& others, Block& other) noexcept;

  /// Moves a row to another table. Values of components that both tables have are moved. Values of components that the
  /// new table lacks are destroyed: at once if this object was made without a ChangeGuard, otherwise in `destroy_dead`.
  /// Values of components that only the new table has are uninitialised. The last row of the old table moves to the
  /// place `from`.
  /// Returns: the row's new place.
  /// Contract: `to` has room for the row; see `ensure_room`.
  /// Invalidates: pointers to the values of this row and of the last row of its old table.
  /// Complexity: O(columns).
  Place move(Place from, Table& to) noexcept;

  /// Moves up to `count` adjacent rows of a block, from `from` on, to another table of the same archetype.
  /// The last rows of the old table fill the places that become free.
  /// Returns: the moved rows in the new table. They are all in the block that gets the next new row of that table, so
  /// they are fewer than `count` if that block has less room.
  /// Contract: `to` has room for the rows; see `ensure_room`.
  /// Invalidates: pointers to the values of these rows and of the last rows of their old table.
  /// Complexity: O(columns * rows moved).
  RowRun move_run(Place from, std::uint32_t count, Table& to) noexcept;

  /// Moves all rows of a table, in their order, to a table of another archetype. Values of components that both tables
  /// have are moved, and values of components that only the new table has are uninitialised. Calls `take(Place old,
  /// RowRun now)` for each run of moved rows: `old` is the place where the first row of the run was, and `now` has the
  /// new rows. `take` has to move or destroy the values that have no column in the new table.
  /// Contract: `to` has room for the rows; see `ensure_room`.
  /// Invalidates: pointers to the values of these rows.
  /// Complexity: O(columns * rows).
  template <class Take>
  void move_all(Table& from, Table& to, Take take) noexcept {
    for (Block* block = from.first_block_; block != nullptr; block = block->next) {
      for (Place row{block, 0}; row.row < block->count;) {
        const RowRun run = open_run(to, block->count - row.row);
        relocate_rows<SharedColumns>({run.block, run.row}, row, run.count);
        take(row, run);
        row.row += run.count;
      }
    }
    retract(from, from.row_count_);
  }

  /// Moves `count` adjacent rows of a block, from `from` on, to `count` rows from `to` on, in a table of another
  /// archetype. The rows at `to` were appended before by `append_run`, with null entities. Values that have no column
  /// in the new table are not moved. Values of the new rows for which the old table has no column stay as they are. The
  /// old rows stay until `close_holes`.
  /// Invalidates: pointers to the values of these rows.
  /// Complexity: O(columns * rows).
  void fill_rows(Place to, Place from, std::uint32_t count) noexcept {
    relocate_rows<SharedColumns>(to, from, count);
  }
  /// Removes `count` adjacent rows of a block, from `hole` on, whose values have been moved away or destroyed. The last
  /// rows of the table fill the places of the removed rows.
  /// Complexity: O(columns * rows).
  void close_holes(Place hole, std::uint32_t count) noexcept { close_hole(hole, count); }

  /// Prefetches the values of a row that is about to move.
  static void prefetch(Place place) noexcept {
    for (const Column& column : place.block->format->columns()) {
      const std::byte* const value = place.block->value(column.prefix, place.row, column.size);
      prefetch_to_write(value);
      prefetch_to_write(value + column.size - 1);
    }
  }

  /// Removes `count` adjacent rows of a block, from `first` on. Destroys their values: at once if this object was made
  /// without a ChangeGuard, otherwise in `destroy_dead`. The last rows of the table fill the places that become free.
  /// The slots of the removed entities (the records of where their rows are) do not change.
  /// Complexity: O(columns * rows).
  void erase(Place first, std::uint32_t count) noexcept;

  /// Removes the row at `place`. Destroys its values: at once if this object was made without a ChangeGuard, otherwise
  /// in `destroy_dead`. If the row is not the last one of its table, the last row moves to `place`. The slot of the
  /// removed entity (the record of where its row is) does not change.
  /// Complexity: O(columns).
  void erase(Place place) noexcept {
    if (place.block->format->destroys()) [[unlikely]]
      return erase_object(place);
    close_hole(place);
  }

  /// Destroys the values of erased rows and removed components that were kept until now. Frees the blocks of those
  /// tables that have lost all of their rows, except a block of each of the two tables that became empty last (see
  /// EmptyTables) and blocks with reserved room.
  void destroy_dead() noexcept;

  /// Removes the rows of those entities of a table for which `leaves(Entity)` is true. Destroys their values: at once
  /// if this object was made without a ChangeGuard, otherwise in `destroy_dead`. The slots of the entities (the records
  /// of where their rows are) do not change.
  /// Complexity: O(rows).
  template <class Leaves>
  void erase_if(Table& table, Leaves leaves) noexcept {
    if (all_rows(table, leaves)) return clear(table);
    // Rows are removed from the last to the first, so the rows that fill a hole were tested before, and stay.
    for (Block* block = table.last_block_; block != nullptr;) {
      Block* const previous = block != table.first_block_ ? block->previous : nullptr;
      const Entity* const entities = block->format->entities(*block);
      for (std::uint32_t end = block->count; end != 0;) {
        std::uint32_t begin = end;
        while (begin != 0 && leaves(entities[begin - 1])) --begin;
        if (begin != end) erase({block, begin}, end - begin);
        end = begin != 0 ? begin - 1 : 0;
      }
      block = previous;
    }
  }

  /// Removes all rows of a table. Destroys the values and frees the table's blocks: in `destroy_dead` if any component
  /// has a destructor and this object was made with a ChangeGuard, otherwise at once. The slots of the entities (the
  /// records of where their rows are) do not change. Does nothing if the table has no rows; such a table may keep a
  /// block (see EmptyTables).
  void clear(Table& table) noexcept;

  /// Allocates the temporary memory that `swap` needs for two rows of this format.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve_swap(const BlockFormat& format) { swap_space_.reserve(format); }

  /// Exchanges two rows of one table: their entities, their values, and the times at which the values were last
  /// written.
  /// Contract: `reserve_swap` was called for the format of the table's blocks.
  /// Complexity: O(columns).
  void swap(Place a, Place b) noexcept;

  /// Frees the blocks that tables without rows have kept (see EmptyTables), except those of tables in which room for
  /// rows is reserved.
  void drop_kept_blocks() noexcept { empty_.free_kept(); }

  /// Frees memory of a table that its rows do not need: blocks after the last one in use, and invalid caches of blocks
  /// (see BlockCache: data that a reader computed from the rows of a block). If the table has a single block and a
  /// smaller one suffices, moves its rows to a smaller block.
  /// Returns: the number of rows that have moved.
  /// Errors: std::bad_alloc; the rows are unchanged then.
  /// Invalidates: pointers to the table's values, if rows have moved.
  std::uint32_t shrink(Table& table);

  /// `create_cache` allocates a cache for a block (data that a reader computes from the block's rows), of `bytes` bytes
  /// including the header (see BlockCache), and throws std::bad_alloc if there is no memory. `attach` makes a cache the
  /// cache of a block, and frees the cache that the block had before.
  BlockCache& create_cache(std::size_t bytes) { return blocks_.create_cache(bytes); }
  void attach(Block& block, BlockCache& cache) noexcept { blocks_.attach(block, cache); }

  /// Returns: the records of changes of rows, for readers that keep data derived from the rows.
  RowChanges& changes() { return changes_; }
  const RowChanges& changes() const { return changes_; }

 private:
  friend class RowReorder;
  friend class RowRestorer;

  template <class Predicate>
  static bool all_rows(const Table& table, Predicate holds) noexcept {
    for (const Block* block = table.first_block(); block != nullptr; block = block->next) {
      const Entity* const entities = block->format->entities(*block);
      if (!std::all_of(entities, entities + block->count, holds)) return false;
    }
    return true;
  }

  STRATA_API void grow(Table& table, std::uint32_t rows);
  void add_first_block(Table& table, std::uint32_t rows);
  void replace_only_block(Table& table, std::uint32_t rows);

  /// Appends a row with uninitialised values and without an entity. If room for rows is reserved in the table (see
  /// `reserve`), the row takes the room of one reserved row.
  /// Contract: the table has room for the row; see `ensure_room`.
  Place open_row(Table& table) noexcept {
    Block* block = table.last_block_;
    if (block->count == block->capacity) [[unlikely]]
      table.last_block_ = block = block->next;
    const std::uint32_t row = block->count++;
    changes_.touch(*block);
    if (table.row_count_++ == 0) [[unlikely]]
      enter_rank(table);
    if (table.reserved_rows_ != 0) [[unlikely]]
      --table.reserved_rows_;
    return {block, row};
  }
  RowRun open_run(Table& table, std::uint32_t most) noexcept;
  RowRun open_block(Table& table) noexcept;
  void add_rows(Table& table, Block& block, std::uint32_t count) noexcept;
  void place_rows(Block& block) noexcept;

  template <class Columns>
  void relocate_rows(Place to, Place from, std::uint32_t count) noexcept;
  void rename_rows(Place to, Place from, std::uint32_t count) noexcept;
  void close_hole(Place hole, std::uint32_t count) noexcept;
  static Place last_row(const Table& table) noexcept {
    return {table.last_block_, table.last_block_->count - 1};
  }
  /// Completes the removal of the row `hole`, after the values of the table's last row, `last`, were moved to `hole`.
  /// Copies the entity and the times of the last writes from `last` to `hole`, too, stores `hole` in the entity's slot
  /// (the record of where its row is), and removes the row `last`. If `hole` and `last` are the same row, only removes
  /// this row.
  STRATA_ALWAYS_INLINE void drop_hole(Table& table, Place hole, Place last) noexcept {
    // `drop_last_rows` records the change of the last block, so only a change of another block is recorded here.
    if (hole.block != last.block) changes_.touch(*hole.block);
    if (hole.block != last.block || hole.row != last.row) {
      const BlockFormat& format = *hole.block->format;
      changes_.carry_stamps(hole, last, 1);
      const Entity entity = format.entities(*last.block)[last.row];
      format.entities(*hole.block)[hole.row] = entity;
      slots_.place(entity.index(), hole);
      changes_.moved().record(entity.index());
    }
    drop_last_rows(table, 1);
  }
  void close_hole(Place hole) noexcept;
  void erase_object(Place place) noexcept;
  void bury(Place place) noexcept;
  void mark_dead() noexcept;
  void hide(Place place) noexcept;
  void hide_rows(Place first, std::uint32_t count) noexcept;
  STRATA_NOINLINE void move_objects(Place to, Place from, Place last) noexcept;
  void drop_last_rows(Table& table, std::uint32_t count) noexcept {
    Block& block = *table.last_block_;
    changes_.touch(block);
    block.count -= count;
    table.row_count_ -= count;
    if (block.count == 0) [[unlikely]]
      leave_last_block(table);
  }
  void leave_last_block(Table& table) noexcept;
  STRATA_API void enter_rank(Table& table) noexcept;
  void lose_last_row(Table& table) noexcept;

  Slots& slots_;
  TableBlocks blocks_;
  RowChanges changes_;
  EmptyTables empty_;
  SwapSpace swap_space_;
  DeadRows dead_;
  RemovedValues removed_;
  ChangeGuard own_guard_;
  bool waits_;
  const ChangeGuard& guard_;
};

}  // namespace strata::detail
