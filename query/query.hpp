// Query: visits the entities that have certain components. The template arguments name the components.
#pragma once

#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "cascade_query.hpp"
#include "changes/changed_subtrees.hpp"
#include "changes/changes.hpp"
#include "family_query.hpp"
#include "filtering/named_rows.hpp"
#include "order_by.hpp"
#include "pair_query.hpp"
#include "parallel/parallel_query.hpp"
#include "query_visits.hpp"
#include "terms/term_list.hpp"

namespace strata {

/// Visits the entities that satisfy all terms. A query is a value. Keep a query for repeated use: it remembers which
/// archetypes match, and an iteration only tests archetypes that were created since the previous iteration.
///
/// A visiting function takes one argument for each term, in the order of the terms:
/// - `T`: a T&
/// - `const T`: a const T&
/// - `Entity`: the entity
/// - `Maybe<T>`: a T*; null if the entity does not have T
/// - `Parent<const T>`: a const T*; null if there is no parent or the parent does not have T
/// - `Parent<T>`: a T* to the parent's value, for writing; null in the same cases as `Parent<const T>`; only allowed in
///   `cascade(up)`
/// - `Up<const T>`: a const T* to the value of the nearest ancestor that has T; null if none has it
/// - `Up<const T, R>`: a const T* to the value of the nearest entity that has T along the relation R, that is, from
///   target to target; null if none has it
/// - `With`, `Without`, `AnyOf<A, B, ...>`, `Maybe<Disabled>`, `Maybe<Prefab>`: no argument. `With<Parent<T>>`,
///   `Without<Up<T>>` and the like test what the parent or an ancestor has
///
/// A pointer that a visiting function receives is valid during this call only. A pointer to a read-only value of a
/// parent or ancestor may point to a copy of the value.
///
/// A visiting function must not make structural changes, such as to create, destroy or re-parent entities, or to add
/// or remove components: a contract refuses them (see callbacks.hpp). Record changes with `world.commands()`; they are
/// applied when the outermost iteration ends. An exception from a visiting function passes through, and commands that
/// were recorded before it stay recorded. A std::bad_alloc passes through in the same way: an `Up` term allocates when
/// its search passes more than 32 ancestors.
///
/// A query of a `const World&` only reads. Such a query hands out no writable value, applies no commands and does not
/// change the world, so several threads may read at the same time. Nor does it register components. A term for a
/// component that is not registered is treated as if no entity had the component, until the component is registered.
///
/// If the Query is const, `each`, `each_of`, `count`, `first`, `cascade` and `par` work on a copy of the query. This is
/// slower, and leaves the query itself unchanged. `contains` needs no copy.
///
/// Contract: the world outlives the query. The query is not destroyed, moved or assigned to while it iterates; if it
/// is, the process ends with a message, unless the contract handler does something else.
/// Threads: one at a time per query object. Several query objects may read at the same time, and several threads may
/// read through one const query. A cascade may move rows, so it counts as a change of the world, unless the World that
/// made the query is const or WorldOptions::defragmentation is manual.
template <class... Terms>
class Query : private detail::QueryVisits<Terms...> {
 public:
  Query(detail::Store& store, const detail::Relation* relation,
        std::optional<detail::Narrowing> narrowing = {})
      : Base(store, relation, narrowing) {}

  /// Makes a query that only reads. A const World makes its queries with this constructor. `relation` finds
  /// parents and ancestors; it is null if there is no hierarchy. `narrowing` is an additional term that gives
  /// no argument to visiting functions.
  Query(const detail::Store& store, const detail::Relation* relation,
        std::optional<detail::Narrowing> narrowing = {})
      : Base(store, relation, narrowing) {
    static_assert(
        (detail::reads_only<Terms> && ...),
        "a query of a const World only reads: write const T instead of T, also in Maybe<const T> and "
        "Parent<const T>");
  }

