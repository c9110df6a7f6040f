// EntityOrder: a user's order of entities, and the permutation that sorts by it.
#pragma once

#include <cstdint>
#include <span>

#include "../core/entity.hpp"

namespace strata {

/// A comparison of the std::sort kind, behind one function pointer, so that sorting is compiled once.
/// Contract: outlived by the function that it was made from.
class EntityOrder {
 public:
  template <class Less>
  explicit EntityOrder(const Less& less)
      : function_(&less), call_([](const void* function, Entity a, Entity b) -> bool {
          return (*static_cast<const Less*>(function))(a, b);
        }) {}

  bool operator()(Entity a, Entity b) const { return call_(function_, a, b); }

 private:
  const void* function_;
  bool (*call_)(const void*, Entity, Entity);
};

/// Sorts positions in `entities` stably: `order` holds them, `spare` is as long. Takes no memory of its own,
/// and a comparison that contradicts itself cannot lead it out of bounds.
/// Returns: whichever of the two spans holds the result.
/// Errors: what the comparison throws.
/// Complexity: O(n log n) comparisons, O(n) if sorted already.
/// Source: bottom-up merge sort (D. Knuth, The Art of Computer Programming, 5.2.4).
std::span<std::uint32_t> merge_sort(std::span<std::uint32_t> order, std::span<std::uint32_t> spare,
                                    std::span<const Entity> entities, EntityOrder less);

}  // namespace strata
