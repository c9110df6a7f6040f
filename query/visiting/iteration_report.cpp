#include "iteration_report.hpp"

#include <array>

#include "visits.hpp"

namespace strata::detail {
namespace {

AccessKind kind_of(Role role) {
  switch (role) {
    case Role::value:
    case Role::read:
      return AccessKind::value;
    case Role::optional:
    case Role::read_optional:
    case Role::either:
      return AccessKind::maybe;
    case Role::without:
      return AccessKind::without;
    case Role::any_of:
      return AccessKind::any_of;
    case Role::related:
    case Role::nearest:
    case Role::parent_with:
    case Role::parent_without:
    case Role::ancestor_with:
    case Role::ancestor_without:
      return AccessKind::relative;
    case Role::with:
    case Role::entity:
      break;
  }
  return AccessKind::with;
}

Visited visited_by(Selection selection, bool as_blocks) {
  if (selection.scope == Scope::children) return Visited::family;
  if (as_blocks) return Visited::blocks;
  return selection.order == Order::any ? Visited::rows : Visited::in_order;
}

std::uint64_t tables_of(const Matcher& matcher) {
  std::uint64_t tables = 0;
  for (const Archetype* archetype : matcher.occupied()) tables += archetype->ranks().tables();
  return tables;
}

}  // namespace

void report_iteration(const Matcher& matcher, Selection selection, bool as_blocks) {
  std::array<ComponentAccess, kMaxTerms> terms;
  std::size_t count = 0;
  for (const Term& term : matcher.terms()) {
    if (term.role != Role::entity && term.id != Registry::kUnknown)
      terms[count++] = {term.id, kind_of(term.role)};
  }
  matcher.store().observer()->iterated({std::span(terms).first(count), visited_by(selection, as_blocks),
                                        count_rows(matcher, selection), tables_of(matcher)});
}

}  // namespace strata::detail