  /// Returns: this query with a visiting order by depth in the hierarchy. Direction::down visits every entity after all
  /// of its ancestors; Direction::up visits every entity before all of its ancestors. Nothing is visited yet: call
  /// `each` on the result.
  /// Invalidates: pointers to values of entities that have a parent, when an iteration of the result starts, because
  /// its start may move rows (see WorldOptions::defragmentation). A start inside another iteration moves no rows.
  /// Contract: the query outlives the result, unless the query is a temporary.
  detail::CascadeQuery<Query&> cascade(Direction direction = Direction::down) & {
    return {*this, detail::order_of(direction)};
  }
  detail::CascadeQuery<Query> cascade(Direction direction = Direction::down) && {
    return {std::move(*this), detail::order_of(direction)};
  }
  detail::CascadeQuery<Query> cascade(Direction direction = Direction::down) const& {
    return {fresh(), detail::order_of(direction)};
  }

  /// Returns: this query, with rows visited by the workers of an executor; a worker takes about `grain` rows at a time.
  /// See ParallelQuery. Call `each`, `each_block` or `recording` on the result.
  /// Contract: the executor outlives the result, and so does the query unless the query is a temporary; grain > 0.
  detail::ParallelQuery<Query&> par(Executor& executor, std::size_t grain = detail::kParallelGrain) & {
    require_no_parent_written();
    return {*this, detail::Order::any, executor, grain};
  }
  detail::ParallelQuery<Query> par(Executor& executor, std::size_t grain = detail::kParallelGrain) && {
    require_no_parent_written();
    return {std::move(*this), detail::Order::any, executor, grain};
  }
  detail::ParallelQuery<Query> par(Executor& executor, std::size_t grain = detail::kParallelGrain) const& {
    require_no_parent_written();
    return {fresh(), detail::Order::any, executor, grain};
  }

  /// Returns: this query restricted to the children of an entity, which are visited in their order among
  /// siblings; see FamilyQuery.
  /// Contract: the query outlives the result, unless the query is a temporary; the query was made by a World, which has
  /// the hierarchy.
  detail::FamilyQuery<Query&> children_of(Entity parent) & { return {*this, parent}; }
  detail::FamilyQuery<Query> children_of(Entity parent) && { return {std::move(*this), parent}; }

  /// Return this query restricted to the entities that have (`to`), or do not have (`without`), a pair of the
  /// relation R to a target; see PairQuery. For example:
  /// `query.to<DockedTo>(port).without<Owes>(bank).each(...)`.
  /// Contract: the query outlives the result, unless the query is a temporary; the query was made by a World, which has
  /// the relations.
  template <Component R>
  detail::PairQuery<Query&> to(Entity target) & {
    return {*this, detail::PairCondition::of<R>(target, false)};
  }
  template <Component R>
  detail::PairQuery<Query> to(Entity target) && {
    return {std::move(*this), detail::PairCondition::of<R>(target, false)};
  }
  template <Component R>
  detail::PairQuery<Query&> without(Entity target) & {
    return {*this, detail::PairCondition::of<R>(target, true)};
  }
  template <Component R>
  detail::PairQuery<Query> without(Entity target) && {
    return {std::move(*this), detail::PairCondition::of<R>(target, true)};
  }

  /// Calls a function for every matching entity. Several functions take turns: the rows are visited in runs,
  /// and each function visits all rows of a run before the next function does, so each one sees what the
  /// earlier functions wrote. A function that does not take the values of all terms is passed with `on`,
  /// which names its terms.
  /// Complexity: O(rows of matching tables); if a required component is in the side store (sparse sets), O(members of
  /// the smallest sparse set of a required component).
  template <class... Functions>
  void each(Functions&&... functions) {
    require_no_parent_written();
    each_in(detail::Order::any, functions...);
  }
  template <class... Functions>
  void each(Functions&&... functions) const {
    fresh().each(functions...);
  }

  /// Visits those entities in the list `entities` that match the query, in the order of the list: calls the functions
  /// with the same arguments as `each` does. Several functions take turns as in `each`. Stale entities are left out. An
  /// entity that is in the list twice is visited twice.
  /// Contract: `entities` stays as it is during the call.
  /// Complexity: O(entities in the list), independent of the size of the world.
  template <class... Functions>
  void each_of(std::span<const Entity> entities, Functions&&... functions) {
    static_assert(sizeof...(Functions) != 0, "each_of needs a function");
    require_no_parent_written();
    matcher_.refresh();
    detail::for_each_named_batch(matcher_, entities, stamping([&](const detail::Batch& batch) {
                                   (Visits::visit(batch, functions), ...);
                                 }));
    iteration_ended();
  }
  template <class... Functions>
  void each_of(std::span<const Entity> entities, Functions&&... functions) const {
    fresh().each_of(entities, functions...);
  }

