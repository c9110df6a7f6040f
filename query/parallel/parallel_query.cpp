#include "parallel_query.hpp"

#include "matched_rows.hpp"

namespace strata::detail {

void require_no_order(const Selection& selection) {
  STRATA_EXPECTS(selection.order == Order::any,
                 "each_of visits entities in the order in which they are given, not by depth: call it on "
                 "query.par(...)");
}

void require_downwards(const Selection& selection) {
  STRATA_EXPECTS(selection.order == Order::down && selection.depths.all(),
                 "changes spread from parents to children: propagate needs cascade(), not cascade(up), and "
                 "all depths");
}

WorkList ParallelVisit::list_work(const Matcher& matcher, bool writes_parents) const {
  const std::size_t grain = threads_.grain();
  const bool is_divided =
      count_workers(threads_.executor()) > 1 && estimate_rows(matcher, 2 * grain) >= 2 * grain;
  return is_divided ? WorkList(matcher, selection_, {grain, writes_parents}) : WorkList(selection_);
}

}  // namespace strata::detail
