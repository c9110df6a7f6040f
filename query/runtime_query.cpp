#include "runtime_query.hpp"

#include "explain.hpp"

namespace strata {

RuntimeSelection::RuntimeSelection(RuntimeQuery& query, Selection selection)
    : query_(query), selection_(selection) {
  if (selection.of_family) detail::expect_families(query.matcher());
}

std::size_t RuntimeSelection::count() {
  query_.matcher_.refresh();
  return detail::count_rows(query_.matcher_, selection_);
}

Entity RuntimeSelection::first() {
  query_.matcher_.refresh();
  return detail::find_first(query_.matcher_, selection_);
}

bool RuntimeSelection::contains(Entity entity) const {
  return detail::contains(query_.matcher_, selection_, entity);
}

std::string RuntimeSelection::explain() {
  query_.matcher_.refresh();
  return strata::explain(query_.matcher_, selection_);
}

std::string RuntimeSelection::explain(Entity entity) const {
  return strata::explain(query_.matcher_, selection_, entity);
}

std::uint32_t RuntimeQuery::tracked_writes() const {
  std::uint32_t written = 0;
  for (std::size_t i = 0; i < matcher_.terms().size(); ++i) {
    const Term& term = matcher_.terms()[i];
    const bool hands_out = term.role == Role::value || term.role == Role::optional;
    if (hands_out && store_->registry()[term.id].tracking != Tracking::none) written |= 1u << i;
  }
  return written;
}

void RuntimeQuery::expect_blocks(Selection selection) {
  STRATA_EXPECTS(!selection.of_family,
                 "the children of an entity are no blocks of neighbouring rows: use each");
  detail::expect_tables(matcher_);
}

}  // namespace strata
