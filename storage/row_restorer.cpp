#include "row_restorer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "../core/reserve.hpp"
#include "../core/rollback.hpp"
#include "changes/write_stamps.hpp"
#include "side_store/pool_copies.hpp"

namespace strata::detail {

RowRestorer::~RowRestorer() {
  if (!applied_) undo();
  for (Block* const block : before_) free(*block);
}

void RowRestorer::undo() noexcept {
  before_.clear();
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    if (targets_[i].block == nullptr || targets_[i].seen != RowRecorder::kUnseen) continue;
    table_of(*targets_[i].block).capacity_ -= targets_[i].block->capacity;
    free(*targets_[i].block);
  }
  for (std::size_t i = 0; i < promised_; ++i) {
    const RowImages::TableImage& table = rows().tables[i];
    table.archetype->ranks_.take_back(branches_.rank_of(table));
  }
  branches_.undo();
}

/// Destroys the values of a block that belongs to no table, and frees it.
void RowRestorer::free(Block& block) noexcept {
  for (const Column& column : block.format->columns())
    column.component->destroy_values(block.column(column.prefix), block.count);
  blocks().free_detached(block);
}

void RowRestorer::prepare() {
  same_rows_ = recorder_.last_->rows == image_->rows && recorder_.has_same_rows();
  store_.rows().drop_kept_blocks();
  branches_.find();
  find_tables();
  find_blocks();
  if (!same_blocks_) {
    promise_ranks();
    store_.tables().for_each([&](Table& table) {
      for (Block* block = table.first_block(); block != nullptr; block = block->next)
        before_.push_back(block);
    });
    slots_.assign(rows().slots);
  }
  prepare_pools();
  for (const Target& target : targets_) seen_.emplace_back(*target.block);
}

void RowRestorer::find_tables() {
  Tables& tables = store_.tables();
  tables_.reserve(rows().tables.size());
  for (const RowImages::TableImage& image : rows().tables) {
    tables_.push_back(&tables.get(*image.archetype, branches_.of(image)));
  }
}

/// For each block of the image, finds the block of the store that already has the rows of this image block and can stay
/// in its table, or makes a new block.
void RowRestorer::find_blocks() {
  const RowRecorder::SeenIndex index = recorder_.index_seen();
  targets_.reserve(rows().blocks.size());
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const bool is_only = rows().tables[i].blocks == 1;
    Block* now = tables_[i]->first_block();
    for (std::uint32_t left = rows().tables[i].blocks; left != 0; --left) {
      targets_.push_back(target_of(index, *tables_[i], now, targets_.size(), is_only));
      if (now != nullptr) now = now->next;
    }
  }
  const bool stay = std::ranges::none_of(
      targets_, [](const Target& target) { return target.seen == RowRecorder::kUnseen; });
  same_blocks_ = same_rows_ && stay;
}

/// Returns: the block that will have the rows of block `number` of the image. This is `now`, the block that the table
/// has at the same position (null if it has none), if `can_stay` is true for it. Otherwise it is a new block with
/// copies of the values. A new block has full capacity, unless it will be the only block of the table (`is_only`).
/// `index` finds blocks in the image that the recorder took or restored last; see RowRecorder::find_seen.
RowRestorer::Target RowRestorer::target_of(const RowRecorder::SeenIndex& index, Table& table, Block* now,
                                           std::size_t number, bool is_only) {
  if (now != nullptr) {
    const std::uint32_t seen = recorder_.find_seen(index, *now);
    if (seen != RowRecorder::kUnseen && can_stay(*now, seen, number)) return {now, seen};
  }
  return {&make_block(table, number, is_only), RowRecorder::kUnseen};
}

/// Returns: true if `block` certainly has the same rows as block `number` of the image, and differs from it only in
/// values that are copied as bytes. `seen` is the position of `block` in the image that the recorder took or restored
/// last.
bool RowRestorer::can_stay(Block& block, std::uint32_t seen, std::size_t number) const {
  const StoreImage& last = *recorder_.last_;
  if (recorder_.seen_[seen].version != RowRecorder::version_of(block) || block.count != rows().blocks[number])
    return false;
  const std::shared_ptr<const BlockImage>& image = image_->blocks[number];
  if (image == last.blocks[seen] && recorder_.is_unwritten(block)) return true;
  const ValuePage* before = last.blocks[seen]->data();
  const ValuePage* page = image->data();
  bool can_stay = true;
  for_each_page(block, block.count, [&](const PagePlace& place) {
    const bool is_of_values = &place.component != &component_of_entities();
    const bool is_replaceable = is_of_values && copies_as_bytes(place.component);
    can_stay = can_stay && (is_replaceable || (*page == *before && recorder_.is_unwritten(place)));
    ++page;
    ++before;
  });
  return can_stay;
}

