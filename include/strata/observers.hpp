// Observers: functions that are notified of what happens to entities, their components and their tree.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "../../core/subscription.hpp"
#include "../../hierarchy/events/change_notifier.hpp"
#include "../../hierarchy/relations/pair_observers.hpp"
#include "../../hierarchy/relations/relation_options.hpp"
#include "../../query/terms/term_list.hpp"
#include "detail/observer_functions.hpp"
#include "detail/world_parts.hpp"

namespace strata {

/// Whether an observer is also called for what already exists when the observer is registered.
enum class Existing : std::uint8_t {
  skip,  ///< The observer is only notified of later changes.
  /// The observer is first called for what exists. An observer of on_add is called for each entity that has the
  /// component, and an observer of on_enter for each entity that matches the terms; parents come before their children.
  /// An observer of on_pair_add is called for each pair of the relation, in the order of Relations::each.
  notify,
};

/// OnAdd<T>, OnSet<T>, OnRemove<T>, OnCreate and OnParentChange: template arguments of Observers::collect. They name
/// changes of an entity. After such a change, the entity gets the tag that was passed to `collect`.
template <class T>
struct OnAdd {};
template <class T>
struct OnSet {};
template <class T>
struct OnRemove {};
struct OnCreate {};
struct OnParentChange {};

/// Registers functions that are notified of changes in a world, any number for each kind of change. World::observers
/// returns this object. Each `on_` function returns a Subscription, which keeps the given function registered.
///
/// A function is called during the operation that it observes: after an addition is complete, and before a removal, so
/// that the value and the entity are still there. The function may look up and set values, run queries and record
/// commands, which are applied when the outermost operation has ended, in order; other changes are refused (see
/// callbacks.hpp). All ways in which values are added and removed are reported: creating in all its forms, add, set,
/// remove, destroy, `Pool::clear`, `CascadeQuery::propagate`, commands, and the destruction of the world. These changes
/// are not reported:
/// - what a History does when it restores a world or applies a delta
/// - the component Pair, which the library gives to the source entities of a relation's pairs; see on_pair_add
/// - anything while a Quiet object exists; see `quiet`
/// - moves of rows, and moves of values by `World::set_storage`
/// - a write through a reference: use World::patch or World::modified
///
/// An operation that adds something calls functions in this order:
/// 1. observers of on_create
/// 2. for each component, by ascending id: its hooks (see Hooks), then its observers
/// 3. observers of on_enter and on_leave, if the entity now matches their terms or no longer does: an added component
///    can end a match with `Without`
/// 4. observers of on_pair_add
///
/// An operation that removes something calls functions in this order:
/// 1. observers of on_pair_remove
/// 2. observers of on_leave
/// 3. for each component, by ascending id: its observers, then its hooks
/// 4. observers of on_destroy
/// 5. after the removal: observers of on_enter, if an entity now matches their terms: a removed component can begin a
/// match with `Without`
///
/// Observers of the same kind are called in the order of registration. Of several new entities, parents come before
/// their children; of several destroyed ones, children before their parents.
///
/// An exception of a function is thrown by the operation at its end: the operation is complete then, all other
/// functions have been called, and further exceptions are dropped. A function that is registered while other functions
/// are called for a change is not called for this change. If a function sets a value, the functions that observe this
/// value are called in turn; such calls nest at most 64 deep. Commands that are recorded in reaction to commands are
/// limited by WorldOptions::max_rounds.
///
/// While there are observers, operations may need memory to list entities: std::bad_alloc passes through, and nothing
/// has changed then, except by operations on many entities (see BulkOperations). A function that throws while the world
/// is being destroyed breaks a contract.
///
/// Complexity: while no observer and no hook is registered, each operation only tests at most one additional flag.
/// Threads: registering a function counts as a change of the world: no other thread may use the world at the same time.
class Observers {
 public:
  explicit Observers(detail::WorldParts& parts) : parts_(&parts) {}

