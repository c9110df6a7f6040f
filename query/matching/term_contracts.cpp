#include "term_contracts.hpp"

#include <string>

#include "../../core/contract.hpp"
#include "pair_reader.hpp"

namespace strata::detail {

void require_sound(const Store& store, const Relation* relation, const Term& term, std::size_t position,
                   bool unknown) {
  const auto words = [&] { return "term " + std::to_string(position) + " of a query "; };
  STRATA_EXPECTS(
      term.role <= Role::either || has_own_value(term),
      words() + "has role " + std::to_string(static_cast<unsigned>(term.role)) + ", which does not exist");
  if (term.role == Role::entity) return;
  STRATA_EXPECTS(unknown || store.registry().contains(term.id),
                 words() + "names component " + std::to_string(to_index(term.id)) +
                     ", which this world does not know: use the id that World::component returned");
  const ComponentInfo& component = store.registry().describe_asked(term.id);
  STRATA_EXPECTS(relation != nullptr || !is_related(term),
                 words() + "reads \"" + component.name +
                     "\" of the parent, but the query knows no hierarchy: make it with World::query");
  STRATA_EXPECTS(relation != nullptr || !filters_above(term),
                 words() + "asks whether an entity above has \"" + component.name +
                     "\", but the query knows no hierarchy: make it with World::query");
  const bool hands_out = has_own_value(term) || is_related(term);
  STRATA_EXPECTS(!hands_out || !component.is_tag(),
                 words() + "reads the value of \"" + component.name + "\", but a tag has no value");
  STRATA_EXPECTS(term.role != Role::any_of || term.group < kMaxTerms,
                 words() + "has group " + std::to_string(term.group) + ": groups are numbers below " +
                     std::to_string(kMaxTerms));
}

void require_followed(const Store& store, const Relation* relation, const Term& term, std::size_t position) {
  const PairReader* const pairs = relation != nullptr ? relation->pairs() : nullptr;
  const std::string words = "term " + std::to_string(position) + " of a query follows ";
  STRATA_EXPECTS(pairs != nullptr, words + "a relation, but knows none: make the query with World::query");
  const ComponentId along = term.along;
  if (along == Registry::kUnknown) return;  // Up<T, R> has checked at compile time that R is a relation.
  STRATA_EXPECTS(pairs->knows(along), words + '"' + store.registry()[along].name +
                                          "\", which is no relation: call Relations::relation for it first");
  STRATA_EXPECTS(pairs->is_exclusive(along), words + "the relation \"" + store.registry()[along].name +
                                                 "\", in which a source may have several targets: follow one "
                                                 "that is exclusive");
}

}  // namespace strata::detail
