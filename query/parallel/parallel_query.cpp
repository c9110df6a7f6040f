#include "parallel_query.hpp"

namespace strata::detail {

void require_grain(std::size_t grain) {
  STRATA_EXPECTS(
      grain != 0,
      "the grain of a parallel visit is the number of rows that are worth a worker's time: it is 1 or more");
}

void require_no_order(const Selection& selection) {
  STRATA_EXPECTS(selection.order == Order::any,
                 "each_of visits entities in the order in which they are given, not by depth: call it on "
                 "query.par(...)");
}

}  // namespace strata::detail