/// Makes a block with copies of the rows of block `number` of the image. Does not link the new block to its table. If
/// `is_only` is true (the table will have no other block), memory is allocated for these rows only, not for a full
/// block.
Block& RowRestorer::make_block(Table& table, std::size_t number, bool is_only) {
  const std::uint32_t count = rows().blocks[number];
  const std::uint32_t full = table.archetype().format().full_capacity();
  RowChanges& changes = store_.rows().changes();
  Block& block = blocks().allocate(table, is_only ? count : full, changes.fresh_version());
  std::vector<PagePlace> built;
  Rollback undo([&] {
    for (const PagePlace& place : built) place.component.destroy_values(place.values, place.count);
    table.capacity_ -= block.capacity;
    blocks().free_detached(block);
  });
  const ValuePage* page = image_->blocks[number]->data();
  for_each_page(block, count, [&](const PagePlace& place) {
    if (place.component.destroy != nullptr) reserve_one(built);
    place.component.copy_values(place.values, page->values(), place.count);
    if (place.component.destroy != nullptr) built.push_back(place);
    ++page;
  });
  undo.dismiss();
  block.count = count;
  stamp_new_rows({&block, 0}, count, changes.clock().now());
  return block;
}

/// For each table of the image, reserves a position in the list of the tables of its depth (see RankLists), so that
/// adding the table to this list cannot fail later.
void RowRestorer::promise_ranks() {
  for (const RowImages::TableImage& table : rows().tables) {
    table.archetype->ranks_.promise(branches_.rank_of(table));
    ++promised_;
  }
}

/// Prepares the pools (sparse sets) that `apply` puts into the store: copies of the pools of the image, and an empty
/// pool for each component that has members in the store and no pool in the image. Leaves out the pool of the component
/// `except_`. Also leaves out a pool of plain bytes that has the same members in the store and in the image: `apply`
/// copies the values of such a pool without allocating memory.
void RowRestorer::prepare_pools() {
  pools_.resize(std::max<std::size_t>(store_.side().size(), image_->pools.size()));
  for (std::uint32_t id = 0; id < pools_.size(); ++id) {
    SparsePool* const pool = store_.side().find(ComponentId{id});
    const PoolImage* const image = id < image_->pools.size() ? image_->pools[id].get() : nullptr;
    if (pool == nullptr || ComponentId{id} == except_ || (image == nullptr && pool->size() == 0)) continue;
    if (image != nullptr && copies_as_bytes(pool->component()) && have_equal_members(image->pool, *pool))
      continue;
    pools_[id] = std::make_unique<SparsePool>(*pool, store_.memory());
    if (image != nullptr) pools_[id]->assign(image->pool);
  }
}

void RowRestorer::apply() noexcept {
  applied_ = true;
  restore_storages();
  if (!same_blocks_) replace_rows();
  write_values();
  apply_pools();
  for (std::size_t i = 0; i < seen_.size(); ++i) seen_[i] = RowRecorder::SeenBlock(*targets_[i].block);
  store_.rows().changes().add_one();
  recorder_.set_seen(image_, seen_);
}

void RowRestorer::restore_storages() noexcept {
  const Registry& registry = store_.registry();
  for (std::uint32_t i = 0; i < registry.size(); ++i) {
    const ComponentId id{i};
    const bool is_known = i < image_->storages.size();
    const Storage storage = is_known ? image_->storages[i] : registry.declared_storage(id);
    if (registry[id].storage != storage) store_.mark_storage(id, storage);
  }
}

