#include "entity_transfer.hpp"

#include <algorithm>
#include <utility>

#include "../families/family_rows.hpp"
#include "../states/state_flags.hpp"
#include "value_copies.hpp"

namespace strata::detail {

namespace {

/// Checks whether `entities` contains, from index `position` on, all entities of one full block in the order of the
/// block's rows. (Such a block can be exchanged or removed as a whole.)
/// Returns: the number of rows of the block if so; otherwise 0.
std::uint32_t count_in_block(const Store& store, std::span<const Entity> entities, std::size_t position) {
  const Place place = store.slots().place_of(entities[position].index());
  const std::uint32_t count = place.block->count;
  if (place.row != 0 || count != place.block->capacity || entities.size() - position < count) return 0;
  const Entity* const rows = place.block->format->entities(*place.block);
  return std::equal(rows, rows + count, entities.data() + position) ? count : 0;
}

}  // namespace

EntityTransfer::EntityTransfer(const LoadedParts& from, const LoadedParts& to)
    : from_(as_saved(from)),
      to_(to),
      listed_(from_.store, from_.links),
      match_(from_, to, false, Undescribed::refuse),
      made_(to.store, to.links, to.rows),
      exchange_(&from.store.rows(), to.store, match_),
      copies_(false) {}

EntityTransfer::EntityTransfer(const SavedParts& from, const LoadedParts& to, Undescribed undescribed)
    : from_(from),
      to_(to),
      listed_(from.store, from.links),
      match_(from, to, true, undescribed),
      made_(to.store, to.links, to.rows),
      exchange_(nullptr, to.store, match_),
      copies_(true) {}

Outcome EntityTransfer::list(std::span<const Entity> roots) {
  listed_.list(roots);
  created_.resize(listed_.size());
  exchanges_ = exchange_.prepare(listed_.rows());
  Outcome listed = list_archetypes();
  return listed ? list_members() : listed;
}

Outcome EntityTransfer::list_archetypes() {
  archetypes_ = listed_.archetypes();
  if (Outcome matched = match_components(); !matched) return matched;
  for (const Archetype* const archetype : archetypes_) {
    if (archetype->id() >= targets_.size()) targets_.resize(archetype->id() + 1);
    targets_[archetype->id()] = &target_of(*archetype);
  }
  return Outcome::done();
}

/// Finds the components of the listed entities' archetypes in the destination world, or registers them there. Goes
/// through the components in the order of their ids in the source world, so that components registered here have the
/// same order in both worlds. Then blocks have their columns in the same order, too, and can be exchanged.
/// Returns: success; or a refusal that names the first component that cannot be matched.
Outcome EntityTransfer::match_components() {
  std::vector<ComponentId> ids;
  for (const Archetype* const archetype : archetypes_) {
    const std::span<const ComponentId> own = archetype->signature().ids();
    ids.insert(ids.end(), own.begin(), own.end());
  }
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  for (const ComponentId id : ids) {
    if (Outcome matched = match_.add(id); !matched) return matched;
  }
  return Outcome::done();
}

/// Returns: the archetype in the destination world for the new entities whose original entities have `archetype`. It
/// has no tags of states (such as disabled) that the new entities inherit from an ancestor in the destination world;
/// `plan_targets` adds these tags.
Archetype& EntityTransfer::target_of(const Archetype& archetype) const {
  std::vector<ComponentId> ids;
  for (const ComponentId id : archetype.signature().ids()) {
    if (match_.find(id) != Registry::kUnknown) ids.push_back(match_.find(id));
  }
  return to_.store.archetypes().get(Signature(ids, to_.store.memory()));
}

Outcome EntityTransfer::list_members() {
  const Registry& registry = from_.store.registry();
  for (std::uint32_t id = 0; id < registry.size(); ++id) {
    SparsePool* const pool = from_.store.side().find(ComponentId{id});
    if (pool == nullptr || pool->size() == 0 || !match_.is_of_program(ComponentId{id})) continue;
    std::vector<std::uint32_t> positions;
    for (std::uint32_t position = 0; position < listed_.size(); ++position) {
      if (pool->contains(entities()[position])) positions.push_back(position);
    }
    if (positions.empty()) continue;
    if (Outcome matched = match_.add(ComponentId{id}); !matched) return matched;
    if (match_.find(ComponentId{id}) != Registry::kUnknown) members_.push_back({pool, std::move(positions)});
  }
  return Outcome::done();
}

void EntityTransfer::create(Entity above) {
  // Copying and moving values may run user code. That code must not change the destination world, because the new
  // entities there are not complete yet.
  const ChangeGuard::Moving moving(to_.store.guard());
  Rollback undo([&] { made_.undo(); });
  plan_targets(above);
  plan(above);
  append_rows();
  new_rows_.assign(made_.runs().begin(), made_.runs().end());
  // If values are not copied here, but moved later (`take_rows`), the new entities stay visible: moving them back, if
  // memory runs out, needs the places of their rows.
  if (copies_) {
    made_.hide_entities();
    ValueCopies copies(*this, made_);
    copies.build_rows();
    copies.build_members();
    made_.show_entities();
  }
  if (above) attach_roots(above);
  undo.dismiss();
  made_.keep();
}

void EntityTransfer::plan_targets(Entity above) {
  if (!above || !to_.store.tree_listened()) return;
  for (const Archetype* const archetype : archetypes_) {
    Archetype*& target = targets_[archetype->id()];
    target = &archetype_below(to_.store, *target, above.index());
  }
}

/// Prepares the creation of all new rows: chooses the handles of the new entities, creates the parent-child links and
/// the tables, and reserves the rows. If reserving rows may move values, it also creates the handles. `above` is the
/// parent of the new roots, or null.
void EntityTransfer::plan(Entity above) {
  const bool relocates = std::any_of(archetypes_.begin(), archetypes_.end(), [&](const Archetype* archetype) {
    return targets_[archetype->id()]->format().relocates();
  });
  const std::size_t families = listed_.families().size() + (above ? 1 : 0);
  to_.store.slots().require_room(listed_.size());
  // `branch_below` returns the branch (set of tables) for the new roots. It may also move rows to other tables: those
  // of the present children of `above`. Moving values may run user code that creates entities, so the handles of the
  // new entities are chosen after this call.
  Branch* branch = &made_.branch_below(above, root_count());
  // Reserving rows may move values of other rows, and that may run user code that creates entities. Such an entity
  // could get a handle that `reserve_handles` has chosen but not created. So if values may move (`relocates`), create
  // the handles now.
  relocates ? made_.issue(listed_.size(), families) : made_.reserve_handles(listed_.size(), families);
  auto count = static_cast<std::uint32_t>(root_count());  // Rows of this branch that are not planned yet.
  std::uint32_t depth = branch->rank;
  std::uint32_t level_end = count;
  for (const ListedEntities::Family& family : listed_.families()) {
    if (family.parent >= level_end) {
      level_end = family.first;
      ++depth;
    }
    Branch& next = made_.open_family(made_.handle(family.parent), depth, family.first, family.count);
    if (&next != branch) plan_rows(std::exchange(count, 0), *std::exchange(branch, &next));
    count += family.count;
  }
  plan_rows(count, *branch);
  for (const Stretch& stretch : stretches_) made_.reserve(*stretch.table, stretch.count);
}

/// Takes the first `count` entities of `entities()` that are not planned yet, and plans that their new rows go to
/// tables of `branch`, a set of tables with one for each archetype. Adds the plan to `stretches_`.
void EntityTransfer::plan_rows(std::uint32_t count, Branch& branch) {
  while (count != 0) {
    const RowRun& run = listed_.rows()[planned_run_];
    if (planned_in_run_ == 0 && run.count <= count && plan_block(run, branch)) {
      count -= run.count;
      ++planned_run_;
      continue;
    }
    const std::uint32_t planned = std::min(count, run.count - planned_in_run_);
    stretch_of(*run.block, branch).count += planned;
    count -= planned;
    planned_in_run_ += planned;
    if (planned_in_run_ != run.count) continue;
    planned_in_run_ = 0;
    ++planned_run_;
  }
}

/// Plans that the new rows for a run (adjacent rows of one block of the source world) take a whole block, so that the
/// two blocks can be exchanged instead of moving values. Does so only if the run fills a block that may be exchanged,
/// and the table of the new rows can get a block of the same layout.
/// Returns: whether the new rows were planned; if not, the caller plans them without an exchange.
bool EntityTransfer::plan_block(const RowRun& run, Branch& branch) {
  if (!exchanges_ || !exchange_.fills_block(run)) return false;
  Archetype& archetype = *targets_[table_of(*run.block).archetype().id()];
  Table& table = to_.store.tables().get(archetype, branch);
  if (!exchange_.fits(*run.block, table)) return false;
  stretches_.push_back({&table, &archetype, &branch, run.count, true});
  planned_ = nullptr;
  return true;
}

/// A stretch is a run of planned rows that go to one table.
/// Returns: the stretch to which the caller adds new rows, which go to `branch` (a set of tables) and whose original
/// rows are in `block`. This is the last stretch planned, if its rows go to the same table as the new rows and are not
/// a whole block to exchange (Stretch::is_block). Otherwise it is a new, empty stretch.
EntityTransfer::Stretch& EntityTransfer::stretch_of(const Block& block, Branch& branch) {
  if (&block == planned_ && stretches_.back().branch == &branch) return stretches_.back();
  planned_ = &block;
  Archetype& archetype = *targets_[table_of(block).archetype().id()];
  const bool is_next = !stretches_.empty() && !stretches_.back().is_block &&
                       stretches_.back().branch == &branch && stretches_.back().archetype == &archetype;
  if (!is_next)
    stretches_.push_back({&to_.store.tables().get(archetype, branch), &archetype, &branch, 0, false});
  return stretches_.back();
}

void EntityTransfer::append_rows() {
  std::uint32_t position = 0;
  for (const Stretch& stretch : stretches_) {
    for (std::uint32_t left = stretch.count; left != 0;) {
      const RowRun run =
          stretch.is_block ? made_.append_block(*stretch.table) : made_.append_next(*stretch.table, left);
      left -= run.count;
      const std::span<const Entity> entities = entities_of(run);
      std::copy(entities.begin(), entities.end(), created_.begin() + position);
      position += run.count;
    }
  }
}

void EntityTransfer::attach_roots(Entity above) {
  to_.links.add_new(created_[root_count() - 1].index());
  for (std::size_t i = 0; i < root_count(); ++i) to_.links.attach(created_[i].index(), above.index());
}

/// Calls `visit(Place here, Place there, count)` for each run of `count` entities whose rows are adjacent in both
/// worlds: from `here` on in the source world, and from `there` on in the destination world.
template <class Visit>
void EntityTransfer::for_each_run(Visit visit) const {
  const Slots& own = from_.store.slots();
  const Slots& others = to_.store.slots();
  const auto size = static_cast<std::uint32_t>(listed_.size());
  for (std::uint32_t i = 0; i < size;) {
    const Place here = own.place_of(entities()[i].index());
    const Place there = others.place_of(created_[i].index());
    std::uint32_t count = 1;
    for (; i + count < size; ++count) {
      const Place a = own.place_of(entities()[i + count].index());
      const Place b = others.place_of(created_[i + count].index());
      if (a.block != here.block || a.row != here.row + count || b.block != there.block ||
          b.row != there.row + count)
        break;
    }
    visit(here, there, count);
    i += count;
  }
}

void EntityTransfer::relocate_run(Place here, Place there, std::uint32_t count, bool back) noexcept {
  const BlockFormat& format = *there.block->format;
  for (const Column& column : here.block->format->columns()) {
    const ComponentId id = match_.find(column.id);
    if (id == Registry::kUnknown) continue;
    void* const own = here.block->value(column.prefix, here.row, column.size);
    void* const other = there.block->value(format.prefix_of(id), there.row, column.size);
    back ? column.relocate_values(own, other, count) : column.relocate_values(other, own, count);
  }
}

void EntityTransfer::relocate_row(std::size_t position, bool back) noexcept {
  relocate_run(from_.store.slots().place_of(entities()[position].index()),
               to_.store.slots().place_of(created_[position].index()), 1, back);
}

void EntityTransfer::take_rows() noexcept {
  const ChangeGuard::Moving here(from_.store.guard());
  const ChangeGuard::Moving there(to_.store.guard());
  for_each_pair(listed_.rows(), new_rows_, [&](Place own, Place other, std::uint32_t count) {
    if (!exchanges_ || !exchange_.exchange(own, other, count)) relocate_run(own, other, count, false);
  });
  exchange_.update(listed_.rows());
}

void EntityTransfer::relocate_rows(bool back) noexcept {
  const ChangeGuard::Moving here(from_.store.guard());
  const ChangeGuard::Moving there(to_.store.guard());
  for_each_run([&](Place own, Place other, std::uint32_t count) { relocate_run(own, other, count, back); });
}

void EntityTransfer::take_members() {
  const ChangeGuard::Moving here(from_.store.guard());
  const ChangeGuard::Moving there(to_.store.guard());
  for (const Members& members : members_) {
    const ComponentInfo& info = members.pool->component();
    SparsePool& pool = to_.store.side().get(match_.find(members.pool->id()));
    for (const std::uint32_t position : members.positions) {
      void* const value = pool.insert(created_[position]).value;
      if (!info.is_tag()) info.relocate_values(value, members.pool->find(entities()[position]), 1);
    }
  }
}

void EntityTransfer::relocate_members(bool back) noexcept {
  const ChangeGuard::Moving here(from_.store.guard());
  const ChangeGuard::Moving there(to_.store.guard());
  for (const Members& members : members_) {
    const ComponentInfo& info = members.pool->component();
    const SparsePool* const pool = to_.store.side().find(match_.find(members.pool->id()));
    if (pool == nullptr || info.is_tag()) continue;
    for (const std::uint32_t position : members.positions) {
      void* const other = pool->find(created_[position]);
      if (other == nullptr) continue;
      void* const own = members.pool->find(entities()[position]);
      back ? info.relocate_values(own, other, 1) : info.relocate_values(other, own, 1);
    }
  }
}

void EntityTransfer::undo() noexcept {
  const ChangeGuard::Moving here(from_.store.guard());
  const ChangeGuard::Moving there(to_.store.guard());
  for (std::size_t i = members_.size(); i-- > 0;) undo_members(members_[i]);
  for (std::size_t i = created_.size(); i-- > 0;) {
    to_.relations.remove_pairs_of(created_[i]);
    to_.store.side().erase(created_[i]);
  }
  if (exchanges_) undo_blocks();
  for (std::size_t i = created_.size(); i-- > 0;) undo_entity(i);
  to_.relations.destroy_dead();
}

void EntityTransfer::undo_members(const Members& members) noexcept {
  const ComponentInfo& info = members.pool->component();
  SparsePool* const pool = to_.store.side().find(match_.find(members.pool->id()));
  for (std::size_t i = members.positions.size(); pool != nullptr && i-- > 0;) {
    const std::uint32_t position = members.positions[i];
    if (!pool->contains(created_[position])) continue;
    if (!info.is_tag()) {
      const ChangeGuard::Moving moving(to_.store.guard());
      info.relocate_values(members.pool->find(entities()[position]), pool->find(created_[position]), 1);
    }
    pool->erase_moved(created_[position]);
  }
}

/// Moves the values of new rows that fill whole blocks back to the source world, and removes each of these blocks as a
/// whole. Removing rows one by one would move the table's last rows into the gaps. That would change the order of rows
/// that the table had before, because `append_rows` may have put a new block before the table's last block.
void EntityTransfer::undo_blocks() noexcept {
  Slots& slots = to_.store.slots();
  for (std::size_t first = 0; first < created_.size();) {
    const std::uint32_t count = count_in_block(to_.store, created_, first);
    const bool is_exchanged = count != 0 && count_in_block(from_.store, entities(), first) == count &&
                              exchange_.exchange_once(from_.store.slots().place_of(entities()[first].index()),
                                                      slots.place_of(created_[first].index()), count);
    for (std::size_t i = first; i < first + count; ++i) {
      if (!is_exchanged) relocate_row(i, true);
    }
    Block* const block = slots.place_of(created_[first].index()).block;
    for (std::size_t i = first; i < first + count; ++i) slots.hide(created_[i].index());
    if (count != 0) to_.store.rows().retract_block(*block);
    first += std::max<std::size_t>(count, 1);
  }
}

/// Moves the values that one new entity has in tables back to the source world, and removes the new entity. `undo`
/// calls this function for one entity after the other, instead of moving all values first: removing a row moves the
/// last row of the table into the gap, and that last row must still have its values.
void EntityTransfer::undo_entity(std::size_t position) noexcept {
  const Entity entity = created_[position];
  const std::uint32_t node = entity.index();
  if (to_.store.slots().is_live(node)) {  // Otherwise `undo_blocks` has removed the row.
    relocate_row(position, true);
    to_.store.rows().close_holes(to_.store.slots().place_of(node), 1);
  }
  const std::uint32_t parent = to_.links.parent(node);
  if (position < root_count() && parent != Links::kNone) {
    to_.links.detach(node);
    to_.rows.child_left(parent);
  }
  to_.store.slots().release(node);
  to_.rows.forget(node);
}

}  // namespace strata::detail
