#include "typed_store.hpp"

#include <cstdlib>

namespace strata::detail {

void TypedStore::remember(TypeNumber list, Archetype& archetype) {
  if (!archetypes_.counts(list)) return;
  archetypes_.reserve(list);
  archetypes_.set(list, &archetype);
}

bool TypedStore::has_anywhere(std::uint32_t index, std::uint32_t generation, ComponentId id) const noexcept {
  return store_.has({index, generation}, id);
}

void* TypedStore::find_anywhere(std::uint32_t index, std::uint32_t generation,
                                ComponentId id) const noexcept {
  return store_.find({index, generation}, id);
}

void TypedStore::refuse_absent(const char* operation, Entity entity, std::string_view component) const {
  store_.expect_alive(operation, entity);
  STRATA_EXPECTS(false, std::string(operation) + ": entity " + to_string(entity) + " has no " +
                            std::string(component) + "; find answers null instead");
  std::abort();
}

}  // namespace strata::detail
