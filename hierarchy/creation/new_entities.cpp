#include "new_entities.hpp"

#include <algorithm>

#include "../families/family_rows.hpp"
#include "../states/state_flags.hpp"

namespace strata::detail {
namespace {

// After a creation, the lists of NewEntities keep their memory for the next creation. Only a list with room for more
// than kMostKept elements frees its memory.
constexpr std::size_t kMostKept = 16 * 1024;

template <class List>
void empty(List& list) noexcept {
  list.clear();
  if (list.capacity() > kMostKept) list.shrink_to_fit();
}

}  // namespace

NewEntities::NewEntities(Store& store, Links& links, FamilyRows& rows)
    : store_(store),
      links_(links),
      rows_(rows),
      layout_(rows_.layout_of_roots()),
      handles_(store_.memory()),
      tables_(store_.memory()),
      runs_(store_.memory()),
      built_(store_.memory()),
      pools_(store_.memory()) {}

void NewEntities::issue(std::size_t count, std::size_t families) {
  store_.slots().require_room(count);
  handles_.resize(count);
  Rollback none_issued([&] { handles_.clear(); });
  store_.slots().reserve_all(handles_);
  none_issued.dismiss();
  links_.reserve_families(families);
  if (families != 0 && count != 0) links_.reserve(highest_index());
}

void NewEntities::reserve_handles(std::size_t count, std::size_t families) {
  Slots& slots = store_.slots();
  slots.require_room(count);
  const std::size_t recycled = std::min<std::size_t>(count, slots.free_count());
  const auto created = static_cast<std::uint32_t>(count - recycled);
  if (created != 0) slots.make_room(created);
  store_.rows().changes().moved().reserve(std::size_t{slots.size()} + created);
  if (families != 0 && created != 0) links_.reserve_new(slots.size(), created);
  issue(recycled, families);
  first_new_ = slots.next_new();
  new_count_ = created;
}

/// Returns: the highest slot index of the handles in `handles_`. In this list, handles with reused slots come first, in
/// any order, then handles with new slots, in ascending order. So if the last handle has the newest slot of the world,
/// no other handle needs to be looked at.
/// Contract: `handles_` is not empty.
std::uint32_t NewEntities::highest_index() const {
  if (handles_.back().index() + 1 == store_.slots().size()) return handles_.back().index();
  return std::max_element(handles_.begin(), handles_.end(),
                          [](Entity a, Entity b) { return a.index() < b.index(); })
      ->index();
}

Branch& NewEntities::branch_below(Entity parent, std::size_t children) {
  if (parent) links_.reserve_families(1);
  layout_ = parent ? rows_.layout_below(parent.index()) : rows_.layout_of_roots();
  return parent ? rows_.branch_for_children(parent.index(), children) : rows_.branches().root();
}

Table& NewEntities::begin(Archetype& archetype, Entity above, std::size_t count) {
  // `branch_below` may move rows. That may run user code, which may record commands that take free handles. So this
  // function reserves the handles of the new entities after that call.
  const bool may_be_disabled = above && store_.tree_listened();
  Archetype& own = may_be_disabled ? archetype_below(store_, archetype, above.index()) : archetype;
  Table& table = store_.tables().get(own, branch_below(above, count));
  reserve(table, count);
  reserve_handles(count, above ? 1 : 0);
  return table;
}

void NewEntities::hide_entities(const RowRun& run) noexcept {
  for (const Entity entity : entities_of(run)) store_.slots().hide(entity.index());
}

void NewEntities::show_entities(const RowRun& run) noexcept {
  store_.slots().place_all(entities_of(run), {run.block, run.row});
}

void NewEntities::reserve(Table& table, std::size_t count) {
  reserve_one(tables_);
  tables_.push_back(&table);
  store_.rows().reserve(table, static_cast<std::uint32_t>(count));
}

RowRun NewEntities::append_next(Table& table, std::size_t most) {
  const std::size_t recycled = handles_.size();
  if (next_ < recycled) {
    return append(table, std::min(most, recycled - next_), [&] { return handles_[next_++]; });
  }
  const RowRun run = append_run(table, most, [&](const RowRun& made) {
    store_.slots().append_placed(made.count, {made.block, made.row}, entities_of(made).data());
  });
  next_ += run.count;
  return run;
}

RowRun NewEntities::append_block(Table& table) {
  reserve_one(runs_);
  runs_.push_back(store_.rows().append_block(table, [&](const RowRun& run) { name_next(run); }));
  return runs_.back();
}

/// Assigns the next new entities to the rows of `run`, which are adjacent new rows: first entities that reuse a slot,
/// then entities with new slots.
void NewEntities::name_next(const RowRun& run) noexcept {
  const std::span<Entity> entities = entities_of(run);
  const std::size_t left = handles_.size() - std::min(next_, handles_.size());
  const std::size_t recycled = std::min(left, entities.size());
  std::copy_n(handles_.data() + (handles_.size() - left), recycled, entities.data());
  store_.slots().place_all(entities.first(recycled), {run.block, run.row});
  const auto created = static_cast<std::uint32_t>(entities.size() - recycled);
  if (created != 0)
    store_.slots().append_placed(created, {run.block, run.row + static_cast<std::uint32_t>(recycled)},
                                 entities.data() + recycled);
  next_ += entities.size();
}

Branch& NewEntities::open_family(Entity parent, std::uint32_t depth, std::size_t first, std::uint32_t count) {
  Branch& branch = rows_.open_branch(parent.index(), depth, layout_, count);
  repeat_family(parent, first, count, branch);
  return branch;
}

void NewEntities::repeat_family(Entity parent, std::size_t first, std::uint32_t count,
                                const Branch& branch) noexcept {
  const auto create = [&](auto child_at) {
    links_.create_family(parent.index(), count, layout_, branch.number, child_at);
  };
  if (first < handles_.size()) {
    create([&](std::uint32_t i) { return handle(first + i).index(); });
  } else {
    create([child = handle(first).index()](std::uint32_t i) { return child + i; });
  }
}

void NewEntities::repeat_family(Entity parent, std::span<const Entity> children,
                                const Branch& branch) noexcept {
  links_.create_family(parent.index(), static_cast<std::uint32_t>(children.size()), layout_, branch.number,
                       [children](std::uint32_t i) { return children[i].index(); });
}

void NewEntities::reserve_members(SparsePool& pool) {
  for (const Joined& joined : pools_) {
    if (joined.pool == &pool) return;
  }
  reserve_one(pools_);
  pools_.push_back({&pool, pool.size()});
}

/// Reserves memory for one more element of `built_`, so that `record` cannot fail.
void NewEntities::reserve_record() {
  reserve_one(built_);
}

void NewEntities::record(const Built& built) noexcept {
  built_.push_back(built);
}

/// Destroys the values that were built in tables. Destructors may run user code, which must not find entities that have
/// lost values. So the entities are hidden from look-ups by handle first.
void NewEntities::destroy_values() noexcept {
  if (built_.empty()) return;
  hide_entities();
  const ChangeGuard::Moving moving(store_.guard());
  for (std::size_t i = built_.size(); i-- > 0;) {
    built_[i].component->destroy_values(built_[i].values, built_[i].count);
  }
}

void NewEntities::undo() noexcept {
  destroy_values();
  for (std::size_t i = pools_.size(); i-- > 0;) {
    for (std::size_t entity = size(); entity-- > 0;) pools_[i].pool->erase(handle(entity));
  }
  for (std::size_t i = runs_.size(); i-- > 0;) {
    const RowRun& run = runs_[i];
    run.count == run.block->capacity ? store_.rows().retract_block(*run.block)
                                     : store_.rows().retract(table_of(*run.block), run.count);
  }
  for (Table* table : tables_) store_.rows().release_reservations(*table);
  // `forget` clears the links of one entity, but does not take it out of its parent's list of children. That is not
  // necessary: the parents and children of new entities are new entities, too, and lose their links here as well.
  for (std::size_t i = size(); i-- > 0;) rows_.forget(handle(i).index());
  take_handles_back();
  keep();
}

void NewEntities::take_handles_back() noexcept {
  Slots& slots = store_.slots();
  // `append_next` has made slots for the handles that are not in `handles_`. These slots are not removed but become
  // free slots. If user code may have seen the handles (`shown_`), they become stale; otherwise they may be issued
  // again.
  for (; next_ > handles_.size(); --next_) {
    const std::uint32_t index = handle(next_ - 1).index();
    shown_ ? slots.release(index) : slots.cancel(index);
  }
  if (!shown_) return slots.cancel_all(handles_);
  for (std::size_t i = handles_.size(); i-- > 0;) slots.release(handles_[i].index());
}

void NewEntities::attach_all(Entity above) noexcept {
  links_.add_new(handle(size() - 1).index());
  for (const RowRun& run : runs_) links_.attach_all(entities_of(run), above.index());
}

void NewEntities::keep() noexcept {
  empty(handles_);
  new_count_ = next_ = 0;
  shown_ = false;
  empty(tables_);
  empty(runs_);
  empty(built_);
  empty(pools_);
}

}  // namespace strata::detail
