#include "family_order.hpp"

#include <algorithm>

#include "../../core/rollback.hpp"

namespace strata::detail {
namespace {

/// Estimated costs of sorting, in nanoseconds:
/// - kRowPrice for each row that moves, plus 1 for every kBytesPerPrice bytes of the row
/// - kParentPrice for each row that may be a parent of rows that move
/// - kTablePrice for each table, and for each depth
constexpr std::uint64_t kRowPrice = 28;
constexpr std::uint64_t kBytesPerPrice = 4;
constexpr std::uint64_t kParentPrice = 4;
constexpr std::uint64_t kTablePrice = 4;

/// Returns: the block of a table's row, and the row in that block. `row` is the number of the row, counted over all
/// blocks of the table. The block is null if the table has fewer rows.
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

}  // namespace

bool FamilyOrder::defragment(std::size_t budget) {
  cursor_.changed = cursor_.changed || store_.rows().changes().count() != last_changes_;
  ++calls_;
  pending_.reserve(branches_.level_count());
  // When this call ends, even by an exception, remember the number of changes: the moves that this call itself makes do
  // not require sorting again.
  Rollback seen([this] { last_changes_ = store_.rows().changes().count(); });
  read_changes();
  // If the last call stopped while it sorted the rows of one depth, finish that depth first, even if rows of lesser
  // depth have changed. Otherwise, changes in every frame could keep rows of greater depth from ever being sorted.
  while (cursor_.rank != 0 || next_level() != ChangedRanks::kNone) {
    if (budget == 0) return false;
    if (cursor_.rank == 0) {
      begin_level(next_level());
      budget -= std::min(budget, 1 + store_.archetypes().at_rank(cursor_.rank).size() / kArchetypesPerUnit);
    }
    if (!sort_at_once(budget) && !sort_level(budget)) return false;
    end_level();
  }
  return true;
}

/// Adds to `pending_` the depths that have to be sorted although RowChanges::ranks does not name them:
/// - all depths but 0, if storage knows only that rows have changed, but not at which depths
/// - depth 1, if rows of roots have changed, because the entities of depth 1 are the children of roots
/// Depths from 1 on that RowChanges::ranks names are not added, because `next_level` reads them there. At the end, the
/// rows of roots are marked as unchanged, because they have no parents and are never sorted.
void FamilyOrder::read_changes() {
  ChangedRanks& changed = store_.rows().changes().ranks();
  if (changed.has_all()) {
    changed.clear();
    changed.note(0);
    for (std::uint32_t rank = 1; rank < branches_.level_count(); ++rank) pending_.note(rank);
  }
  if (!changed.contains(0)) return;
  accept_changes(0);
  if (branches_.level_count() > 1) pending_.note(1);
}

/// A level is the set of tables that the children of several parents of one depth share.
/// Returns: the least depth whose level has to be sorted, because its rows or the rows of the parents have changed;
/// ChangedRanks::kNone if there is none.
std::uint32_t FamilyOrder::next_level() const {
  const std::uint32_t rank = std::min(store_.rows().changes().ranks().next(1), pending_.next(1));
  return rank < branches_.level_count() ? rank : ChangedRanks::kNone;
}

void FamilyOrder::begin_level(std::uint32_t rank) {
  placed_.resize(store_.archetypes().all().size());
  ++begun_;
  cursor_ = Cursor();
  cursor_.rank = rank;
}

void FamilyOrder::end_level() {
  const std::uint32_t rank = cursor_.rank;
  pending_.erase(rank);
  if (store_.rows().changes().ranks().contains(rank)) {
    accept_changes(rank);
    if (rank + 1 < branches_.level_count()) pending_.note(rank + 1);
  }
  if (cursor_.changed) pending_.note(rank);
  cursor_ = Cursor();
}

bool FamilyOrder::in_order() const {
  const ChangedRanks& changed = store_.rows().changes().ranks();
  if (changed.has_all() || cursor_.rank != 0 || next_level() != ChangedRanks::kNone) return false;
  return !changed.contains(0) || count_tables(1) == 0;
}

void FamilyOrder::mark_built_levels_ordered(std::size_t nodes) {
  const ChangedRanks& changed = store_.rows().changes().ranks();
  if (changed.has_all()) return;
  for (std::uint32_t rank = 0; rank < branches_.level_count() && changed.contains(rank); ++rank) {
    // New rows are at the end of their tables, in the order in which they were created. Except at depth 0, their
    // parents are new, too, and were created in the same order. If all rows of the depth above are in one table, the
    // new parents' rows are at its end, so the new rows follow the order of their parents' rows. If the depth above has
    // several tables, the loop stops, because the parents' rows may be in another order than their children. It also
    // stops at a depth whose tables it cannot go through in O(nodes).
    if (rank != 0 && count_tables(rank - 1) != 1) return;
    if (rank + count_tables(rank) > nodes) return;
    accept_changes(rank);
  }
}

std::size_t FamilyOrder::count_tables(std::uint32_t rank) const {
  std::size_t tables = 0;
  for (const Archetype* archetype : store_.archetypes().at_rank(rank))
    tables += archetype->at_rank(rank).size();
  return tables;
}

std::uint64_t FamilyOrder::price() const {
  const std::uint32_t first = store_.rows().changes().ranks().has_all() ? 1 : next_level();
  if (first >= branches_.level_count()) return 0;
  const std::span<Archetype* const> archetypes = store_.archetypes().all();
  std::uint64_t price = std::uint64_t{branches_.level_count() - first} * kTablePrice;
  for (const Archetype* archetype : archetypes) {
    const std::uint64_t row_price = kRowPrice + archetype->format().row_bytes() / kBytesPerPrice;
    for (auto lists = archetype->ranks().last(); !lists.at_end() && lists.rank() + 1 >= first;
         lists.previous()) {
      // All rows are counted as parents, because their children may have to move. Rows that may move themselves cost
      // more: those at depths from `first` on, in tables that several parents share. The label of such tables is 0.
      for (const Block* block : lists.tables()) {
        const bool moves = block->label == 0 && lists.rank() >= first;
        price += kTablePrice + table_of(*block).row_count() * (kParentPrice + (moves ? row_price : 0));
      }
    }
  }
  return price;
}

/// Marks the rows of depth `rank` as unchanged, so that storage records their next change.
void FamilyOrder::accept_changes(std::uint32_t rank) {
  for (const Archetype* archetype : store_.archetypes().at_rank(rank)) {
    for (Block* block : archetype->at_rank(rank)) {
      for (; block != nullptr; block = block->next) RowChanges::watch(*block);
    }
  }
  store_.rows().changes().ranks().erase(rank);
}

/// Sorts the rows of the current depth by LevelLayout, which moves all of them to new blocks unless they are in order
/// already. Subtracts the cost from `budget`. Leaves the rows to `sort_level`, which swaps rows, in these cases: the
/// budget is not enough, `sort_level` has already begun with this depth, or LevelLayout moves nothing because swaps
/// are cheaper or memory is short (see LevelLayout::Result::few_moves).
/// Returns: whether the rows are in order now; if not, neither rows nor `budget` have changed.
bool FamilyOrder::sort_at_once(std::size_t& budget) {
  if (cursor_.archetype != 0 || cursor_.table != 0 || cursor_.row != 0 || cursor_.child != Links::kNone)
    return false;
  const LevelLayout::Size size = layout_.measure(cursor_.rank, budget);
  if (size.looked_at > budget || (budget - size.looked_at) / kMoveCost < size.rows) return false;
  const LevelLayout::Result result = layout_.sort(cursor_.rank, size.rows);
  if (result == LevelLayout::Result::few_moves) return false;
  budget -= size.looked_at + (result == LevelLayout::Result::moved ? size.rows * kMoveCost : 0);
  return true;
}

bool FamilyOrder::sort_level(std::size_t& budget) {
  for (const Archetype* archetype : store_.archetypes().at_rank(cursor_.rank - 1)) {
    if (archetype->id() < cursor_.archetype) continue;
    if (archetype->id() > cursor_.archetype) cursor_.go_to(archetype->id());
    const std::span<Block* const> tables = archetype->at_rank(cursor_.rank - 1);
    for (; cursor_.table < tables.size(); ++cursor_.table) {
      if (!place_families(table_of(*tables[cursor_.table]), budget)) return false;
      cursor_.row = 0;
    }
  }
  return true;
}

bool FamilyOrder::place_families(const Table& parents, std::size_t& budget) {
  for (Place place = place_at(parents, cursor_.row); place.block != nullptr; place = after(place)) {
    if (budget == 0) return false;
    // If the last call stopped among the children of this parent, that call has already subtracted the cost of
    // examining the parent from its budget.
    if (cursor_.child == Links::kNone) --budget;
    const std::uint32_t parent = place.block->format->entities(*place.block)[place.row].index();
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
  // If the archetype was created after the sorting of this depth began, `placed_` has no element for it. Its rows are
  // sorted later: because rows have changed meanwhile, `end_level` requires that this depth is sorted once more.
  if (table.archetype().id() >= placed_.size()) return 1;
  Placed& placed = placed_[table.archetype().id()];
  if (placed.level != begun_) placed = {.level = begun_};
  if (placed.call != calls_) placed.next = {nullptr, 0};
  placed.call = calls_;
  if (placed.next.block == nullptr) {
    store_.rows().reserve_swap(table.archetype().format());
    placed.next = place_at(table, placed.rows);
  }
  // `placed.next` is the position to which the row of `child` has to move. If rows have left the table since the
  // sorting of this depth began, the table may end before this position. Then the row is sorted later, as above.
  if (placed.next.block == nullptr) return 1;
  const Place wanted = placed.next;
  placed.next = after(wanted);
  ++placed.rows;
  if (same(wanted, place)) return 1;
  store_.rows().swap(wanted, place);
  return kMoveCost;
}

}  // namespace strata::detail
