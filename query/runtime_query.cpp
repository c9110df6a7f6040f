#include "runtime_query.hpp"

namespace strata::detail {

std::uint32_t tracked_values(const Matcher& matcher) {
  std::uint32_t tracked = 0;
  for (std::size_t i = 0; i < matcher.terms().size(); ++i) {
    const Term& term = matcher.terms()[i];
    if (writes_own_value(term) && matcher.store().registry()[term.id].tracking != Tracking::none)
      tracked |= 1u << i;
  }
  return tracked;
}

void require_blocks(Matcher& matcher, Selection selection) {
  STRATA_EXPECTS(
      selection.scope == Scope::all,
      "the rows of children, or of the sources of a target, are not contiguous, so each_block cannot visit "
      "them: use each");
  require_tables(matcher);
}

}  // namespace strata::detail
