#include "term_list.hpp"

#include <algorithm>

namespace strata::detail {
namespace {

Matcher make(const Store& store, const TermList& list, std::span<const TypedTerm> typed,
             const Relation* relation) {
  Matcher matcher(store, list.terms(), relation, list.finders());
  for (std::size_t term = 0; term < typed.size(); ++term) {
    if (typed[term].find_relation != nullptr) matcher.follow(term, typed[term].find_relation);
  }
  const auto written =
      std::find_if(typed.begin(), typed.end(), [](const TypedTerm& term) { return term.writes; });
  matcher.set_use(written == typed.end() ? Use::read : Use::change,
                  static_cast<std::size_t>(written - typed.begin()));
  return matcher;
}

}  // namespace

TermList::TermList(Registry& registry, std::span<const TypedTerm> typed,
                   const std::optional<Narrowing>& narrowing) {
  for (const TypedTerm& term : typed)
    push(term, term.id_in != nullptr ? term.id_in(registry) : ComponentId{}, nullptr);
  push(narrowing);
}

TermList::TermList(const Registry& registry, std::span<const TypedTerm> typed,
                   const std::optional<Narrowing>& narrowing) {
  for (const TypedTerm& term : typed)
    push(term, term.find_id != nullptr ? term.find_id(registry) : ComponentId{}, term.find_id);
  push(narrowing);
}

void TermList::push(const TypedTerm& typed, ComponentId id, Matcher::FindId finder) {
  finders_[size_] = finder;
  Term& term = terms_[size_++];
  term = {typed.role, id, typed.group};
  if (typed.find_relation != nullptr) term.along = Registry::kUnknown;
}

void TermList::push(const std::optional<Narrowing>& narrowing) {
  if (!narrowing) return;
  finders_[size_] = narrowing->find;
  terms_[size_++] = narrowing->term;
}

Matcher make_matcher(Store& store, std::span<const TypedTerm> typed, const Relation* relation,
                     const std::optional<Narrowing>& narrowing) {
  return make(store, TermList(store.registry(), typed, narrowing), typed, relation);
}

Matcher make_matcher(const Store& store, std::span<const TypedTerm> typed, const Relation* relation,
                     const std::optional<Narrowing>& narrowing) {
  return make(store, TermList(store.registry(), typed, narrowing), typed, relation);
}

}  // namespace strata::detail
