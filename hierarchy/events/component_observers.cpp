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
    : store_(store), world_(world), count_(count), by_id_(store.memory()), ids_(store.memory()) {}

ComponentObservers::~ComponentObservers() {
  for (Lists* const lists : by_id_) delete lists;
}

ObserverList& ComponentObservers::list(ComponentId id, Happening happening) {
  return lists(id).of[static_cast<std::size_t>(happening)];
}

ComponentObservers::Lists& ComponentObservers::lists(ComponentId id) {
  if (Lists* const known = find(id)) return *known;
  if (to_index(id) >= by_id_.size()) by_id_.resize(to_index(id) + 1, nullptr);
  ids_.reserve(ids_.size() + 1);
  auto* const created = new Lists(store_.memory(), count_);
  by_id_[to_index(id)] = created;
  ids_.insert(static_cast<std::size_t>(std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin()), id);
  return *created;
}

void ComponentObservers::note_hooks(ComponentId id) {
  const bool has_hooks = store_.registry()[id].hooks.any();
  if (!has_hooks && find(id) == nullptr) return;
  Lists& noted = lists(id);
  if (noted.has_hooks != has_hooks) count_.add(has_hooks ? 1 : -1);
  noted.has_hooks = has_hooks;
}

/// Calls `visit(id, lists)` for each observed component, by id. Functions that are told may observe others
/// meanwhile, which are visited if they come later.
template <class Visit>
void ComponentObservers::for_each_observed(Visit visit) {
  std::size_t count = ids_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const ComponentId id = ids_[i];
    visit(id, *by_id_[to_index(id)]);
    if (ids_.size() == count) continue;
    count = ids_.size();
    i = static_cast<std::size_t>(std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin());
  }
}

void ComponentObservers::call_hook(ComponentId id, Happening happening, Entity entity, void* now,
                                   const void* old, FirstError& error) {
  const ComponentHooks::Hook hook = hook_of(store_.registry()[id].hooks, happening);
  if (hook != nullptr) error.catching([&] { hook(*world_, entity, now, old); });
}

void ComponentObservers::tell(ComponentId id, Happening happening, Entity entity, void* now, const void* old,
                              FirstError& error) {
  Lists* const lists = find(id);
  if (lists != nullptr && lists->tells(happening)) tell(*lists, id, happening, entity, now, old, error);
}

void ComponentObservers::tell_added(ComponentId id, Entity entity, void* value, FirstError& error) {
  tell(id, Happening::add, entity, value, nullptr, error);
  if (value != nullptr) tell(id, Happening::set, entity, value, nullptr, error);
}

void ComponentObservers::tell(Lists& lists, ComponentId id, Happening happening, Entity entity, void* now,
                              const void* old, FirstError& error) {
  ObserverList& observers = lists.of[static_cast<std::size_t>(happening)];
  const bool goes = happening == Happening::remove;
  if (lists.has_hooks && !goes) call_hook(id, happening, entity, now, old, error);
  if (observers.any()) observers.tell(entity, now, old, error);
  if (lists.has_hooks && goes) call_hook(id, happening, entity, now, old, error);
}

void ComponentObservers::tell_created(std::span<const Entity> entities, FirstError& error) {
  for_each_observed([&](ComponentId id, Lists& lists) {
    if (lists.tells(Happening::add)) tell_each(lists, id, Happening::add, entities, error);
    if (lists.tells(Happening::set)) tell_each(lists, id, Happening::set, entities, error);
  });
}

void ComponentObservers::tell_destroying(std::span<const Entity> entities, FirstError& error) {
  for_each_observed([&](ComponentId id, Lists& lists) {
    if (lists.tells(Happening::remove)) tell_each(lists, id, Happening::remove, entities, error);
  });
}

/// Tells of what happens to the value of a component that an entity has; of nothing if it has none.
void ComponentObservers::tell_one(Lists& lists, ComponentId id, Happening happening, Entity entity,
                                  FirstError& error) {
  const Place place = store_.slots().place_of(entity.index());
  const BlockFormat& format = *place.block->format;
  void* value = nullptr;
  if (format.contains(id)) {
    value = format.find(*place.block, place.row, id);
  } else {
    const SparsePool* const pool = store_.side().find(id);
    const std::uint32_t position = pool != nullptr ? pool->position_of(entity) : SparsePool::kAbsent;
    if (position == SparsePool::kAbsent) return;
    value = pool->value_at(position);
  }
  if (happening == Happening::set && value == nullptr) return;  // A tag has no value.
  tell(lists, id, happening, entity, value, nullptr, error);
}

void ComponentObservers::tell_run(ComponentId id, Happening happening, std::span<const Entity> entities,
                                  void* values, std::size_t stride, FirstError& error) {
  Lists& lists = *find(id);
  ObserverList& observers = lists.of[static_cast<std::size_t>(happening)];
  auto* const bytes = static_cast<std::byte*>(values);
  const bool goes = happening == Happening::remove;
  const auto call_hooks = [&] {
    if (hook_of(store_.registry()[id].hooks, happening) == nullptr) return;
    for (std::size_t i = 0; i < entities.size(); ++i) {
      call_hook(id, happening, entities[i], bytes + i * stride, nullptr, error);
    }
  };
  if (lists.has_hooks && !goes) call_hooks();
  if (observers.any()) observers.tell_each(entities, bytes, stride, error);
  if (lists.has_hooks && goes) call_hooks();
}

/// Tells of what happens to all values of a component that these entities have. Entities without the component
/// are left out.
void ComponentObservers::tell_each(Lists& lists, ComponentId id, Happening happening,
                                   std::span<const Entity> entities, FirstError& error) {
  if (entities.size() == 1) return tell_one(lists, id, happening, entities.front(), error);
  const ComponentInfo& component = store_.registry()[id];
  if (component.is_tag() && happening == Happening::set) return;  // A tag has no value.
  if (component.storage == Storage::sparse) {
    const SparsePool* const pool = store_.side().find(id);
    for (std::size_t i = 0; pool != nullptr && i < entities.size(); ++i) {
      const std::uint32_t position = pool->position_of(entities[i]);
      if (position == SparsePool::kAbsent) continue;
      tell_run(id, happening, entities.subspan(i, 1), pool->value_at(position), 0, error);
    }
    return;
  }
  for (std::size_t i = 0; i < entities.size();) {
    const Place first = store_.slots().place_of(entities[i].index());
    const std::size_t begin = i++;
    const BlockFormat& format = *first.block->format;
    if (!format.contains(id)) continue;
    // Entities whose rows follow each other are told of as one run.
    const Entity* const rows = format.entities(*first.block);
    for (std::uint32_t row = first.row + 1;
         i < entities.size() && row < first.block->count && rows[row] == entities[i]; ++row) {
      ++i;
    }
    tell_run(id, happening, entities.subspan(begin, i - begin), format.find(*first.block, first.row, id),
             component.size, error);
  }
}

}  // namespace strata::detail