  /// Calls `function` for each pair of the relation R whose source is a matching entity. A pair links its source to a
  /// target. The arguments are the target, then the value of the pair as const R& if the relation has values, then the
  /// arguments that `each` passes to a function. The relation may be ChildOf. If R has the option `queried` (see
  /// Pair), add With<Pair<R>> to the terms of the query: then the query does not visit entities without targets.
  /// Contract: the query was made by a World.
  /// Complexity: that of `each`, plus O(pairs).
  template <Component R, class Function>
  void each_pair(Function&& function) {
    require_no_parent_written();
    const detail::PairReader& pairs = detail::require_pairs(matcher_);
    const ComponentId relation = detail::find_relation<R>(matcher_.store().registry());
    std::vector<detail::PairTarget> targets;
    start(detail::Order::any);
    detail::for_each_batch(matcher_, detail::Order::any, stamping([&](const detail::Batch& batch) {
                             const Entity* next = batch.entities;  // `visit` is called in this order.
                             const auto visit = [&](auto&&... values) -> void {
                               pairs.list_targets(relation, *next++, targets);
                               detail::visit_targets<R>(targets, function, values...);
                             };
                             Visits::visit(batch, visit);
                           }));
    iteration_ended();
  }

  /// Calls `function` for every run of matching rows whose values are contiguous in memory. The function takes the
  /// arguments that `each` passes to a function, with a std::span over the run in place of each reference, pointer or
  /// entity. The span for a `Maybe` term is empty if the rows do not have the component. For a `Parent` or `Up` term,
  /// the argument is a `Parent::Span` or `Up::Span`.
  /// Contract: no term uses the side store (sparse sets), where the values of successive rows are not contiguous.
  template <class Function>
  void each_block(Function&& function) {
    require_no_parent_written();
    each_block_in(detail::Order::any, function);
  }

  /// Returns: this query restricted to changed entities: those on which one of the components Ts was written since the
  /// query's last visit of changed entities began; see ChangedView. The query remembers only its last visit of changed
  /// entities, not one visit for each choice of Ts or order. So use a separate query for each purpose. See
  /// CascadeQuery::changed for an order by depth, and CascadeQuery::changed_subtrees to include changes of ancestors.
  /// Contract: the query is not a temporary and outlives the result.
  template <Component... Ts>
  detail::ChangedView<Query, Ts...> changed() & {
    return changed_in<Ts...>(detail::Order::any);
  }
  /// Does not compile: a temporary query cannot remember its last visit.
  template <Component... Ts>
  detail::ChangedView<Query, Ts...> changed() && {
    static_assert(((sizeof(Ts) == 0) || ...),
                  "the query remembers its last visit of changed entities: keep the query in a variable");
    return changed_in<Ts...>(detail::Order::any);
  }

  /// Returns: this query with a visiting order by the values of T. `less_or_key` takes one value and returns a key to
  /// sort by, or takes two values and returns whether the first comes before the second. Each visit sorts again,
  /// starting from the order of the last visit. Entities with equal values keep their order, and new entities come
  /// after them.
  /// Contract: the query is not a temporary and outlives the result. If the query is an argument of a system, its own
  /// terms must declare that the system reads T. The terms T and const T declare this; With<T> declares it only if T is
  /// tracked (see Tracking). Terms of the system's other arguments do not count.
  template <Component T, class Function>
  detail::OrderByView<Query, T, std::decay_t<Function>> order_by(Function&& less_or_key) & {
    static_assert((detail::requires_value<T, Terms> || ...),
                  "order_by<T> needs T among the query's terms: as T, const T or With<T>");
    if constexpr (!(std::is_same_v<T, std::remove_const_t<Terms>> || ...)) require_declared<T>("order_by");
    return {*this, std::forward<Function>(less_or_key)};
  }
  /// Does not compile: a temporary query cannot keep the order for its next visit.
  template <Component T, class Function>
  detail::OrderByView<Query, T, std::decay_t<Function>> order_by(Function&& less_or_key) && {
    static_assert(sizeof(T) == 0,
                  "the query keeps the order for its next visit: keep the query in a variable");
    return {*this, std::forward<Function>(less_or_key)};
  }

