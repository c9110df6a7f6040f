#include "walks.hpp"

#include <algorithm>

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

std::vector<Entity> list_roots(const Archetypes& archetypes) {
  std::vector<Entity> roots;
  for (const Archetype* archetype : archetypes.all()) {
    for (const Block* block : archetype->at_rank(0)) {
      for (; block != nullptr; block = block->next) {
        const Entity* const entities = block->format->entities(*block);
        roots.insert(roots.end(), entities, entities + block->count);
      }
    }
  }
  std::ranges::sort(roots, {}, &Entity::index);
  return roots;
}

}  // namespace strata::detail
