#include "parallel_query.hpp"

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

}  // namespace strata::detail