  /// Calls `function(Entity, T&)` or `function(Entity)` for each entity that has got T.
  /// Returns: the Subscription, which keeps the function registered.
  /// Errors: std::bad_alloc; with Existing::notify, also what the function throws.
  template <Component T, class Function>
  [[nodiscard]] Subscription on_add(Function function, Existing existing = Existing::skip) {
    Subscription added = add<T>(detail::Happening::add, std::move(function));
    if (existing == Existing::notify) notify_existing(id_of<T>(), added);
    return added;
  }
  /// Calls `function(Entity, T&)` or `function(Entity)` for each value that was added, replaced (by `add` or `set`),
  /// changed by `patch`, or reported by `modified`. `function` is called after the functions of on_add and on_replace.
  /// Returns, Errors: as for on_add.
  template <Component T, class Function>
  requires(!is_tag<T>) [[nodiscard]] Subscription on_set(Function function) {
    return add<T>(detail::Happening::set, std::move(function));
  }
  /// Calls `function(Entity, const T& old, T& value)` for each value that was replaced by `add` or `set`.
  /// Returns, Errors: as for on_add.
  template <Component T, class Function>
  requires(!is_tag<T>) [[nodiscard]] Subscription on_replace(Function function) {
    return detail::subscribe(list<T>(detail::Happening::replace), std::move(function),
                             [](Function& called, Entity entity, void* now, const void* old) {
                               called(entity, *static_cast<const T*>(old), *static_cast<T*>(now));
                             });
  }
  /// Calls `function(Entity, T&)` or `function(Entity)` for each entity that is about to lose T, by a removal of T or
  /// because the entity is about to be destroyed.
  /// Returns, Errors: as for on_add.
  template <Component T, class Function>
  [[nodiscard]] Subscription on_remove(Function function) {
    return add<T>(detail::Happening::remove, std::move(function));
  }

  /// These on_add, on_set, on_replace and on_remove do the same as those above, for a component that is given by its
  /// id. They call `function(Entity, void* value)`, where `value` is null for a tag; on_replace calls
  /// `function(Entity, const void* old, void* value)`.
  /// Contract: this world issued the id.
  template <class Function>
  [[nodiscard]] Subscription on_add(ComponentId id, Function function, Existing existing = Existing::skip) {
    Subscription added = add_by_id(id, detail::Happening::add, std::move(function));
    if (existing == Existing::notify) notify_existing(id, added);
    return added;
  }
  template <class Function>
  [[nodiscard]] Subscription on_set(ComponentId id, Function function) {
    return add_by_id(id, detail::Happening::set, std::move(function));
  }
  template <class Function>
  [[nodiscard]] Subscription on_replace(ComponentId id, Function function) {
    return detail::subscribe(
        list(id, detail::Happening::replace), std::move(function),
        [](Function& called, Entity entity, void* now, const void* old) { called(entity, old, now); });
  }
  template <class Function>
  [[nodiscard]] Subscription on_remove(ComponentId id, Function function) {
    return add_by_id(id, detail::Happening::remove, std::move(function));
  }

  /// `on_create` calls `function(Entity)` for each new entity when the entity has all of its components and its parent.
  /// `on_destroy` calls `function(Entity)` for each entity that is about to be destroyed.
  /// Returns, Errors: as for on_add.
  template <class Function>
  [[nodiscard]] Subscription on_create(Function function) {
    return detail::subscribe(list(detail::EntityHappening::create), std::move(function),
                             detail::CallWithEntity());
  }
  template <class Function>
  [[nodiscard]] Subscription on_destroy(Function function) {
    return detail::subscribe(list(detail::EntityHappening::destroy), std::move(function),
                             detail::CallWithEntity());
  }

