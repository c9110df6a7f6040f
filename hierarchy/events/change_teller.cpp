#include "change_teller.hpp"

#include "../links/walks.hpp"

namespace strata::detail {

ChangeTeller::ChangeTeller(Store& store, const Links& links)
    : store_(store),
      links_(links),
      count_{[](void* teller, bool) noexcept { static_cast<ChangeTeller*>(teller)->update_guard(); }, this},
      components_(store, world_, count_),
      monitors_(store, links, count_),
      of_entities_{ObserverList(store.memory(), &count_), ObserverList(store.memory(), &count_),
                   ObserverList(store.memory(), &count_), ObserverList(store.memory(), &count_),
                   ObserverList(store.memory(), &count_), ObserverList(store.memory(), &count_),
                   ObserverList(store.memory(), &count_)} {
  store_.tell(this);
  store_.registry().on_hooks(
      [](void* teller, ComponentId id) { static_cast<ChangeTeller*>(teller)->components_.note_hooks(id); },
      this);
}

ChangeTeller::~ChangeTeller() {
  count_.any_changed = nullptr;
  store_.registry().on_hooks(nullptr, nullptr);
}

void ChangeTeller::update_guard() noexcept {
  store_.guard().mark_listened(count_.count != 0 && pauses_ == 0);
}

void ChangeTeller::pause() noexcept {
  ++pauses_;
  update_guard();
}

void ChangeTeller::resume() noexcept {
  --pauses_;
  update_guard();
}

/// Checks the contract of `tell`. If it is broken, the failure is kept like an exception of user code.
void ChangeTeller::refuse_nested() noexcept {
  error_.catching([] {
    STRATA_EXPECTS(false, "an observer sets a value that calls an observer, and so on, " +
                              std::to_string(kMostNested) +
                              " times: one of them has to stop, or to record a command instead");
  });
}

void* ChangeTeller::value_of(Entity entity, ComponentId id) const noexcept {
  return store_.value_of(store_.slots().place_of(entity.index()), entity, id);
}

void ChangeTeller::before(const ComponentChange& change) noexcept {
  tell([&](FirstError& error) {
    if (monitors_.any()) monitors_.before(change, error);
    for (const ComponentId id : change.removed) {
      components_.tell_removed(id, change.entity, error);
    }
  });
}

void ChangeTeller::after(const ComponentChange& change) noexcept {
  if (change.added.empty() && !monitors_.any()) return;
  tell([&](FirstError& error) {
    for (const ComponentId id : change.added) {
      ComponentObservers::Lists* const lists = components_.find(id);
      if (lists != nullptr) components_.tell_added(*lists, change.entity, value_of(change.entity, id), error);
    }
    if (monitors_.any()) monitors_.after(change, error);
  });
}

/// Report the sets (see Monitors) that an entity leaves and enters, because it is about to lose one component or has
/// got one.
void ChangeTeller::compare_before(Entity entity, ComponentId removed) noexcept {
  monitors_.before({entity, {}, {&removed, 1}}, error_);
}
void ChangeTeller::compare_after(Entity entity, ComponentId added) noexcept {
  monitors_.after({entity, {&added, 1}, {}}, error_);
}
/// Reports the sets (see Monitors) that contain an entity which is new, or about to be destroyed.
void ChangeTeller::compare_all(Entity entity, bool is_new) noexcept {
  monitors_.tell_matching({&entity, 1}, is_new, error_);
}

bool ChangeTeller::removing(Entity entity, ComponentId id, void* value) noexcept {
  ComponentObservers::Lists* const lists = components_.find(id);
  if (lists == nullptr && !monitors_.any()) return false;
  tell([&](FirstError& error) {
    if (monitors_.any()) [[unlikely]]
      compare_before(entity, id);
    if (lists != nullptr) components_.tell(*lists, Happening::remove, entity, value, nullptr, error);
  });
  return monitors_.any();
}

void ChangeTeller::removed(Entity entity, ComponentId id) noexcept {
  if (monitors_.any()) after({entity, {}, {&id, 1}});
}

void ChangeTeller::added(Entity entity, ComponentId id, void* value) noexcept {
  ComponentObservers::Lists* const lists = components_.find(id);
  if (lists == nullptr && !monitors_.any()) return;
  tell([&](FirstError& error) {
    if (lists != nullptr) components_.tell_added(*lists, entity, value, error);
    if (monitors_.any()) [[unlikely]]
      compare_after(entity, id);
  });
}

void ChangeTeller::replaced(Entity entity, ComponentId id, void* now, const void* old) noexcept {
  ComponentObservers::Lists* const lists = components_.find(id);
  if (lists == nullptr) return;
  tell([&](FirstError& error) {
    components_.tell(*lists, Happening::replace, entity, now, old, error);
    components_.tell(*lists, Happening::set, entity, now, nullptr, error);
  });
}

void ChangeTeller::written(Entity entity, ComponentId id, void* now) noexcept {
  ComponentObservers::Lists* const lists = components_.find(id);
  if (lists == nullptr) return;
  tell([&](FirstError& error) { components_.tell(*lists, Happening::set, entity, now, nullptr, error); });
}

void ChangeTeller::created_one(Entity entity) noexcept {
  tell([&](FirstError& error) {
    ObserverList& observers = list(EntityHappening::create);
    if (observers.any()) observers.tell(entity, nullptr, nullptr, error);
    components_.tell_created(entity, error);
    if (monitors_.any()) [[unlikely]]
      compare_all(entity, true);
  });
}

void ChangeTeller::destroying_one(Entity entity) noexcept {
  tell([&](FirstError& error) {
    if (monitors_.any()) [[unlikely]]
      compare_all(entity, false);
    components_.tell_destroying(entity, error);
    ObserverList& observers = list(EntityHappening::destroy);
    if (observers.any()) observers.tell(entity, nullptr, nullptr, error);
  });
}

void ChangeTeller::created(std::span<const Entity> entities) noexcept {
  if (!store_.listened()) return;
  if (entities.size() == 1) return created_one(entities.front());
  tell([&](FirstError& error) {
    ObserverList& observers = list(EntityHappening::create);
    if (observers.any()) observers.tell_each(entities, nullptr, 0, error);
    components_.tell_created(entities, error);
    if (monitors_.any()) monitors_.tell_matching(entities, true, error);
  });
}

void ChangeTeller::destroying(std::span<const Entity> entities) noexcept {
  if (!store_.listened()) return;
  if (entities.size() == 1) return destroying_one(entities.front());
  tell([&](FirstError& error) {
    if (monitors_.any()) monitors_.tell_matching(entities, false, error);
    components_.tell_destroying(entities, error);
    ObserverList& observers = list(EntityHappening::destroy);
    if (observers.any()) observers.tell_each(entities, nullptr, 0, error);
  });
}

void ChangeTeller::moved(std::span<const Moved> moves, std::span<const ChangedStates> changed) noexcept {
  if (!store_.listened()) return;
  tell([&](FirstError& error) {
    for (const Moved& move : moves) tell_move(move, error);
    if (monitors_.any()) monitors_.moved(moves, changed, error);
  });
}

void ChangeTeller::states_changed(const ChangedStates& change) noexcept {
  if (!store_.listened()) return;
  tell([&](FirstError& error) {
    if (change.states.contains(State::disabled)) {
      const Block& block = *store_.slots().place_of(change.entity.index()).block;
      const bool disabled = table_of(block).archetype().states().contains(State::disabled);
      ObserverList& observers = list(disabled ? EntityHappening::disable : EntityHappening::enable);
      observers.tell(change.entity, nullptr, nullptr, error);
    }
    if (monitors_.any()) monitors_.states_changed(change, error);
  });
}

/// Reports the new parent of one entity, and the new depths in its subtree.
void ChangeTeller::tell_move(const Moved& move, FirstError& error) {
  const auto depth_of = [&](Entity entity) {
    return table_of(*store_.slots().place_of(entity.index()).block).branch().rank;
  };
  const std::uint32_t above = links_.parent(move.child.index());
  Entity parent = above != Links::kNone ? store_.slots().handle_of(above) : Entity();
  list(EntityHappening::parent).tell(move.child, &parent, &move.parent_before, error);
  const std::uint32_t depth = depth_of(move.child);
  if (depth == move.depth_before || !list(EntityHappening::depth).any()) return;
  for (const Entity entity : DepthFirstRange(links_, store_.slots(), move.child.index())) {
    std::uint32_t now = depth_of(entity);
    const std::uint32_t before = now - depth + move.depth_before;
    list(EntityHappening::depth).tell(entity, &now, &before, error);
  }
}

void ChangeTeller::reordered(Entity parent) noexcept {
  if (!store_.listened()) return;
  tell([&](FirstError& error) { list(EntityHappening::order).tell(parent, nullptr, nullptr, error); });
}

void ChangeTeller::throw_first() {
  if (telling_ == 0 && holds_ == 0) error_.rethrow();
}

void ChangeTeller::destroying_all() noexcept {
  if (!store_.listened()) return;
  for (std::uint32_t rank = store_.archetypes().rank_count(); rank-- > 0;) {
    for_each_block_at(rank, [&](Block& block) { destroying({block.format->entities(block), block.count}); });
  }
}

void ChangeTeller::tell_end() noexcept {
  destroying_all();
  if (error_.any()) {
    STRATA_EXPECTS(false,
                   "an observer has thrown while the world ended, where nothing can catch it: catch "
                   "exceptions inside of the observer");
  }
}

}  // namespace strata::detail
