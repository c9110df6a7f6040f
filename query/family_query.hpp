// FamilyQuery: a query that visits only the children of one entity.
#pragma once

#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

#include "matching/selection.hpp"
#include "visiting/row_range.hpp"
#include "visiting/visits.hpp"

namespace strata::detail {

/// The result of `Query::children_of` and `World::query(child_of(parent))`: a query that visits only the children of
/// one entity, in their order among siblings. A stale entity has no children. Each function does what the function of
/// Query with the same name does, for these children. A FamilyQuery holds a reference to the query (Held is Query&), or
/// the query itself if it was a temporary (Held is Query).
///
/// Complexity: O(children) for a visit, plus a test of each archetype that was created since the query's last visit; a
/// new query tests all archetypes. So keep the query to visit the children of many entities.
template <class Held>
class FamilyQuery {
 public:
  FamilyQuery(Held&& query, Entity parent) : query_(std::forward<Held>(query)), parent_(parent) {
    require_families(query_.matcher());
  }

  template <class... Functions>
  void each(Functions&&... functions) {
    std::remove_reference_t<Held>::require_no_parent_written();
    query_.each_child_of(parent_, functions...);
  }

  /// Does not compile: the children of an entity are visited by one thread.
  template <class AnyExecutor>
  void par(AnyExecutor&) {
    static_assert(
        sizeof(AnyExecutor) == 0,
        "the children of an entity are visited by one thread: list them, and use query.par(...).each_of");
  }

  /// Does not compile: the rows of children are not contiguous.
  template <class Function>
  void each_block(Function&&) {
    static_assert(sizeof(Function) == 0,
                  "the rows of children are not contiguous, so each_block cannot visit them: use each");
  }

  std::size_t count() { return query_.count_in(selection()); }
  Entity first() { return query_.first_in(selection()); }
  bool contains(Entity entity) const { return query_.contains_in(selection(), entity); }
  std::string explain() { return query_.explain_in(selection()); }
  std::string explain(Entity entity) { return query_.explain_in(selection(), entity); }

  auto begin() & {
    std::remove_reference_t<Held>::require_no_parent_written();
    return query_.begin_in(selection());
  }
  std::default_sentinel_t end() { return {}; }

 private:
  Selection selection() const { return Selection::children_of(parent_); }

  Held query_;
  Entity parent_;
};

}  // namespace strata::detail
