// RuntimeQuery: visits the entities that have certain components. Ids name the components at run time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "../core/compiler.hpp"
#include "batches/contiguous_runs.hpp"
#include "filtering/named_rows.hpp"
#include "pair_query.hpp"
#include "terms/write_stamper.hpp"
#include "visiting/explain.hpp"
#include "visiting/row_loops.hpp"
#include "visiting/row_view.hpp"
#include "visiting/visits.hpp"

namespace strata::detail {

/// The result of BasicRuntimeQuery::cascade, which visits the query's entities in an order by depth, and of
/// BasicRuntimeQuery::children_of, which visits only the children of one entity. Each function does what the query's
/// function of the same name does, for the selected entities.
/// Contract: the query outlives this object.
template <class AnyQuery>
class RuntimeSelection {
 public:
  /// Contract: if `selection` is restricted to the children of an entity, `query` has a Relation (the interface through
  /// which queries read the hierarchy). Queries made by a World have one.
  RuntimeSelection(AnyQuery& query, Selection selection) : query_(query), selection_(selection) {
    if (selection.scope == Scope::children) detail::require_families(query.matcher());
  }

  /// Return this selection restricted to one depth or a range of depths; see CascadeQuery::depths.
  /// Contract: this selection was made by `cascade`; first <= last.
  RuntimeSelection depths(std::uint32_t first, std::uint32_t last) const {
    return {query_, selection_.within(first, last)};
  }
  RuntimeSelection depth(std::uint32_t only) const { return depths(only, only); }

  template <class Function>
  void each(Function&& function) {
    query_.each_in(selection_, function);
  }
  template <class Function>
  void each_block(Function&& function) {
    query_.each_block_in(selection_, function);
  }

  std::size_t count() { return detail::count_rows(query_.refreshed(), selection_); }
  Entity first() { return detail::find_first(query_.refreshed(), selection_); }
  bool contains(Entity entity) const { return detail::contains(query_.matcher(), selection_, entity); }
  std::string explain() { return detail::explain(query_.refreshed(), selection_); }
  std::string explain(Entity entity) const { return detail::explain(query_.matcher(), selection_, entity); }

 private:
  AnyQuery& query_;
  Selection selection_;
};

/// Checks the contract of `each_block`, which needs rows that are contiguous in memory. The contract is broken if
/// `selection` is restricted to the children of an entity or to entities with pairs to given targets, or if a term uses
/// the side store (sparse sets). Calls Matcher::refresh first, because set_storage may have moved a term's component.
STRATA_API void require_blocks(Matcher& matcher, Selection selection);

/// Returns: a bit for each term, by position. A bit is set if the term passes values of the visited entity itself (not
/// of its parent or an ancestor) for writing, and if writes to the term's component are recorded (see Tracking).
STRATA_API std::uint32_t tracked_values(const Matcher& matcher);

/// A query whose terms are values of type Term and not template arguments, for scripts, tools and other languages. Its
/// functions do what the functions of Query with the same names do, but a visiting function takes one argument, a Row
/// or a Block, from which it gets the value of a term by the term's position. One thread visits the rows. "A or B" is
/// two terms of Role::any_of with the same `group`. A query of a `const Store` only reads, whatever the roles: in it,
/// Role::value means what Role::read means.
///
/// A term of Role::read or Role::read_optional hands out a value for reading, and its component does not count as
/// written (see Tracking). Get its value with Row::read, Block::read_bytes or `Block::values<const T>`.
///
/// Contract: the world outlives the query.
/// Threads: the same rules as for Query.
template <class AnyStore>
class BasicRuntimeQuery {
 public:
  static constexpr bool kWrites = !std::is_const_v<AnyStore>;
  /// What visiting functions receive: `each` passes a Row, `each_block` a Block, which is a run of rows of
  /// one table whose values are contiguous.
  using Row = std::conditional_t<kWrites, RowView, ConstRowView>;
  using Block = std::conditional_t<kWrites, BlockView, ConstBlockView>;

  /// Contract: at most kMaxTerms terms, of components of this store. No term hands out the value of a tag. The group of
  /// a term of Role::any_of is below kMaxTerms. If a term reads or tests a parent or ancestor, `relation` is not null.
  /// If a term follows another relation (Term::along), that relation is exclusive. If a term breaks the contract, the
  /// message names it.
  BasicRuntimeQuery(AnyStore& store, std::span<const Term> terms, const Relation* relation)
      : store_(&store), matcher_(store, terms, relation) {
    if constexpr (!kWrites) matcher_.set_use(detail::Use::read, 0);
  }

  /// Returns: this query with a visiting order by depth in the hierarchy; see Query::cascade.
  /// Contract: the query outlives the result.
  RuntimeSelection<BasicRuntimeQuery> cascade(Direction direction = Direction::down) & {
    return {*this, order_of(direction)};
  }

  /// Returns: this query restricted to the children of an entity; see Query::children_of.
  /// Contract: the query outlives the result. It was made with a Relation (the object by which queries read the
  /// hierarchy).
  RuntimeSelection<BasicRuntimeQuery> children_of(Entity parent) & {
    return {*this, Selection::children_of(parent)};
  }

  /// Does not compile: entities that a run-time query matches are visited by one thread.
  template <class AnyExecutor>
  void par(AnyExecutor&) {
    static_assert(sizeof(AnyExecutor) == 0,
                  "a run-time query is visited by one thread: make a typed query, world.query<...>(), to "
                  "visit on several");
  }

