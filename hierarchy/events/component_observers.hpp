// ComponentObservers: for each component, the functions that are notified when its values are added, changed and
// removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>

#include "../../core/observer_list.hpp"
#include "../../storage/store.hpp"

namespace strata::detail {

/// The kinds of changes of a value of a component that hooks and observers are notified of. `set` follows each `add`
/// and each `replace` of a value, and also reports a value that was changed in place.
enum class Happening : std::uint8_t { add, set, replace, remove };

/// For each component, its one set of hooks (see Hooks) and the observers of each kind of change (Happening). When a
/// value is removed, the observers are called before the hooks; for all other changes, the hooks are called first.
class ComponentObservers {
 public:
  /// `world` is the pointer to the world that hooks receive as an argument. It is passed by reference and read at each
  /// call of a hook, because it changes when the world is moved. The observers of all components
  /// are counted in `count`; a component with hooks counts as one more observer.
  ComponentObservers(Store& store, World* const& world, ObserverCount& count);
  ComponentObservers(const ComponentObservers&) = delete;
  ComponentObservers& operator=(const ComponentObservers&) = delete;
  ~ComponentObservers();

  /// Returns: the observers of one kind of change of the values of a component. The first call for a component creates
  /// its lists.
  /// Errors: std::bad_alloc.
  ObserverList& list(ComponentId id, Happening happening);

  /// Ends all observers: none of them is called any more (see ObserverList::end_all).
  void end_all() noexcept;

  /// Reads from the store's registry whether a component has hooks, and records the answer in the component's Lists.
  /// The caller has just set or removed its hooks.
  /// Errors: std::bad_alloc; nothing is recorded then.
  void mark_hooks(ComponentId id);

  /// The observers of one component, and whether it has hooks.
  struct Lists {
    Lists(const ComponentInfo& component, ComponentId observed, std::pmr::memory_resource* memory,
          ObserverCount& count)
        : id(observed),
          size(static_cast<std::uint32_t>(component.size)),
          of{ObserverList(memory, &count), ObserverList(memory, &count), ObserverList(memory, &count),
             ObserverList(memory, &count)} {}

    /// Returns: true if there is an observer of this kind of change, or if the component has hooks of any kind.
    bool notifies(Happening happening) const {
      return has_hooks || of[static_cast<std::size_t>(happening)].any();
    }

    /// Returns: the only observer of this kind of change; null if there are several or none, or if the component has
    /// hooks.
    Observer* only(Happening happening) const {
      return has_hooks ? nullptr : of[static_cast<std::size_t>(happening)].only();
    }

    const ComponentId id;
    const std::uint32_t size;  ///< The size of a value, in bytes.
    ObserverList of[4];
    bool has_hooks = false;
  };
  /// Returns: the lists of observers of a component; null if the component never had an observer or a hook.
  Lists* find(ComponentId id) const { return to_index(id) < by_id_.size() ? by_id_[to_index(id)] : nullptr; }
  /// Returns: whether a component has, or once had, observers or hooks.
  bool observes(ComponentId id) const { return find(id) != nullptr; }

  /// Reports a change of one value to the hooks and observers of its component. `now` is the value; null for a tag (a
  /// component without data). `old` is the previous value if the value was replaced, otherwise null.
  STRATA_ALWAYS_INLINE void notify(Lists& lists, Happening happening, Entity entity, void* now,
                                   const void* old, FirstError& error) {
    if (lists.has_hooks) [[unlikely]]
      return notify_with_hooks(lists, happening, entity, now, old, error);
    ObserverList& observers = lists.of[static_cast<std::size_t>(happening)];
    observers.notify(entity, now, old, error);
  }

  /// Reports that a value was added, and therefore also set. `value` is null for a tag, which cannot be set.
  STRATA_ALWAYS_INLINE void notify_added(Lists& lists, Entity entity, void* value, FirstError& error) {
    notify(lists, Happening::add, entity, value, nullptr, error);
    if (value != nullptr) notify(lists, Happening::set, entity, value, nullptr, error);
  }
  /// Reports that the entity's value of the component `id` is about to be removed.
  void notify_removed(ComponentId id, Entity entity, FirstError& error);

  /// Call the hooks and observers of all components that one or several entities have, in ascending order of component
  /// ids. `notify_created` is called for new entities: it reports that their components were added and, except for tags
  /// (components without data), also set. `notify_destroying` is called for entities that are about to be destroyed: it
  /// reports that their components are removed.
  /// Contract: the entities are alive.
  STRATA_ALWAYS_INLINE void notify_created(Entity entity, FirstError& error) {
    for_each_observed([&](Lists& lists) {
      if (!lists.notifies(Happening::add) && !lists.notifies(Happening::set)) return;
      const Held held = find_held(lists, entity);
      if (held.has) notify_added(lists, entity, held.value, error);
    });
  }
  STRATA_ALWAYS_INLINE void notify_destroying(Entity entity, FirstError& error) {
    for_each_observed([&](Lists& lists) {
      if (!lists.notifies(Happening::remove)) return;
      const Held held = find_held(lists, entity);
      if (held.has) notify(lists, Happening::remove, entity, held.value, nullptr, error);
    });
  }
  void notify_created(std::span<const Entity> entities, FirstError& error);
  void notify_destroying(std::span<const Entity> entities, FirstError& error);

 private:
  /// Whether an entity has a component, and the address of its value. The address is null if the entity does not have
  /// the component, or if the component is a tag (has no data).
  struct Held {
    bool has;
    void* value;
  };

  Lists& lists(ComponentId id);
  std::size_t position_of(ComponentId id) const;
  /// Calls `visit(lists)` for each observed component, in ascending order of ids. `visit` calls observers, which may
  /// add observers of further components. Such a component is visited, too, if its id is higher than the id of the
  /// component that is being visited.
  template <class Visit>
  STRATA_ALWAYS_INLINE void for_each_observed(Visit visit) {
    std::size_t count = observed_.size();
    for (std::size_t i = 0; i < count; ++i) {
      Lists& lists = *observed_[i];
      visit(lists);
      if (observed_.size() == count) [[likely]]
        continue;
      count = observed_.size();
      i = position_of(lists.id);
    }
  }
  /// Returns: whether `entity` has the component that the observers in `lists` observe, and the address of its value.
  /// Contract: `entity` is alive.
  STRATA_ALWAYS_INLINE Held find_held(const Lists& lists, Entity entity) const {
    const Place place = store_.slots().place_of(entity.index());
    const std::uint32_t prefix = place.block->format->prefix_of(lists.id);
    if (prefix < BlockFormat::kTag) return {true, place.block->value(prefix, place.row, lists.size)};
    return find_beside_row(lists, prefix, entity);
  }
  STRATA_NOINLINE Held find_beside_row(const Lists& lists, std::uint32_t prefix, Entity entity) const;
  void call_hook(ComponentId id, Happening happening, Entity entity, void* now, const void* old,
                 FirstError& error);
  STRATA_NOINLINE void notify_with_hooks(Lists& lists, Happening happening, Entity entity, void* now,
                                         const void* old, FirstError& error);
  void notify_each(Lists& lists, Happening happening, std::span<const Entity> entities, FirstError& error);
  void notify_run(Lists& lists, Happening happening, std::span<const Entity> entities, void* values,
                  std::size_t stride, FirstError& error);

  Store& store_;
  World* const& world_;
  ObserverCount& count_;
  PlainList<Lists*> by_id_;     // Null for components that are not observed.
  PlainList<Lists*> observed_;  // The lists of observed components, by ascending id.
};

}  // namespace strata::detail
