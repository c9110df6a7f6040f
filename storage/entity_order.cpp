#include "entity_order.hpp"

#include <algorithm>

namespace strata {

std::span<std::uint32_t> merge_sort(std::span<std::uint32_t> order, std::span<std::uint32_t> spare,
                                    std::span<const Entity> entities, EntityOrder less) {
  const auto before = [&](std::uint32_t a, std::uint32_t b) { return less(entities[a], entities[b]); };
  const std::size_t count = order.size();
  for (std::size_t width = 1; width < count; width *= 2) {
    for (std::size_t begin = 0; begin < count; begin += 2 * width) {
      std::uint32_t* const first = order.data() + begin;
      std::uint32_t* const middle = order.data() + std::min(begin + width, count);
      std::uint32_t* const last = order.data() + std::min(begin + 2 * width, count);
      // Pools are often almost sorted: two runs that are in order already cost one comparison.
      if (middle == last || !before(*middle, *(middle - 1))) {
        std::copy(first, last, spare.data() + begin);
      } else {
        std::merge(first, middle, middle, last, spare.data() + begin, before);
      }
    }
    std::swap(order, spare);
  }
  return order;
}

}  // namespace strata