  /// Return this query restricted to the entities that have (`to`), or do not have (`without`), a pair of a relation to
  /// a target; see Query::to.
  /// Contract: the query was made by a World, and outlives the result. The relation is known, that is,
  /// Relations::relation was called for it.
  PairQuery<BasicRuntimeQuery&> to(ComponentId relation, Entity target) & {
    return {*this, {target, relation, nullptr, false}};
  }
  PairQuery<BasicRuntimeQuery&> without(ComponentId relation, Entity target) & {
    return {*this, {target, relation, nullptr, true}};
  }

  /// Calls `function(const Row&)` for every matching entity.
  template <class Function>
  void each(Function&& function) {
    each_in(Order::any, function);
  }

  /// Calls `function(const Row&)` for those entities in the list `entities` that match, in the order of the list; see
  /// Query::each_of.
  /// Contract: `entities` stays as it is during the call.
  template <class Function>
  void each_of(std::span<const Entity> entities, Function&& function) {
    matcher_.refresh();
    const WriteStamper stamper = this->stamper();
    detail::for_each_named_batch(matcher_, entities, [&](const Batch& batch) {
      stamper.visit(batch, [&](const Batch& rows) { visit_rows_of(rows, function); });
    });
    iteration_ended();
  }

  /// Calls `function(const Row&, Entity target, const void* value)` for each pair (link of a relation from a source to
  /// a target) whose source is a matching entity; see Query::each_pair. `value` is null if pairs of the relation have
  /// no value.
  /// Contract: the query was made by a World. The relation is known, that is, Relations::relation was called for it.
  template <class Function>
  void each_pair(ComponentId relation, Function&& function) {
    const PairReader& pairs = require_relation(matcher_, relation);
    std::vector<PairTarget> targets;
    each([&](const Row& row) {
      pairs.list_targets(relation, row.entity(), targets);
      for (const PairTarget& pair : targets) function(row, pair.target, pair.value);
    });
  }

  /// Calls `function(const Block&)` for every run of matching rows whose values are contiguous in memory.
  /// Contract: no term uses the side store (sparse sets), where the values of successive rows are not contiguous.
  template <class Function>
  void each_block(Function&& function) {
    each_block_in(Order::any, function);
  }

  /// Returns: the number of matching entities.
  std::size_t count() { return in(Order::any).count(); }
  /// Returns: the entity that `each` visits first; a null handle if there is none.
  Entity first() { return in(Order::any).first(); }

  /// Returns: whether the entity matches the query; false if the entity is stale.
  bool contains(Entity entity) const { return matcher_.accepts(entity); }

  /// Returns: a text for debugging, the same as that of Query::explain. Without an argument, it describes the
  /// query; with an entity, it says whether that entity matches.
  std::string explain() { return in(Order::any).explain(); }
  std::string explain(Entity entity) { return in(Order::any).explain(entity); }

  /// Returns: the part of the query that finds the matching archetypes; for tests and tools.
  const Matcher& matcher() const { return matcher_; }

 private:
  friend class RuntimeSelection<BasicRuntimeQuery>;
  template <class Held>
  friend class PairQuery;

  RuntimeSelection<BasicRuntimeQuery> in(Selection selection) { return {*this, selection}; }

  const Matcher& refreshed() {
    matcher_.refresh();
    return matcher_;
  }

  template <class Function>
  void each_in(Selection selection, Function& function) {
    start(selection);
    for_each_batch(selection, [&](const Batch& batch) { visit_rows_of(batch, function); });
    iteration_ended();
  }

  template <class Function>
  void each_paired(const Selection& selection, Function& function) {
    matcher_.refresh();
    for_each_batch(selection, [&](const Batch& batch) { visit_rows_of(batch, function); });
    iteration_ended();
  }

  template <class Function>
  void visit_rows_of(const Batch& batch, Function& function) {
    for_each_run(batch, [&](Run run) {
      for (std::uint32_t row = run.first; row < run.first + run.count; ++row) {
        function(Row(matcher_, batch, row, run.origin));
      }
    });
  }

  template <class Function>
  void each_block_in(Selection selection, Function& function) {
    require_blocks(matcher_, selection);
    start(selection, true);
    for_each_batch(selection, [&](const Batch& rows) {
      for_each_contiguous(matcher_, rows, [&](const Batch& batch) {
        for_each_run(batch, [&](Run run) { function(Block(matcher_, batch, run)); });
      });
    });
    iteration_ended();
  }

  void start(Selection selection, bool as_blocks = false) {
    detail::start(matcher_, selection, kWrites, as_blocks);
  }
  void iteration_ended() {
    if constexpr (kWrites) store_->iteration_ended();
  }

  /// Returns: an object that records which values a visit hands out for writing, if their components are tracked (see
  /// Tracking).
  WriteStamper stamper() const {
    return {matcher_, store_->rows().changes().clock(), kWrites ? tracked_values(matcher_) : 0};
  }

  /// Calls `visit` for every batch of rows of the selection. Before each call, records a write of each value that the
  /// batch hands out for writing, if the component is tracked (see Tracking).
  template <class Visit>
  void for_each_batch(Selection selection, Visit visit) const {
    const WriteStamper stamper = this->stamper();
    const auto stamped = [&](const Batch& batch) { stamper.visit(batch, visit); };
    if (selection.scope != Scope::all) return for_each_related_batch(matcher_, selection, stamped);
    detail::for_each_batch(matcher_, selection, stamped);
  }

  AnyStore* store_;
  Matcher matcher_;
};

}  // namespace strata::detail

namespace strata {

/// A query whose terms are given at run time; see BasicRuntimeQuery.
using RuntimeQuery = detail::BasicRuntimeQuery<detail::Store>;

/// A query whose terms are given at run time and that only reads; see BasicRuntimeQuery.
using ConstRuntimeQuery = detail::BasicRuntimeQuery<const detail::Store>;

}  // namespace strata
