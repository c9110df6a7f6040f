#include "family_order.hpp"

#include <algorithm>

namespace strata {
namespace {

/// Returns: the place of a table's row, counted from its first; a null block when it has fewer.
Place place_at(const Table& table, std::uint32_t row) {
  if (row >= table.row_count()) return {nullptr, 0};
  Block* block = const_cast<Block*>(table.first_block());
  for (; row >= block->count; block = block->next) row -= block->count;
  return {block, row};
}

Place after(Place place) {
  if (place.row + 1 < place.block->count) return {place.block, place.row + 1};
  Block* const next = place.block->next;
  return {next != nullptr && next->count != 0 ? next : nullptr, 0};
}

bool same(Place a, Place b) {
  return a.block == b.block && a.row == b.row;
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 29);
}

}  // namespace

bool FamilyOrder::settle(std::size_t budget) {
  const bool changed = store_.rows().changes() != last_changes_;
  if (!changed && settled_) return true;
  cursor_.changed = cursor_.changed || changed;
  for (Placed& placed : placed_) placed.next = {nullptr, 0};
  if (stamps_.size() < branches_.level_count()) stamps_.resize(branches_.level_count(), 0);

  settled_ = false;  // Until the end is reached, whatever throws before.
  bool settled = true;
  // A level that is being sorted is finished first, whatever has happened above: so that edits in every frame
  // cannot keep the levels below from their turn.
  const std::uint32_t begun = cursor_.rank;
  for (std::uint32_t rank = std::max(begun, 1u); settled && rank < branches_.level_count(); ++rank) {
    if (rank != cursor_.rank) {
      if (stamps_[rank] == stamp_of(rank)) continue;
      begin_level(rank);
    }
    if (!sort_level(budget)) {
      settled = false;
    } else {
      stamps_[rank] = cursor_.changed ? 0 : stamp_of(rank);
      cursor_ = Cursor();
    }
  }
  last_changes_ = store_.rows().changes();
  if (!settled) return false;
  if (begun == 0) return settled_ = true;
  // The levels above the one that was begun earlier have not been looked at yet.
  return budget != 0 && settle(budget);
}

std::uint64_t FamilyOrder::stamp_of(std::uint32_t rank) const {
  std::uint64_t stamp = 1;
  for (const Archetype* archetype : store_.archetypes().all()) {
    for (const std::uint32_t at : {rank - 1, rank}) {
      for (const Block* block : archetype->at_rank(at)) {
        stamp = mix(stamp, block->label);
        for (; block != nullptr; block = block->next) stamp = mix(stamp, block->version);
      }
      stamp = mix(stamp, archetype->id());
    }
  }
  return stamp;
}

void FamilyOrder::begin_level(std::uint32_t rank) {
  placed_.assign(store_.archetypes().all().size(), Placed());
  cursor_ = Cursor();
  cursor_.rank = rank;
}

bool FamilyOrder::sort_level(std::size_t& budget) {
  const std::span<Archetype* const> all = store_.archetypes().all();
  for (; cursor_.archetype < all.size(); ++cursor_.archetype) {
    const std::span<Block* const> tables = all[cursor_.archetype]->at_rank(cursor_.rank - 1);
    for (; cursor_.table < tables.size(); ++cursor_.table) {
      if (!place_families(table_of(*tables[cursor_.table]), budget)) return false;
      cursor_.row = 0;
    }
    cursor_.table = 0;
  }
  return true;
}

bool FamilyOrder::place_families(const Table& parents, std::size_t& budget) {
  for (Place place = place_at(parents, cursor_.row); place.block != nullptr; place = after(place)) {
    if (budget == 0) return false;
    if (cursor_.child == Links::kNone) --budget;  // A parent that was begun is paid for.
    const std::uint32_t parent = place.block->layout->entities(*place.block)[place.row].index();
    if (!place_family(parent, budget)) return false;
    ++cursor_.row;
  }
  return true;
}

bool FamilyOrder::place_family(std::uint32_t parent, std::size_t& budget) {
  const Links::Family* const family = links_.find_family(parent);
  const Branch* const branch = branches_.find(family);
  if (branch == nullptr || !Branches::is_level(*branch)) return true;
  const bool go_on = cursor_.child != Links::kNone && links_.parent(cursor_.child) == parent;
  std::uint32_t child = go_on ? cursor_.child : family->first;
  for (; child != Links::kNone; child = links_.next(child)) {
    cursor_.child = child;
    if (budget == 0) return false;
    budget -= std::min(budget, place_child(child));
  }
  cursor_.child = Links::kNone;
  return true;
}

std::size_t FamilyOrder::place_child(std::uint32_t child) {
  const Place place = store_.slots().place_of(child);
  const Table& table = table_of(*place.block);
  if (table.archetype().id() >= placed_.size()) return 1;  // Newer than the sorting of this level.
  Placed& placed = placed_[table.archetype().id()];
  if (placed.next.block == nullptr) {
    store_.rows().reserve_swap(table.archetype().layout());
    placed.next = place_at(table, placed.rows);
  }
  // Rows may have left since the level was begun, so that fewer are there than have been counted off.
  if (placed.next.block == nullptr) return 1;
  const Place wanted = placed.next;
  placed.next = after(wanted);
  ++placed.rows;
  if (same(wanted, place)) return 1;
  store_.rows().swap(wanted, place);
  return kMoveCost;
}

}  // namespace strata
