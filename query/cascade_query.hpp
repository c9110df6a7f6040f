// CascadeQuery: a query that visits entities by depth, parents before children or children before parents.
#pragma once

#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "../core/contract.hpp"
#include "changes/dirty.hpp"
#include "matching/selection.hpp"
#include "parallel/parallel_query.hpp"

namespace strata::detail {

/// The result of `Query::cascade`: a query that visits parents before children (`down`), or children before parents
/// (`up`). `each`, `each_block`, `first`, `explain` and range-for do what they do for a Query, but in this visiting
/// order. `depth` and `depths` restrict the query to entities at some depths of the tree. A CascadeQuery holds a
/// reference to the query (Held is Query&), or the query itself if it was a temporary (Held is Query).
template <class Held>
class CascadeQuery {
 public:
  CascadeQuery(Held&& query, Selection selection)
      : query_(std::forward<Held>(query)), selection_(selection) {}

  /// Returns: this query restricted to the entities of one depth, or of the depths from `first` to `last`, both
  /// included. The depth of an entity is the number of its ancestors, so `depth(0)` visits the roots. `propagate` and
  /// `changed_subtrees` cannot be called on the result.
  /// Contract: first <= last.
  /// Complexity: a visit takes O(archetypes + entities of these depths). If the query reads parents or ancestors,
  /// visits after changes of the tree also update cached locations of parents' rows (see Relation::prepare), and may
  /// move rows (see WorldOptions::defragmentation).
  CascadeQuery depths(std::uint32_t first, std::uint32_t last) && {
    selection_ = selection_.within(first, last);
    return std::move(*this);
  }
  CascadeQuery depths(std::uint32_t first, std::uint32_t last) const& {
    return CascadeQuery(*this).depths(first, last);
  }
  CascadeQuery depth(std::uint32_t only) && { return std::move(*this).depths(only, only); }
  CascadeQuery depth(std::uint32_t only) const& { return depths(only, only); }

  /// Returns: this query, visited in parallel (see Query::par and ParallelQuery). The workers of an executor visit all
  /// rows of one depth before they go to the next depth; a worker takes about `grain` rows at a time. `propagate` can
  /// be called on the result, too.
  ParallelQuery<Held> par(Executor& executor, std::size_t grain = kParallelGrain) && {
    return {std::forward<Held>(query_), selection_, executor, grain};
  }
  ParallelQuery<Held> par(Executor& executor, std::size_t grain = kParallelGrain) const& {
    return CascadeQuery(*this).par(executor, grain);
  }

  template <class... Functions>
  void each(Functions&&... functions) {
    query_.each_in(selection_, functions...);
  }
  template <class Function>
  void each_block(Function&& function) {
    query_.each_block_in(selection_, function);
  }
  std::size_t count() { return query_.count_in(selection_); }
  Entity first() { return query_.first_in(selection_); }
  bool contains(Entity entity) const { return query_.contains_in(selection_, entity); }
  std::string explain() { return query_.explain_in(selection_); }
  std::string explain(Entity entity) const { return query_.explain_in(selection_, entity); }

  auto begin() & { return query_.begin_in(selection_); }
  std::default_sentinel_t end() { return {}; }

  /// Returns: this query restricted to changed entities, visited in the order by depth. A changed entity is one on
  /// which one of the components Ts was written since the query's last visit of changed entities began; see ChangedView
  /// and Query::changed.
  /// Contract: the query is not a temporary and outlives the result.
  template <Component... Ts>
  auto changed() const {
    static_assert(std::is_lvalue_reference_v<Held>,
                  "the query remembers its last visit of changed entities: keep the query in a variable");
    return query_.template changed_in<Ts...>(selection_);
  }

  /// Returns: this query restricted to changed entities and all entities below them. A changed entity is one on which
  /// one of the components Ts was written since the query's last visit of changed entities began; see ChangedSubtrees.
  /// Re-parenting is no write: an entity that only got another parent is not visited. To have the entity visited, also
  /// write one of its Ts, or mark the entity and use `propagate`.
  /// Contract: this query visits downwards (Direction::down), at all depths; the query is not a temporary and outlives
  /// the result.
  template <Component... Ts>
  auto changed_subtrees() const {
    static_assert(std::is_lvalue_reference_v<Held>,
                  "the query remembers its last visit of changed entities: keep the query in a variable");
    STRATA_EXPECTS(selection_.order == Order::down && selection_.depths.all(),
                   "changes spread from parents to children: changed_subtrees needs cascade(), not "
                   "cascade(up), and all depths");
    return query_.template changed_subtrees<Ts...>();
  }

  /// Recomputes values in the parts of the hierarchy that have changed. The caller marks changed entities by adding the
  /// component `Mark`, which is stored in the side store (sparse sets). The call visits marked entities and entities
  /// below them, each once and after its ancestors, and calls `function` with the same arguments as `each` does. At
  /// the end, the call removes all marks.
  ///
  /// `function` may return whether it changed the entity's value; if it returns nothing, every visit counts as a
  /// change. These rules decide which entities below a marked entity are visited:
  /// - The children of an entity are visited if its value changed.
  /// - If the value did not change, the entity's children are visited only if they are marked. There is one exception:
  ///   the children are visited, too, if an ancestor changed and the entity itself does not have all components of the
  ///   query's `Up` terms, because an `Up` term may then read the ancestor's changed value.
  /// - An entity that does not match the query is skipped, but its children are visited.
  ///
  /// Returns: exactly the entities whose values changed, in the order of the visit.
  /// Errors: what `function` throws, and std::bad_alloc; in both cases, all marks stay. After such an error, call
  /// `propagate` again with a function that returns true for every entity. Otherwise, `function` may find a value that
  /// the first call has already changed, and return false; the entities below would then be left out.
  /// Contract: this query visits downwards (Direction::down), at all depths; the query is not a temporary; no query is
  /// iterating.
  /// Invalidates: the span, by the next `propagate`, assignment or destruction of the query.
  /// Complexity: O(marks + entities visited), independent of the size of the world.
  /// Threads: the call counts as a change of the world, because it removes marks. No other thread may use the world
  /// meanwhile, except the threads that the call itself uses after `par`.
  template <class Mark = Dirty, class Function>
  std::span<const Entity> propagate(Function&& function) {
    static_assert(std::is_lvalue_reference_v<Held>,
                  "propagate returns a list that the query owns: keep the query in a variable");
    require_downwards(selection_);
    return query_.template propagate_below<Mark>(function, PassThreads());
  }

 private:
  Held query_;
  Selection selection_;
};

}  // namespace strata::detail
