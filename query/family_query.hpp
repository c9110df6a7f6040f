// FamilyQuery: a query narrowed to the children of one entity.
#pragma once

#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

#include "matching/selection.hpp"
#include "visiting/row_range.hpp"
#include "visiting/visits.hpp"

namespace strata {

/// Visits the matching children of one entity, in the order of the children; nothing if the entity is stale.
/// Made by `Query::children_of` and `World::query(child_of(parent))`. Holds a reference to a query that is
/// kept elsewhere (Query&), or the query itself if it was a temporary (Query).
///
/// Complexity: O(children), besides taking in archetypes that are new to the query: keep the query where many
/// families are asked.
template <class Held>
class FamilyQuery {
 public:
  FamilyQuery(Held&& query, Entity parent) : query_(std::forward<Held>(query)), parent_(parent) {
    detail::require_families(query_.matcher());
  }

  template <class... Functions>
  void each(Functions&&... functions) {
    std::remove_reference_t<Held>::require_no_parent_written();
    query_.each_child_of(parent_, functions...);
  }

  /// Refused: the rows of children lie where their components and layout put them.
  template <class Function>
  void each_block(Function&&) {
    static_assert(sizeof(Function) == 0,
                  "the children of an entity are no blocks of neighbouring rows: use each");
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
  detail::Selection selection() const { return detail::Selection::children_of(parent_); }

  Held query_;
  Entity parent_;
};

}  // namespace strata