  /// Returns: the number of matching entities.
  /// Complexity: O(tables). If a term uses the side store (sparse sets), or filters by components of the parent or an
  /// ancestor, counting tests the entities one by one, and costs as much as visiting them.
  std::size_t count() { return Base::count_in(detail::Order::any); }
  std::size_t count() const { return fresh().count(); }

  /// Returns: the entity that `each` visits first; a null handle if there is none.
  Entity first() { return Base::first_in(detail::Order::any); }
  Entity first() const { return fresh().first(); }

  /// Supports range-for: `for (auto [entity, position] : query)`. Each element is a tuple of the arguments that `each`
  /// passes to a function: references, pointers, and the entity by value. Structural changes are refused from `begin`
  /// until the loop ends, also if it ends by break or exception. At the end of the loop, recorded commands are applied,
  /// unless another iteration is in progress. A temporary query lives as long as the loop.
  auto begin() & {
    require_no_parent_written();
    return Base::begin_in(detail::Order::any);
  }
  std::default_sentinel_t end() { return {}; }

  /// Returns: a text for debugging. Without an argument: lines that describe the terms of the query and the
  /// matching archetypes. With an entity: a sentence that says whether the entity matches and, if not, why.
  std::string explain() { return Base::explain_in(detail::Order::any); }
  std::string explain(Entity entity) { return Base::explain_in(detail::Order::any, entity); }

  /// Returns: whether the entity matches the query; false if the entity is stale.
  bool contains(Entity entity) const { return matcher_.accepts(entity); }

  /// Return the untyped part of the query, the Matcher, which finds the matching archetypes. For systems, tests and
  /// tools.
  const detail::Matcher& matcher() const { return matcher_; }
  detail::Matcher& matcher() { return matcher_; }

 private:
  template <class, class...>
  friend class detail::ChangedView;
  template <class, class...>
  friend class detail::ChangedSubtrees;
  template <class, class, class>
  friend class detail::OrderByView;
  template <class Held>
  friend class detail::CascadeQuery;
  template <class Held>
  friend class detail::FamilyQuery;
  template <class Held>
  friend class detail::PairQuery;
  template <class Held>
  friend class detail::ParallelQuery;

  Query(detail::Store* writer, const detail::Matcher& matcher) : Base(writer, matcher) {}

  /// Returns: a copy that has the terms and the matching archetypes of this query, but remembers no earlier visit by
  /// `changed` and no order by `order_by`.
  Query fresh() const { return Query(writer_, matcher_); }

  using Base = detail::QueryVisits<Terms...>;
  using Visits = typename Base::Visits;
  using Base::each_block_in;
  using Base::each_in;
  using Base::iteration_ended;
  using Base::matcher_;
  using Base::require_no_parent_written;
  using Base::require_order;
  using Base::stamping;
  using Base::start;
  using Base::writer_;

  template <class T>
  void require_declared(const char* operation) const {
    if (!matcher_.declares()) [[likely]]
      return;
    detail::require_declared(matcher_, operation, name_of<T>,
                             matcher_.store().registry().template find_or_unknown<T>());
  }
  template <class... Ts>
  detail::ChangedView<Query, Ts...> changed_in(const detail::Selection& selection) {
    detail::require_tracked<Ts...>();
    static_assert(
        (!detail::uses_only_ancestor<Ts, Terms...> && ...),
        "changed<T> looks for entities whose own T was written, but this query only reads the T of a parent "
        "or ancestor (Parent<T>, Up<T>): add the term T or With<T>, use cascade().changed_subtrees<T>(), "
        "which "
        "visits the entities below, too, or mark what changes and use cascade().propagate()");
    (require_declared<Ts>("changed"), ...);
    return detail::ChangedView<Query, Ts...>(*this, selection);
  }
  template <class... Ts>
  detail::ChangedSubtrees<Query, Ts...> changed_subtrees() {
    detail::require_tracked<Ts...>();
    (require_declared<Ts>("changed_subtrees"), ...);
    return detail::ChangedSubtrees<Query, Ts...>(*this);
  }
};

}  // namespace strata
