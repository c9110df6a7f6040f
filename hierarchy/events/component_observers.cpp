#include "component_observers.hpp"

#include <algorithm>

#include "../../core/rollback.hpp"

namespace strata::detail {
namespace {

ComponentHooks::Hook hook_of(const ComponentHooks& hooks, Happening happening) {
  switch (happening) {
    case Happening::add:
      return hooks.on_add;
    case Happening::set:
      return hooks.on_set;
    case Happening::replace:
      return hooks.on_replace;
    default:
      return hooks.on_remove;
  }
}

}  // namespace

ComponentObservers::ComponentObservers(Store& store, World* const& world, ObserverCount& count)
    : store_(store), world_(world), count_(count), by_id_(store.memory()), observed_(store.memory()) {}

ComponentObservers::~ComponentObservers() {
  for (Lists* const lists : observed_) delete lists;
}

void ComponentObservers::end_all() noexcept {
  for (std::size_t i = 0; i < observed_.size(); ++i) {
    for (ObserverList& observers : observed_[i]->of) observers.end_all();
  }
}

ObserverList& ComponentObservers::list(ComponentId id, Happening happening) {
  return lists(id).of[static_cast<std::size_t>(happening)];
}

ComponentObservers::Lists& ComponentObservers::lists(ComponentId id) {
  if (Lists* const known = find(id)) return *known;
  if (to_index(id) >= by_id_.size()) by_id_.resize(to_index(id) + 1, nullptr);
  observed_.reserve(observed_.size() + 1);
  auto* const created = new Lists(store_.registry()[id], id, store_.memory(), count_);
  by_id_[to_index(id)] = created;
  observed_.insert(position_of(id), created);
  return *created;
}

/// Returns: the number of observed components whose ids are lower than `id`. This is the index of `id` in `observed_`,
/// which is sorted by id, or the index at which to insert it.
std::size_t ComponentObservers::position_of(ComponentId id) const {
  const auto found =
      std::lower_bound(observed_.begin(), observed_.end(), id,
                       [](const Lists* lists, ComponentId other) { return lists->id < other; });
  return static_cast<std::size_t>(found - observed_.begin());
}

void ComponentObservers::mark_hooks(ComponentId id) {
  const bool has_hooks = store_.registry()[id].hooks.any();
  if (!has_hooks && find(id) == nullptr) return;
  Lists& of_component = lists(id);
  if (of_component.has_hooks != has_hooks) count_.add(has_hooks ? 1 : -1);
  of_component.has_hooks = has_hooks;
}

void ComponentObservers::call_hook(ComponentId id, Happening happening, Entity entity, void* now,
                                   const void* old, FirstError& error) {
  const ComponentHooks::Hook hook = hook_of(store_.registry()[id].hooks, happening);
  if (hook != nullptr) error.catching([&] { hook(*world_, entity, now, old); });
}

void ComponentObservers::notify_removed(ComponentId id, Entity entity, FirstError& error) {
  Lists* const lists = find(id);
  if (lists == nullptr || !lists->notifies(Happening::remove)) return;
  const Held held = find_held(*lists, entity);
  notify(*lists, Happening::remove, entity, held.value, nullptr, error);
}

void ComponentObservers::notify_with_hooks(Lists& lists, Happening happening, Entity entity, void* now,
                                           const void* old, FirstError& error) {
  ObserverList& observers = lists.of[static_cast<std::size_t>(happening)];
  const bool goes = happening == Happening::remove;
  if (!goes) call_hook(lists.id, happening, entity, now, old, error);
  observers.notify(entity, now, old, error);
  if (goes) call_hook(lists.id, happening, entity, now, old, error);
}

void ComponentObservers::notify_created(std::span<const Entity> entities, FirstError& error) {
  for_each_observed([&](Lists& lists) {
    notify_each(lists, Happening::add, entities, error);
    notify_each(lists, Happening::set, entities, error);
  });
}

void ComponentObservers::notify_destroying(std::span<const Entity> entities, FirstError& error) {
  for_each_observed([&](Lists& lists) { notify_each(lists, Happening::remove, entities, error); });
}

/// Does the work of `find_held` for a component without a column of values in the table of the entity. `prefix` is the
/// result of BlockFormat::prefix_of: kTag means that the table has the component as a tag. Otherwise the component is
/// looked up in its sparse set.
/// Returns: whether the entity has the component, and the address of its value. The address is null for a tag, and if
/// the entity does not have the component.
ComponentObservers::Held ComponentObservers::find_beside_row(const Lists& lists, std::uint32_t prefix,
                                                             Entity entity) const {
  if (prefix == BlockFormat::kTag) return {true, nullptr};
  const SparsePool* const pool = store_.side().find(lists.id);
  const std::uint32_t position = pool != nullptr ? pool->position_of(entity) : SparsePool::kAbsent;
  if (position == SparsePool::kAbsent) return {false, nullptr};
  return {true, pool->value_at(position)};
}

void ComponentObservers::notify_run(Lists& lists, Happening happening, std::span<const Entity> entities,
                                    void* values, std::size_t stride, FirstError& error) {
  ObserverList& observers = lists.of[static_cast<std::size_t>(happening)];
  auto* const bytes = static_cast<std::byte*>(values);
  const bool goes = happening == Happening::remove;
  const auto call_hooks = [&] {
    if (hook_of(store_.registry()[lists.id].hooks, happening) == nullptr) return;
    for (std::size_t i = 0; i < entities.size(); ++i) {
      call_hook(lists.id, happening, entities[i], bytes + i * stride, nullptr, error);
    }
  };
  if (lists.has_hooks && !goes) call_hooks();
  if (observers.any()) observers.notify_each(entities, bytes, stride, error);
  if (lists.has_hooks && goes) call_hooks();
}

/// Calls the hooks and observers of one component for each entity in `entities` that has the component. `happening` is
/// the kind of change that they are notified of.
void ComponentObservers::notify_each(Lists& lists, Happening happening, std::span<const Entity> entities,
                                     FirstError& error) {
  if (!lists.notifies(happening)) return;
  const ComponentInfo& component = store_.registry()[lists.id];
  if (component.is_tag() && happening == Happening::set) return;  // A tag has no value.
  if (component.storage == Storage::sparse) {
    const SparsePool* const pool = store_.side().find(lists.id);
    for (std::size_t i = 0; pool != nullptr && i < entities.size(); ++i) {
      const std::uint32_t position = pool->position_of(entities[i]);
      if (position == SparsePool::kAbsent) continue;
      notify_run(lists, happening, entities.subspan(i, 1), pool->value_at(position), 0, error);
    }
    return;
  }
  for (std::size_t i = 0; i < entities.size();) {
    const Place first = store_.slots().place_of(entities[i].index());
    const std::size_t begin = i++;
    const Held held = find_held(lists, entities[begin]);
    if (!held.has) continue;
    // Entities in adjacent rows are reported together, in one call.
    const Entity* const rows = first.block->format->entities(*first.block);
    for (std::uint32_t row = first.row + 1;
         i < entities.size() && row < first.block->count && rows[row] == entities[i]; ++row) {
      ++i;
    }
    notify_run(lists, happening, entities.subspan(begin, i - begin), held.value, lists.size, error);
  }
}

}  // namespace strata::detail
