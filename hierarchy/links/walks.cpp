#include "walks.hpp"

namespace strata::detail {

std::vector<Entity> list_breadth_first(const Links& links, const Slots& slots, std::uint32_t origin) {
  std::vector<Entity> order;
  if (origin == Links::kNone) return order;
  order.push_back(slots.handle_of(origin));
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::uint32_t child = links.first_child(order[i].index());
    for (; child != Links::kNone; child = links.next(child)) order.push_back(slots.handle_of(child));
  }
  return order;
}

}  // namespace strata::detail