  /// Calls `function(Entity child, Entity before, Entity now)` for each entity that has got another parent. `before`
  /// and `now` are the two parents; a null handle stands for no parent. New and destroyed entities are not reported. If
  /// a parent is destroyed and its children become roots, they are reported before the parent is destroyed.
  /// Returns, Errors: as for on_add.
  template <class Function>
  [[nodiscard]] Subscription on_parent_change(Function function) {
    return detail::subscribe(list(detail::EntityHappening::parent), std::move(function),
                             [](Function& called, Entity child, void* now, const void* before) {
                               called(child, *static_cast<const Entity*>(before), *static_cast<Entity*>(now));
                             });
  }
  /// Calls `function(Entity, std::uint32_t before, std::uint32_t now)` for each entity whose depth has changed because
  /// the entity or an ancestor has got another parent. Parents are reported before their children.
  /// Returns, Errors: as for on_add.
  template <class Function>
  [[nodiscard]] Subscription on_depth_change(Function function) {
    return detail::subscribe(list(detail::EntityHappening::depth), std::move(function),
                             [](Function& called, Entity entity, void* now, const void* before) {
                               called(entity, *static_cast<const std::uint32_t*>(before),
                                      *static_cast<std::uint32_t*>(now));
                             });
  }
  /// `on_disable` calls `function(Entity)` for each entity that was disabled, and `on_enable` for each that was
  /// enabled: by itself, with an ancestor, or because it was moved into or out of a disabled subtree. New and destroyed
  /// entities are not reported.
  /// Returns, Errors: as for on_add.
  template <class Function>
  [[nodiscard]] Subscription on_disable(Function function) {
    return detail::subscribe(list(detail::EntityHappening::disable), std::move(function),
                             detail::CallWithEntity());
  }
  template <class Function>
  [[nodiscard]] Subscription on_enable(Function function) {
    return detail::subscribe(list(detail::EntityHappening::enable), std::move(function),
                             detail::CallWithEntity());
  }
  /// Calls `function(Entity parent)` when the order of the children of an entity has changed without a new or removed
  /// child.
  /// Returns, Errors: as for on_add.
  template <class Function>
  [[nodiscard]] Subscription on_order_change(Function function) {
    return detail::subscribe(list(detail::EntityHappening::order), std::move(function),
                             detail::CallWithEntity());
  }

  /// `on_pair_add` calls `function(Entity source, Entity target, R&)` or `function(Entity source, Entity target)` for
  /// each pair of a relation that was added; `on_pair_remove` calls such a function for each pair that is about to be
  /// removed. All ways in which pairs are added and removed are reported: functions of Relations; commands; the
  /// destruction of the source or the target; `instantiate`; `insert` and `extract`; `clear`; and the destruction of
  /// the world. If a new pair of an exclusive relation replaces the source's old pair, the removal is reported first. A
  /// replaced value of a pair is not reported. For a symmetric relation, the function is called for a pair and for its
  /// reverse, as Relations::each visits both. ChildOf is refused: use on_parent_change, on_create and on_destroy.
  ///
  /// When the function is called for a pair that is about to be removed, both entities are alive, and the functions of
  /// Relations find the pair and its value. Some queries may already treat the source as if the pair were removed:
  /// queries that find sources by the component Pair, and queries of a relation that is stored in tables.
  ///
  /// If several entities are created or destroyed together, their pairs are reported in the order of the entities (new
  /// parents before their children, destroyed children before their parents): each pair with its source, or with its
  /// target if the source is not created or destroyed. `World::clear` reports one relation after the other.
  /// `remove_targets` and `remove_sources` report all pairs before they remove any, in the reverse of the order in
  /// which Relations::targets or Relations::sources returns them.
  /// Returns, Errors: as for on_add.
  template <Component R, class Function>
  [[nodiscard]] Subscription on_pair_add(Function function, Existing existing = Existing::skip) {
    Subscription added = add_of_pairs<R>(detail::PairHappening::add, std::move(function));
    if (existing == Existing::notify) notify_pairs(id_of<R>(), added);
    return added;
  }
  template <Component R, class Function>
  [[nodiscard]] Subscription on_pair_remove(Function function) {
    return add_of_pairs<R>(detail::PairHappening::remove, std::move(function));
  }
  /// on_pair_add and on_pair_remove for a relation given by its id. They call `function(Entity source, Entity target,
  /// void* value)`, where `value` is null if the relation has no values.
  /// Contract: Relations::relation has returned the id.
  template <class Function>
  [[nodiscard]] Subscription on_pair_add(ComponentId relation, Function function,
                                         Existing existing = Existing::skip) {
    Subscription added = add_of_pairs(relation, detail::PairHappening::add, std::move(function));
    if (existing == Existing::notify) notify_pairs(relation, added);
    return added;
  }
  template <class Function>
  [[nodiscard]] Subscription on_pair_remove(ComponentId relation, Function function) {
    return add_of_pairs(relation, detail::PairHappening::remove, std::move(function));
  }

