#include "selection.hpp"

#include <string>

#include "../../core/contract.hpp"

namespace strata::detail {

Selection Selection::within(std::uint32_t first, std::uint32_t last) const {
  STRATA_EXPECTS(order != Order::any,
                 "only a query in an order by depth is restricted to some depths: call "
                 "cascade() before depth() or depths()");
  STRATA_EXPECTS(first <= last, "depths(" + std::to_string(first) + ", " + std::to_string(last) +
                                    ") names no depth: pass the lower one first");
  Selection restricted = *this;
  restricted.depths = {first, last};
  return restricted;
}

}  // namespace strata::detail
