#include "iteration_note.hpp"

#include <array>

#include "visits.hpp"

namespace strata::detail {
namespace {

Asked asked_by(Role role) {
  switch (role) {
    case Role::value:
      return Asked::value;
    case Role::optional:
      return Asked::maybe;
    case Role::without:
      return Asked::without;
    case Role::any_of:
      return Asked::any_of;
    case Role::related:
    case Role::nearest:
      return Asked::relative;
    case Role::with:
    case Role::entity:
      break;
  }
  return Asked::with;
}

Visited visited_by(Selection selection, bool as_blocks) {
  if (selection.of_family) return Visited::family;
  if (as_blocks) return Visited::blocks;
  return selection.order == Order::any ? Visited::rows : Visited::in_order;
}

std::uint64_t tables_of(const Matcher& matcher) {
  std::uint64_t tables = 0;
  for (const Archetype* archetype : matcher.occupied()) tables += archetype->ranks().tables();
  return tables;
}

}  // namespace

void note_iteration(const Matcher& matcher, Selection selection, bool as_blocks) {
  std::array<AskedOf, kMaxTerms> asked;
  std::size_t count = 0;
  for (const Term& term : matcher.terms()) {
    if (term.role != Role::entity && term.id != Registry::kUnknown)
      asked[count++] = {term.id, asked_by(term.role)};
  }
  matcher.store().observer()->iterated({std::span(asked).first(count), visited_by(selection, as_blocks),
                                        count_rows(matcher, selection), tables_of(matcher)});
}

}  // namespace strata::detail