  /// `on_enter` calls `function(Entity)` once for each entity that begins to match the terms. Terms mean the same as in
  /// a query. `on_leave` calls `function(Entity)` once for each entity that ceases to match. If an entity ceases to
  /// match because it loses a component or is destroyed, the function is called before that change; in all other cases,
  /// after the change.
  /// Returns, Errors: as for on_add.
  /// Contract: no term names a component Pair<R>, by which queries find the sources of a relation R; use on_pair_add
  /// and on_pair_remove for pairs.
  /// Complexity: O(terms) each time an entity gets or loses a component that a term names; a term that looks for the
  /// component on an ancestor adds O(entities below this entity). With Existing::notify, the call is O(entities).
  template <class... Terms, class Function>
  [[nodiscard]] Subscription on_enter(Function function, Existing existing = Existing::skip) {
    return on_enter(terms_of<Terms...>().terms(), std::move(function), existing);
  }
  template <class... Terms, class Function>
  [[nodiscard]] Subscription on_leave(Function function) {
    return on_leave(terms_of<Terms...>().terms(), std::move(function));
  }
  /// on_enter and on_leave for terms that are given at run time, by the ids of components.
  template <class Function>
  [[nodiscard]] Subscription on_enter(std::span<const Term> terms, Function function,
                                      Existing existing = Existing::skip) {
    Subscription added = detail::subscribe(list(terms, true), std::move(function), detail::CallWithEntity());
    if (existing == Existing::notify) notify_matching(terms, added);
    return added;
  }
  template <class Function>
  [[nodiscard]] Subscription on_leave(std::span<const Term> terms, Function function) {
    return detail::subscribe(list(terms, false), std::move(function), detail::CallWithEntity());
  }

  /// Collects the entities to which one of the Events happens, by giving them the tag Mark. Events are OnAdd<T>,
  /// OnSet<T>, OnRemove<T>, OnCreate and OnParentChange. A query with the term Mark then visits the marked entities, in
  /// the order of Mark's pool (sparse set), which can be sorted (see Pool::sort_by_depth). `Pool::clear` removes the
  /// marks. `cascade().propagate<Mark>` updates the marked entities and the entities below them, and removes the marks.
  /// If adding Mark at once could disturb other code, for example while a query iterates, the addition is recorded as a
  /// command.
  /// Returns: a Subscription for each of the Events; the event marks entities as long as its Subscription exists.
  template <Component Mark, class... Events>
  [[nodiscard]] std::array<Subscription, sizeof...(Events)> collect() {
    static_assert(is_tag<Mark> && storage_of<Mark> == Storage::sparse,
                  "a mark is a tag in the side store: an empty type with storage_of = Storage::sparse");
    return {collect_one<Mark>(Events{})...};
  }

  /// Replaces the hooks of a component: the functions that are called when its values are added, set or removed (see
  /// ComponentHooks).
  /// Contract: this world issued the id.
  STRATA_API void set_hooks(ComponentId id, const ComponentHooks& hooks);

  /// While a Quiet object exists, no hook or observer is notified. This makes it faster to load data; afterwards, the
  /// program itself must update what observers would have updated. Quiet objects nest: notification begins again when
  /// the last one is destroyed. The world outlives them.
  using Quiet = detail::ChangeNotifier::Pause;
  Quiet quiet() { return Quiet(notifier()); }

