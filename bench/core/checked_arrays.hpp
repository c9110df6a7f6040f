// CheckedArrays: the least that has to be done where entities are named by handles that are checked.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "random_access.hpp"

namespace strata::bench {

/// Where the value of each index is and of which generation the index is, by hand. Between the limit, which needs
/// no handles, and a store whose values are found by type, it tells what the checks cost alone.
class CheckedArrays {
 public:
  explicit CheckedArrays(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) places_.push_back({1, static_cast<std::uint32_t>(i)});
  }

  /// Returns: the entity's position in arrays of values; ends the program for one that is stale.
  std::uint32_t position_of(Entity entity) const {
    if (entity.index() >= places_.size()) [[unlikely]]
      std::abort();
    const Place place = places_[entity.index()];
    if (place.generation != entity.generation()) [[unlikely]]
      std::abort();
    return place.position;
  }

 private:
  struct Place {
    std::uint32_t generation;
    std::uint32_t position;
  };
  std::vector<Place> places_;
};

/// As the limit over arrays of values, by handle.
template <class Value, class ValueOf>
Work sum_by_handle(const RandomAccess& data, std::span<const Value> values, ValueOf value_of) {
  struct Named {
    CheckedArrays arrays;
    Handles in_order;
  };
  const auto named = std::make_shared<Named>(Named{CheckedArrays(data.size()), {}});
  for (const std::uint32_t i : data.order) named->in_order.push_back({i, 1});
  return summing(data, [named, values, value_of] {
    return sum_over(named->in_order,
                    [&](Entity entity) { return value_of(values[named->arrays.position_of(entity)]); });
  });
}

}  // namespace strata::bench
