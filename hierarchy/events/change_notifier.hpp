// ChangeNotifier: notifies observers of the changes of a world.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../../core/observer_list.hpp"
#include "../../storage/observing/change_listener.hpp"
#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "component_observers.hpp"
#include "monitors.hpp"

namespace strata::detail {

/// The kinds of changes of an entity that observers can be notified of, apart from changes of its components. `parent`
/// is a change to another parent, `order` a change of the order of the entity's children, and `depth` a change of the
/// number of its ancestors. `disable` and `enable` say that the entity enters or leaves the state disabled.
enum class EntityHappening : std::uint8_t { create, destroy, parent, order, depth, disable, enable };

/// Receives the changes of a store and a hierarchy (as their listener), and calls the hooks and observers of these
/// changes. A component has one set of hooks (see Hooks) and any number of observers, functions that a program adds at
/// any time. While a hook or observer runs, structural changes are refused. If hooks or observers throw, the first
/// exception is kept, and thrown again when the change of which they were notified is complete.
///
/// The order of calls for one change: first the observers of new entities; then, for each component by ascending id,
/// the hooks and observers of its values; last the observers of entities that begin or cease to match the terms of a
/// query (see Monitors). When entities or values are removed, the observers of queries come first, then the components
/// by ascending id, and the observers of entities last.
///
/// ChangeGuard::listened returns whether there is a hook or observer to notify. Changes that are made while it returns
/// false are not reported.
///
/// Threads: each call counts as a change of the world, so no other thread may use the world meanwhile.
class ChangeNotifier final : public ChangeListener {
 public:
  /// Calls of hooks and observers nest at most this deep. They nest because an observer may set a value, which calls
  /// the observers of that value. A deeper call is not made, and is reported as a broken contract of the program.
  static constexpr std::uint32_t kMostNested = 64;

  ChangeNotifier(Store& store, const Links& links);
  ChangeNotifier(const ChangeNotifier&) = delete;
  ChangeNotifier& operator=(const ChangeNotifier&) = delete;
  ~ChangeNotifier();

  /// Sets the world that hooks receive as an argument.
  void set_world(World* world) noexcept { world_ = world; }
  World* world() const noexcept { return world_; }

  ComponentObservers& components() { return components_; }
  Monitors& monitors() { return monitors_; }
  /// Returns: the counter of all observers of the world (those in the lists of this object, and those in lists that
  /// other parts of the library keep) and of all components with hooks. While the counter is 0, changes are not
  /// reported.
  ObserverCount& count() { return count_; }
  ObserverList& list(EntityHappening happening) { return of_entities_[static_cast<std::size_t>(happening)]; }

  /// Stops reporting changes until `resume` was called as often as this function.
  STRATA_API void pause() noexcept;
  STRATA_API void resume() noexcept;
  /// A scope in which no changes are reported: calls `pause` at its start and `resume` at its end.
  class [[nodiscard]] Pause {
   public:
    explicit Pause(ChangeNotifier& notifier) : notifier_(notifier) { notifier_.pause(); }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
    ~Pause() { notifier_.resume(); }

   private:
    ChangeNotifier& notifier_;
  };

  void before(const ComponentChange& change) noexcept override;
  void after(const ComponentChange& change) noexcept override;
  bool removing(Entity entity, ComponentId id, void* value) noexcept override;
  void added(Entity entity, ComponentId id, void* value) noexcept override;
  void removed(Entity entity, ComponentId id) noexcept override;
  void replaced(Entity entity, ComponentId id, void* now, const void* old) noexcept override;
  void written(Entity entity, ComponentId id, void* now) noexcept override;
  void created(std::span<const Entity> entities) noexcept override;
  void created_one(Entity entity) noexcept override;
  void destroying(std::span<const Entity> entities) noexcept override;
  /// Reports that one entity is about to be destroyed, as `destroying` does for several.
  /// Contract: ChangeGuard::listened returns true: there is a hook or observer to notify.
  void destroying_one(Entity entity) noexcept;
  void call_observers(ObserverList& observers, Entity entity, void* now, const void* old) noexcept override;
  void hold() noexcept override { ++holds_; }
  void release() noexcept override { --holds_; }

  /// Reports that entities have got other parents. If the depth of a moved entity has changed, also reports its new
  /// depth and that of each entity below it. `changed` lists, by ascending slot index, the entities that have entered
  /// or left states, such as disabled, by this change. This function does not report the changes of states: the caller
  /// passes each element of `changed` to `states_changed` afterwards.
  /// Contract: no moved entity is below another moved entity.
  void moved(std::span<const Moved> moves, std::span<const ChangedStates> changed = {}) noexcept;
  /// Reports that an entity has entered or left states, such as disabled.
  void states_changed(const ChangedStates& change) noexcept;
  /// Reports that the children of an entity have another order.
  void reordered(Entity parent) noexcept;