 private:
  template <Component T, class Function>
  Subscription add(detail::Happening happening, Function function) {
    return detail::subscribe(list<T>(happening), std::move(function),
                             [](Function& called, Entity entity, void* now, const void*) {
                               detail::call_with_value<T>(called, entity, now);
                             });
  }
  template <class Function>
  Subscription add_by_id(ComponentId id, detail::Happening happening, Function function) {
    return detail::subscribe(
        list(id, happening), std::move(function),
        [](Function& called, Entity entity, void* now, const void*) { called(entity, now); });
  }

  template <Component R, class Function>
  Subscription add_of_pairs(detail::PairHappening happening, Function function) {
    static_assert(!std::is_same_v<R, ChildOf>,
                  "the parent is observed by on_parent_change, on_create and on_destroy");
    return detail::subscribe(list(id_of<R>(), relation_options_of<R>, happening), std::move(function),
                             [](Function& called, Entity source, void* value, const void* target) {
                               detail::call_with_pair<R>(called, source, *static_cast<const Entity*>(target),
                                                         value);
                             });
  }
  template <class Function>
  Subscription add_of_pairs(ComponentId relation, detail::PairHappening happening, Function function) {
    return detail::subscribe(list(relation, happening), std::move(function),
                             [](Function& called, Entity source, void* value, const void* target) {
                               called(source, *static_cast<const Entity*>(target), value);
                             });
  }

  template <Component T>
  ComponentId id_of() {
    return parts_->store.registry().id_of<T>();
  }
  template <class... Terms>
  detail::TermList terms_of() {
    return {parts_->store.registry(), detail::typed_terms<Terms...>, std::nullopt};
  }
  template <Component T>
  detail::ObserverList& list(detail::Happening happening) {
    return list(id_of<T>(), happening);
  }
  detail::ChangeNotifier& notifier() { return parts_->hierarchy.notifier(); }
  STRATA_API detail::ObserverList& list(ComponentId id, detail::Happening happening);
  STRATA_API detail::ObserverList& list(detail::EntityHappening happening);
  STRATA_API detail::ObserverList& list(std::span<const Term> terms, bool enters);
  STRATA_API detail::ObserverList& list(ComponentId relation, const RelationOptions& options,
                                        detail::PairHappening happening);
  STRATA_API detail::ObserverList& list(ComponentId relation, detail::PairHappening happening);
  STRATA_API void notify_existing(ComponentId id, const Subscription& added);
  STRATA_API void notify_matching(std::span<const Term> terms, const Subscription& added);
  STRATA_API void notify_pairs(ComponentId relation, const Subscription& added);
  STRATA_API static void mark(detail::WorldParts& parts, ComponentId id, Entity entity);
  STRATA_API void notify_all(std::span<const Entity> entities, ComponentId id, detail::Observer& observer);
  template <class Visit>
  void notify_at_once(Visit visit);

  template <Component Mark>
  auto marker() {
    return [parts = parts_, id = id_of<Mark>()](Entity entity) { mark(*parts, id, entity); };
  }
  template <Component Mark, class T>
  Subscription collect_one(OnAdd<T>) {
    return on_add<T>(marker<Mark>());
  }
  template <Component Mark, class T>
  Subscription collect_one(OnSet<T>) {
    return on_set<T>(marker<Mark>());
  }
  template <Component Mark, class T>
  Subscription collect_one(OnRemove<T>) {
    return on_remove<T>(marker<Mark>());
  }
  template <Component Mark>
  Subscription collect_one(OnCreate) {
    return on_create(marker<Mark>());
  }
  template <Component Mark>
  Subscription collect_one(OnParentChange) {
    return on_parent_change([marked = marker<Mark>()](Entity child, Entity, Entity) { marked(child); });
  }

  detail::WorldParts* parts_;
};

}  // namespace strata