void RowRestorer::replace_rows() noexcept {
  detach_all();
  attach_all();
  store_.slots().swap(slots_);
  // If the rows are the same as in the image, the caller does not restore the hierarchy. The hierarchy then goes on
  // using the present branches, so none of them may be dropped.
  if (changes_rows()) branches_.drop_others();
  std::erase_if(before_, [](const Block* block) { return block->owner != nullptr; });
  RowChanges& changes = store_.rows().changes();
  changes.moved().overflow();
  changes.ranks().mark_all();
}

/// Removes all blocks from their tables, and all tables from the lists in which archetypes keep their tables by depth
/// (see RankLists).
void RowRestorer::detach_all() noexcept {
  store_.tables().for_each([](Table& table) {
    if (!table.empty()) {
      table.archetype().leave_rank(table);
    } else if (table.first_block_ !=
               nullptr) {  // A creation in this table has failed after it had got a block.
      table.archetype().ranks_.take_back(table.rank());
    }
    table.first_block_ = table.last_block_ = nullptr;
    table.row_count_ = table.capacity_ = 0;
  });
  for (Block* const block : before_) block->owner = nullptr;
  branches_.restore_ranks();
}

/// Gives the tables of the image their blocks. Adds the tables, in the order of the image, to the lists in which
/// archetypes keep their tables by depth (see RankLists).
void RowRestorer::attach_all() noexcept {
  auto target = targets_.begin();
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    Table& table = *tables_[i];
    Block* previous = nullptr;
    for (std::uint32_t left = rows().tables[i].blocks; left != 0; --left, ++target) {
      Block& block = *target->block;
      block.owner = &table;
      block.previous = previous;
      block.next = nullptr;
      (previous != nullptr ? previous->next : table.first_block_) = &block;
      previous = &block;
      table.row_count_ += block.count;
      table.capacity_ += block.capacity;
      slots_.place_all({block.format->entities(block), block.count}, {&block, 0});
    }
    table.last_block_ = previous;
    table.archetype().enter_rank(table);
  }
}

/// Gives the blocks that stay in their tables (see `find_blocks`) the values of the image. Leaves out pages (runs of
/// values of one column) that certainly have these values already.
void RowRestorer::write_values() noexcept {
  const StoreImage& last = *recorder_.last_;
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    const Target& target = targets_[i];
    if (target.seen == RowRecorder::kUnseen) continue;
    const std::shared_ptr<const BlockImage>& image = image_->blocks[i];
    if (image == last.blocks[target.seen] && recorder_.is_unwritten(*target.block)) continue;
    const ValuePage* before = last.blocks[target.seen]->data();
    const ValuePage* page = image->data();
    for_each_page(*target.block, target.block->count, [&](const PagePlace& place) {
      if (*page != *before || !recorder_.is_unwritten(place)) write_page(place, *page);
      ++page;
      ++before;
    });
  }
}

/// Replaces the values at `place` by the values of `page`. If the component is tracked (its writes are recorded) and
/// any value differs, the block gets a new stamp (time of the last write, see WriteClock). If each row has a stamp of
/// its own, the rows whose values differ get the new stamp, too.
void RowRestorer::write_page(const PagePlace& place, const ValuePage& page) noexcept {
  const std::size_t size = place.component.size;
  if (place.tracked != BlockFormat::kAbsent && !page.equals(place.values)) {
    Block& block = *place.first.block;
    const std::uint64_t now = store_.rows().changes().clock().now();
    block.stamps()[place.tracked] = now;
    std::uint64_t* const stamps = row_stamps(place.first, block.format->tracked()[place.tracked]);
    const auto* const values = static_cast<const std::byte*>(page.values());
    for (std::uint32_t row = 0; row < place.count && stamps != nullptr; ++row) {
      if (std::memcmp(place.values + row * size, values + row * size, size) != 0) stamps[row] = now;
    }
  }
  std::memcpy(place.values, page.values(), size * place.count);
}

void RowRestorer::apply_pools() noexcept {
  for (std::uint32_t id = 0; id < pools_.size(); ++id) {
    SparsePool* const pool = store_.side().find(ComponentId{id});
    if (pool == nullptr || ComponentId{id} == except_) continue;
    if (pools_[id] != nullptr) {
      pool->swap(*pools_[id]);
    } else if (id < image_->pools.size() && image_->pools[id] != nullptr) {
      copy_values(image_->pools[id]->pool, *pool);
    }
  }
}

}  // namespace strata::detail