  /// Reports that all entities are about to be destroyed, entities of greater depth first.
  void destroying_all() noexcept;
  /// Does what `destroying_all` does. Called when the world ends, where nothing can catch an exception.
  /// Contract: no observer throws.
  void notify_end() noexcept;
  /// Ends all observers and destroys their functions. Called when the world ends, before its recorded commands are
  /// dropped: destroying a function destroys what the function has captured. Such a destructor may record further
  /// commands, which are then dropped, too.
  void end() noexcept;

  /// Calls `function(FirstError&)`, which calls hooks and observers. Their first exception is kept in the FirstError
  /// until the change is complete.
  /// Contract: at most kMostNested calls are nested.
  template <class Function>
  STRATA_ALWAYS_INLINE void notify(Function function) noexcept {
    const ChangeGuard::Operation operation(store_.guard(), "an observer");
    if (++notifying_ <= kMostNested + 1) [[likely]] {
      function(error_);
    } else {
      refuse_nested();
    }
    --notifying_;
  }

  /// Returns: the address of the entity's value of a component that it has; null for a tag (a component without data).
  STRATA_API void* value_of(Entity entity, ComponentId id) const noexcept;

  /// Calls `is_asked(Place, Entity)` for each entity in the store, those of lower depth first. The Place is the block
  /// and row of the Entity.
  /// Returns: the entities for which `is_asked` returned true, in the order of the calls.
  /// Complexity: O(entities).
  template <class IsAsked>
  std::vector<Entity> list_if(IsAsked is_asked) const {
    std::vector<Entity> listed;
    const std::uint32_t ranks = store_.archetypes().rank_count();
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      for_each_block_at(rank, [&](Block& block) {
        for (std::uint32_t row = 0; row < block.count; ++row) {
          const Entity entity = block.format->entities(block)[row];
          if (is_asked(Place{&block, row}, entity)) listed.push_back(entity);
        }
      });
    }
    return listed;
  }

 private:
  void throw_first() override;

  /// Calls `visit(Block&)` for each block of the tables whose entities are at depth `rank`.
  template <class Visit>
  void for_each_block_at(std::uint32_t rank, Visit visit) const {
    for (const Archetype* archetype : store_.archetypes().at_rank(rank)) {
      for (Block* const first : archetype->at_rank(rank)) {
        for (Block* block = first; block != nullptr; block = block->next) visit(*block);
      }
    }
  }
  /// Calls `only`, the single observer in `list`, and afterwards `then()`. Has the effect of `notify`, in fewer
  /// instructions.
  /// Contract: no other observer or user code is being called, that is, `calls_nest` returns false.
  template <class Then>
  STRATA_ALWAYS_INLINE void notify_only(ObserverList& list, Observer& only, Entity entity, void* value,
                                        Then then) noexcept {
    const ChangeGuard::FirstOperation operation(store_.guard(), "an observer");
    notifying_ = 1;
    list.notify_one(only, entity, value, nullptr, error_);
    then();
    notifying_ = 0;
  }
  /// Returns: whether an observer or other user code is being called.
  bool calls_nest() const noexcept { return notifying_ != 0 || store_.guard().in_operation(); }
  STRATA_NOINLINE void added_to_any(ComponentObservers::Lists* lists, Entity entity, ComponentId id,
                                    void* value) noexcept;
  STRATA_NOINLINE bool removing_from_any(ComponentObservers::Lists* lists, Entity entity, ComponentId id,
                                         void* value) noexcept;
  STRATA_NOINLINE void notify_rest(ComponentObservers::Lists& lists, Entity entity, void* value) noexcept;
  STRATA_NOINLINE void compare_before(Entity entity, ComponentId removed) noexcept;
  STRATA_NOINLINE void compare_after(Entity entity, ComponentId added) noexcept;
  STRATA_NOINLINE void compare_all(Entity entity, bool is_new) noexcept;
  void notify_move(const Moved& move, FirstError& error);
  STRATA_NOINLINE void refuse_nested() noexcept;
  void update_guard() noexcept;

  Store& store_;
  const Links& links_;
  World* world_ = nullptr;
  ObserverCount count_;
  ComponentObservers components_;
  Monitors monitors_;
  ObserverList of_entities_[7];
  std::uint32_t notifying_ = 0;  // Nested calls of `notify` under way.
  std::uint32_t holds_ = 0;      // Calls of `hold` without a `release`.
  std::uint32_t pauses_ = 0;
};

}  // namespace strata::detail
