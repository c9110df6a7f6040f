#include "change_notifier.hpp"

#include "../links/walks.hpp"

namespace strata::detail {

ChangeNotifier::ChangeNotifier(Store& store, const Links& links)
    : store_(store),
      links_(links),
      count_{[](void* notifier, bool) noexcept { static_cast<ChangeNotifier*>(notifier)->update_guard(); },
             this},
      components_(store, world_, count_),
      monitors_(store, links, count_),
      of_entities_{ObserverList(store.memory(), &count_), ObserverList(store.memory(), &count_),
                   ObserverList(store.memory(), &count_), ObserverList(store.memory(), &count_),
                   ObserverList(store.memory(), &count_), ObserverList(store.memory(), &count_),
                   ObserverList(store.memory(), &count_)} {
  store_.set_listener(this);
  store_.registry().on_hooks(
      [](void* notifier, ComponentId id) {
        static_cast<ChangeNotifier*>(notifier)->components_.mark_hooks(id);
      },
      this);
}

ChangeNotifier::~ChangeNotifier() {
  count_.any_changed = nullptr;
  store_.registry().on_hooks(nullptr, nullptr);
}

void ChangeNotifier::update_guard() noexcept {
  store_.guard().mark_listened(count_.count != 0 && pauses_ == 0);
}

void ChangeNotifier::pause() noexcept {
  ++pauses_;
  update_guard();
}

void ChangeNotifier::resume() noexcept {
  --pauses_;
  update_guard();
}

/// Reports a broken contract: calls of observers nest more than kMostNested deep. The ContractViolation is kept in
/// `error_`, like an exception of an observer, and is thrown when the change that the observers react to is complete.
void ChangeNotifier::refuse_nested() noexcept {
  error_.catching([] {
    STRATA_EXPECTS(false, "an observer sets a value, which calls an observer, and so on, " +
                              std::to_string(kMostNested) +
                              " times: let one of them stop, or record a command instead");
  });
}

void* ChangeNotifier::value_of(Entity entity, ComponentId id) const noexcept {
  return store_.value_of(store_.slots().place_of(entity.index()), entity, id);
}

void ChangeNotifier::before(const ComponentChange& change) noexcept {
  notify([&](FirstError& error) {
    if (monitors_.any()) monitors_.before(change, error);
    for (const ComponentId id : change.removed) {
      components_.notify_removed(id, change.entity, error);
    }
  });
}

void ChangeNotifier::after(const ComponentChange& change) noexcept {
  if (change.added.empty() && !monitors_.any()) return;
  notify([&](FirstError& error) {
    for (const ComponentId id : change.added) {
      ComponentObservers::Lists* const lists = components_.find(id);
      if (lists != nullptr)
        components_.notify_added(*lists, change.entity, value_of(change.entity, id), error);
    }
    if (monitors_.any()) monitors_.after(change, error);
  });
}

/// Compare entities with the terms for which observers are registered, and notify these observers of entities that
/// begin or cease to match the terms (see Monitors). `compare_before` reports the entities that cease to match because
/// `entity` is about to lose the component `removed`; `compare_after` reports the entities that begin or cease to match
/// because `entity` has got the component `added`.
void ChangeNotifier::compare_before(Entity entity, ComponentId removed) noexcept {
  monitors_.before({entity, {}, {&removed, 1}}, error_);
}
void ChangeNotifier::compare_after(Entity entity, ComponentId added) noexcept {
  monitors_.after({entity, {&added, 1}, {}}, error_);
}
/// Notifies the observers of entities that begin or cease to match the terms of a query (see Monitors). If `entity` is
/// new (`is_new`), it begins to match each query whose terms it fulfils; if it is about to be destroyed, it ceases to
/// match these queries.
void ChangeNotifier::compare_all(Entity entity, bool is_new) noexcept {
  monitors_.notify_matching({&entity, 1}, is_new, error_);
}

bool ChangeNotifier::removing(Entity entity, ComponentId id, void* value) noexcept {
  ComponentObservers::Lists* const lists = components_.find(id);
  Observer* const only = lists != nullptr ? lists->only(Happening::remove) : nullptr;
  if (only == nullptr || monitors_.any() || calls_nest()) [[unlikely]]
    return removing_from_any(lists, entity, id, value);
  notify_only(lists->of[static_cast<std::size_t>(Happening::remove)], *only, entity, value, [] {});
  return monitors_.any();
}

/// Does the work of `removing`, except in the most frequent case, which `removing` handles itself: the component has a
/// single observer of removals and no hooks, no query is observed (see Monitors), and no user code is running.
bool ChangeNotifier::removing_from_any(ComponentObservers::Lists* lists, Entity entity, ComponentId id,
                                       void* value) noexcept {
  if (lists == nullptr && !monitors_.any()) return false;
  notify([&](FirstError& error) {
    if (monitors_.any()) [[unlikely]]
      compare_before(entity, id);
    if (lists != nullptr) components_.notify(*lists, Happening::remove, entity, value, nullptr, error);
  });
  return monitors_.any();
}

void ChangeNotifier::removed(Entity entity, ComponentId id) noexcept {
  if (monitors_.any()) after({entity, {}, {&id, 1}});
}

void ChangeNotifier::added(Entity entity, ComponentId id, void* value) noexcept {
  ComponentObservers::Lists* const lists = components_.find(id);
  Observer* const only = lists != nullptr ? lists->only(Happening::add) : nullptr;
  if (only == nullptr || calls_nest()) [[unlikely]]
    return added_to_any(lists, entity, id, value);
  notify_only(lists->of[static_cast<std::size_t>(Happening::add)], *only, entity, value, [&] {
    if (lists->notifies(Happening::set) || monitors_.any()) [[unlikely]]
      notify_rest(*lists, entity, value);
  });
}

/// The last part of `added`, after the observers of the addition were notified. Reports that the value was set, unless
/// the component is a tag (`value` is null). Then notifies the observers of entities that begin or cease to match the
/// terms of a query (see Monitors).
void ChangeNotifier::notify_rest(ComponentObservers::Lists& lists, Entity entity, void* value) noexcept {
  if (value != nullptr) components_.notify(lists, Happening::set, entity, value, nullptr, error_);
  if (monitors_.any()) compare_after(entity, lists.id);
}

/// Does the work of `added`, except in the most frequent case, which `added` handles itself: the component has a single
/// observer of additions and no hooks, and no user code is running.
void ChangeNotifier::added_to_any(ComponentObservers::Lists* lists, Entity entity, ComponentId id,
                                  void* value) noexcept {
  if (lists == nullptr && !monitors_.any()) return;
  notify([&](FirstError& error) {
    if (lists != nullptr) components_.notify_added(*lists, entity, value, error);
    if (monitors_.any()) [[unlikely]]
      compare_after(entity, id);
  });
}

void ChangeNotifier::replaced(Entity entity, ComponentId id, void* now, const void* old) noexcept {
  ComponentObservers::Lists* const lists = components_.find(id);
  if (lists == nullptr) return;
  notify([&](FirstError& error) {
    components_.notify(*lists, Happening::replace, entity, now, old, error);
    components_.notify(*lists, Happening::set, entity, now, nullptr, error);
  });
}

void ChangeNotifier::written(Entity entity, ComponentId id, void* now) noexcept {
  ComponentObservers::Lists* const lists = components_.find(id);
  if (lists == nullptr) return;
  notify([&](FirstError& error) { components_.notify(*lists, Happening::set, entity, now, nullptr, error); });
}

void ChangeNotifier::call_observers(ObserverList& observers, Entity entity, void* now,
                                    const void* old) noexcept {
  if (observers.any()) notify([&](FirstError& error) { observers.notify(entity, now, old, error); });
}

void ChangeNotifier::created_one(Entity entity) noexcept {
  notify([&](FirstError& error) {
    ObserverList& observers = list(EntityHappening::create);
    if (observers.any()) observers.notify(entity, nullptr, nullptr, error);
    components_.notify_created(entity, error);
    if (monitors_.any()) [[unlikely]]
      compare_all(entity, true);
  });
}

void ChangeNotifier::destroying_one(Entity entity) noexcept {
  notify([&](FirstError& error) {
    if (monitors_.any()) [[unlikely]]
      compare_all(entity, false);
    components_.notify_destroying(entity, error);
    ObserverList& observers = list(EntityHappening::destroy);
    if (observers.any()) observers.notify(entity, nullptr, nullptr, error);
  });
}

void ChangeNotifier::created(std::span<const Entity> entities) noexcept {
  if (!store_.listened()) return;
  if (entities.size() == 1) return created_one(entities.front());
  notify([&](FirstError& error) {
    ObserverList& observers = list(EntityHappening::create);
    if (observers.any()) observers.notify_each(entities, nullptr, 0, error);
    components_.notify_created(entities, error);
    if (monitors_.any()) monitors_.notify_matching(entities, true, error);
  });
}

void ChangeNotifier::destroying(std::span<const Entity> entities) noexcept {
  if (!store_.listened()) return;
  if (entities.size() == 1) return destroying_one(entities.front());
  notify([&](FirstError& error) {
    if (monitors_.any()) monitors_.notify_matching(entities, false, error);
    components_.notify_destroying(entities, error);
    ObserverList& observers = list(EntityHappening::destroy);
    if (observers.any()) observers.notify_each(entities, nullptr, 0, error);
  });
}

void ChangeNotifier::moved(std::span<const Moved> moves, std::span<const ChangedStates> changed) noexcept {
  if (!store_.listened()) return;
  notify([&](FirstError& error) {
    for (const Moved& move : moves) notify_move(move, error);
    if (monitors_.any()) monitors_.moved(moves, changed, error);
  });
}

void ChangeNotifier::states_changed(const ChangedStates& change) noexcept {
  if (!store_.listened()) return;
  notify([&](FirstError& error) {
    if (change.states.contains(State::disabled)) {
      const Block& block = *store_.slots().place_of(change.entity.index()).block;
      const bool disabled = table_of(block).archetype().states().contains(State::disabled);
      ObserverList& observers = list(disabled ? EntityHappening::disable : EntityHappening::enable);
      observers.notify(change.entity, nullptr, nullptr, error);
    }
    if (monitors_.any()) monitors_.states_changed(change, error);
  });
}

/// Reports the new parent of one entity. If the depth of this entity has changed, also reports the new depth of each
/// entity of its subtree.
void ChangeNotifier::notify_move(const Moved& move, FirstError& error) {
  const auto depth_of = [&](Entity entity) {
    return table_of(*store_.slots().place_of(entity.index()).block).branch().rank;
  };
  const std::uint32_t above = links_.parent(move.child.index());
  Entity parent = above != Links::kNone ? store_.slots().handle_of(above) : Entity();
  list(EntityHappening::parent).notify(move.child, &parent, &move.parent_before, error);
  const std::uint32_t depth = depth_of(move.child);
  if (depth == move.depth_before || !list(EntityHappening::depth).any()) return;
  for (const Entity entity : DepthFirstRange(links_, store_.slots(), move.child.index())) {
    std::uint32_t now = depth_of(entity);
    const std::uint32_t before = now - depth + move.depth_before;
    list(EntityHappening::depth).notify(entity, &now, &before, error);
  }
}

void ChangeNotifier::reordered(Entity parent) noexcept {
  if (!store_.listened()) return;
  notify([&](FirstError& error) { list(EntityHappening::order).notify(parent, nullptr, nullptr, error); });
}

void ChangeNotifier::throw_first() {
  if (notifying_ == 0 && holds_ == 0) error_.rethrow();
}

void ChangeNotifier::destroying_all() noexcept {
  if (!store_.listened()) return;
  for (std::uint32_t rank = store_.archetypes().rank_count(); rank-- > 0;) {
    for_each_block_at(rank, [&](Block& block) { destroying({block.format->entities(block), block.count}); });
  }
}

void ChangeNotifier::end() noexcept {
  components_.end_all();
  monitors_.end_all();
  for (ObserverList& observers : of_entities_) observers.end_all();
}

void ChangeNotifier::notify_end() noexcept {
  destroying_all();
  if (error_.any()) {
    STRATA_EXPECTS(false,
                   "an observer has thrown while the world ended, where nothing can catch it: catch "
                   "exceptions inside of the observer");
  }
}

}  // namespace strata::detail
