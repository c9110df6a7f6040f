// FamilyQuery: a query narrowed to the children of one entity.
#pragma once

#include <iterator>
#include <string>
#include <utility>

#include "row_range.hpp"
#include "selection.hpp"
#include "visits.hpp"

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
  FamilyQuery(Held&& query, Entity parent)
      : query_(std::forward<Held>(query)), selection_(Selection::children_of(parent)) {
    detail::expect_families(query_.matcher());
  }

  template <class... Functions>
  void each(Functions&&... functions) {
    query_.each_in(selection_, functions...);
  }

  /// Refused: the rows of children lie where their components and layout put them.
  template <class Function>
  void each_block(Function&&) {
    static_assert(sizeof(Function) == 0,
                  "the children of an entity are no blocks of neighbouring rows: use each");
  }

  std::size_t count() { return query_.count_in(selection_); }
  Entity first() { return query_.first_in(selection_); }
  bool contains(Entity entity) const { return query_.contains_in(selection_, entity); }
  std::string explain() { return query_.explain_in(selection_); }
  std::string explain(Entity entity) { return query_.explain_in(selection_, entity); }

  auto begin() & { return query_.begin_in(selection_); }
  std::default_sentinel_t end() { return {}; }

 private:
  Held query_;
  Selection selection_;
};

}  // namespace strata
