#include "entity_transfer.hpp"

#include <algorithm>

#include "../families/family_rows.hpp"
#include "../saving/part_entity.hpp"
#include "../states/state_flags.hpp"
#include "value_copies.hpp"

namespace strata::detail {
EntityTransfer::EntityTransfer(const SavedParts& from, const LoadedParts& to, bool copies, bool marks,
                               Undescribed undescribed)
    : from_(from),
      to_(to),
      match_(from, to, copies, undescribed),
      made_(to.store, to.links, to.rows),
      copies_(copies),
      marks_(marks) {}

Outcome EntityTransfer::list(std::span<const Entity> roots) {
  list_entities(roots);
  Outcome listed = list_archetypes();
  return listed ? list_members() : listed;
}

void EntityTransfer::list_entities(std::span<const Entity> roots) {
  entities_.assign(roots.begin(), roots.end());
  root_count_ = roots.size();
  RowRun run{nullptr, 0, 0};
  for (const Entity root : roots) extend_rows(run, from_.store.slots().place_of(root.index()));
  if (!rows_.empty()) rows_.back() = run;
  for (std::uint32_t position = 0; position < entities_.size(); ++position) {
    const auto first = static_cast<std::uint32_t>(entities_.size());
    const Links::Family* const family = from_.links.find_family(entities_[position].index());
    if (family == nullptr) continue;
    if (family->chooses_layout != 0) chosen_layouts_.push_back(position);
    if (family->count == 0) continue;
    list_children(*family);
    families_.push_back({position, first, static_cast<std::uint32_t>(entities_.size()) - first});
  }
  created_.resize(entities_.size());
}

/// Appends the children of an entity to `entities_`, the list of entities to transfer, and their rows to `rows_`.
/// `family` is the record of these children.
void EntityTransfer::list_children(const Links::Family& family) {
  entities_.resize(entities_.size() + family.count);
  Entity* next = entities_.data() + entities_.size() - family.count;
  RowRun run = rows_.back();
  for (std::uint32_t child = family.first; child != Links::kNone; child = from_.links.next_of_linked(child)) {
    *next++ = from_.store.slots().handle_of(child);
    extend_rows(run, from_.store.slots().place_of(child));
  }
  rows_.back() = run;
}

/// Adds a row to `rows_`, a list of runs (ranges of adjacent rows). Most rows directly follow the row that was added
/// before, so that most calls only extend the last run. `run` is the caller's copy of this last run. When another run
/// begins, the copy is written to `rows_`; after the last call, the caller writes it.
void EntityTransfer::extend_rows(RowRun& run, Place row) {
  if (row.block == run.block && row.row == run.row + run.count) {
    ++run.count;
    return;
  }
  if (!rows_.empty()) rows_.back() = run;
  run = {row.block, row.row, 1};
  rows_.push_back(run);
}

Outcome EntityTransfer::list_archetypes() {
  const Block* last = nullptr;
  for (const RowRun& run : rows_) {
    if (run.block == last) continue;
    last = run.block;
    const Archetype& archetype = table_of(*last).archetype();
    if (archetype.id() >= targets_.size()) targets_.resize(archetype.id() + 1);
    if (targets_[archetype.id()] != nullptr) continue;
    for (const ComponentId id : archetype.signature().ids()) {
      if (Outcome matched = match_.add(id); !matched) return matched;
    }
    targets_[archetype.id()] = &target_of(archetype);
    archetypes_.push_back(&archetype);
  }
  return Outcome::done();
}

/// Returns: the archetype of the new entities in the destination world whose originals have `archetype`. It has no tags
/// of states that the new entities inherit from an ancestor there, such as being disabled; `plan_targets` adds these.
Archetype& EntityTransfer::target_of(const Archetype& archetype) const {
  std::vector<ComponentId> ids;
  for (const ComponentId id : archetype.signature().ids()) {
    if (match_.find(id) != Registry::kUnknown) ids.push_back(match_.find(id));
  }
  if (marks_) ids.push_back(to_.store.registry().id_of<OriginalHandle>());
  return to_.store.archetypes().get(Signature(ids, to_.store.memory()));
}

Outcome EntityTransfer::list_members() {
  const Registry& registry = from_.store.registry();
  for (std::uint32_t id = 0; id < registry.size(); ++id) {
    SparsePool* const pool = from_.store.side().find(ComponentId{id});
    if (pool == nullptr || pool->size() == 0) continue;
    std::vector<std::uint32_t> positions;
    for (std::uint32_t position = 0; position < entities_.size(); ++position) {
      if (pool->contains(entities_[position])) positions.push_back(position);
    }
    if (positions.empty()) continue;
    if (Outcome matched = match_.add(ComponentId{id}); !matched) return matched;
    if (match_.find(ComponentId{id}) != Registry::kUnknown) members_.push_back({pool, std::move(positions)});
  }
  return Outcome::done();
}

void EntityTransfer::create(Entity above) {
  // Copying and moving values may run user code. That code must not change the world, because the new entities are not
  // complete yet.
  const ChangeGuard::Moving moving(to_.store.guard());
  Rollback undo([&] { made_.undo(); });
  plan_targets(above);
  plan(above);
  append_rows();
  new_rows_.assign(made_.runs().begin(), made_.runs().end());
  made_.hide_entities();
  ValueCopies copies(*this, made_);
  if (copies_) copies.build_rows();
  made_.show_entities();
  if (copies_) copies.build_members();
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

/// Prepares the creation of all new rows: creates or reserves the handles, creates the parent-child links and the
/// tables, and reserves the rows. `above` is the parent of the new roots, or null.
void EntityTransfer::plan(Entity above) {
  const bool relocates = std::any_of(archetypes_.begin(), archetypes_.end(), [&](const Archetype* archetype) {
    return targets_[archetype->id()]->format().relocates();
  });
  const std::size_t families = families_.size() + (above ? 1 : 0);
  // Reserving rows may move values of other rows, and that may run user code that creates entities. In this case,
  // create the handles now, instead of only reserving them.
  relocates ? made_.issue(entities_.size(), families) : made_.reserve_handles(entities_.size(), families);
  Branch& top = made_.branch_below(above, root_count_);
  plan_rows(static_cast<std::uint32_t>(root_count_), top);
  std::uint32_t depth = top.rank;
  auto level_end = static_cast<std::uint32_t>(root_count_);
  for (const Family& family : families_) {
    if (family.parent >= level_end) {
      level_end = family.first;
      ++depth;
    }
    Branch& branch = made_.open_family(made_.handle(family.parent), depth, family.first, family.count);
    plan_rows(family.count, branch);
  }
  for (const Stretch& stretch : stretches_) made_.reserve(*stretch.table, stretch.count);
}

/// Plans that the new rows of the next `count` entities go to tables of `branch`, a set of tables with one for each
/// archetype. The plan is `stretches_`.
void EntityTransfer::plan_rows(std::uint32_t count, Branch& branch) {
  while (count != 0) {
    const RowRun& run = rows_[planned_run_];
    const std::uint32_t planned = std::min(count, run.count - planned_in_run_);
    stretch_of(*run.block, branch).count += planned;
    count -= planned;
    planned_in_run_ += planned;
    if (planned_in_run_ != run.count) continue;
    planned_in_run_ = 0;
    ++planned_run_;
  }
}

/// A stretch is a run of planned rows that go to one table.
/// Returns: the stretch for new rows in `branch` (a set of tables) whose original rows are in `block`. This is the last
/// stretch if it has the right table, otherwise a new one.
EntityTransfer::Stretch& EntityTransfer::stretch_of(const Block& block, Branch& branch) {
  if (&block == planned_ && stretches_.back().branch == &branch) return stretches_.back();
  planned_ = &block;
  Archetype& archetype = *targets_[table_of(block).archetype().id()];
  const bool is_next =
      !stretches_.empty() && stretches_.back().branch == &branch && stretches_.back().archetype == &archetype;
  if (!is_next) stretches_.push_back({&to_.store.tables().get(archetype, branch), &archetype, &branch, 0});
  return stretches_.back();
}

void EntityTransfer::append_rows() {
  const ComponentId mark = marks_ ? to_.store.registry().id_of<OriginalHandle>() : Registry::kUnknown;
  std::uint32_t position = 0;
  for (const Stretch& stretch : stretches_) {
    for (std::uint32_t left = stretch.count; left != 0;) {
      const RowRun run = made_.append_next(*stretch.table, left);
      left -= run.count;
      const std::span<const Entity> entities = entities_of(run);
      std::copy(entities.begin(), entities.end(), created_.begin() + position);
      auto* const marks =
          marks_ ? static_cast<OriginalHandle*>(run.block->format->find(*run.block, run.row, mark)) : nullptr;
      for (std::uint32_t i = 0; marks_ && i < run.count; ++i) marks[i].bits = entities_[position + i].bits();
      position += run.count;
    }
  }
}

void EntityTransfer::attach_roots(Entity above) {
  to_.links.add_new(created_[root_count_ - 1].index());
  for (std::size_t i = 0; i < root_count_; ++i) to_.links.attach(created_[i].index(), above.index());
}

/// Calls `visit(Place here, Place there, count)` for each run of `count` entities whose rows are adjacent in both
/// worlds: from `here` on in the source world, and from `there` on in the destination world.
template <class Visit>
void EntityTransfer::for_each_run(Visit visit) const {
  const Slots& own = from_.store.slots();
  const Slots& others = to_.store.slots();
  const auto size = static_cast<std::uint32_t>(entities_.size());
  for (std::uint32_t i = 0; i < size;) {
    const Place here = own.place_of(entities_[i].index());
    const Place there = others.place_of(created_[i].index());
    std::uint32_t count = 1;
    for (; i + count < size; ++count) {
      const Place a = own.place_of(entities_[i + count].index());
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
  relocate_run(from_.store.slots().place_of(entities_[position].index()),
               to_.store.slots().place_of(created_[position].index()), 1, back);
}

void EntityTransfer::take_rows() noexcept {
  const ChangeGuard::Moving here(from_.store.guard());
  const ChangeGuard::Moving there(to_.store.guard());
  for_each_pair(rows_, new_rows_,
                [&](Place own, Place other, std::uint32_t count) { relocate_run(own, other, count, false); });
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
      if (!info.is_tag()) info.relocate_values(value, members.pool->find(entities_[position]), 1);
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
      void* const own = members.pool->find(entities_[position]);
      back ? info.relocate_values(own, other, 1) : info.relocate_values(other, own, 1);
    }
  }
}

void EntityTransfer::undo() noexcept {
  for (std::size_t i = members_.size(); i-- > 0;) undo_members(members_[i]);
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
      info.relocate_values(members.pool->find(entities_[position]), pool->find(created_[position]), 1);
    }
    pool->erase_moved(created_[position]);
  }
}

/// Moves the values that a new entity has in tables back to the source world, and removes the new entity. `undo` does
/// both for one entity after the other: removing a row moves the last row of the table into its place, and that row
/// must still have its values.
void EntityTransfer::undo_entity(std::size_t position) noexcept {
  const Entity entity = created_[position];
  const std::uint32_t node = entity.index();
  to_.relations.remove_pairs_of(entity);
  to_.store.side().erase(entity);
  relocate_row(position, true);
  to_.store.rows().close_holes(to_.store.slots().place_of(node), 1);
  const std::uint32_t parent = to_.links.parent(node);
  if (position < root_count_ && parent != Links::kNone) {
    to_.links.detach(node);
    to_.rows.child_left(parent);
  }
  to_.store.slots().release(node);
  to_.rows.forget(node);
}

}  // namespace strata::detail
