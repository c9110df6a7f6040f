#include "given_values.hpp"

#include <string>

#include "../core/contract.hpp"

namespace strata::detail {

bool holds_value_at(const Store& store, const void* address) noexcept {
  bool held = store.pool().holds(address);
  store.side().for_each([&](const SparsePool& pool) { held = held || pool.holds_value_at(address); });
  return held;
}

void require_given(const Store& store, const char* operation, Entity entity, ComponentId id,
                   const void* value) {
  const ComponentInfo& component = store.registry()[id];
  const auto refused = [&](const char* why) {
    return std::string(operation) + " of \"" + component.name + "\" to entity " + to_string(entity) + ": " +
           why;
  };
  STRATA_EXPECTS(component.is_tag() || value != nullptr,
                 refused("it has a value, and null was passed: pass the address of a value"));
  STRATA_EXPECTS(!holds_value_at(store, value),
                 refused("the value is stored in this world: copy it, or move it out, first"));
}

void require_outside(const Store& store, const char* operation, ComponentId id, const void* values) {
  STRATA_EXPECTS(!holds_value_at(store, values),
                 std::string(operation) + ": the column of \"" + store.registry()[id].name +
                     "\" is stored in this world, where rows are going to move: "
                     "copy the values first");
}

}  // namespace strata::detail
