#include "typed_store.hpp"

#include <cstdlib>

namespace strata::detail {

Archetype& TypedStore::remember(std::uint32_t list, Archetype& archetype) {
  if (list >= archetypes_.size()) archetypes_.resize(list + 1, nullptr);
  return *(archetypes_[list] = &archetype);
}

void TypedStore::refuse_absent(const char* operation, Entity entity, std::string_view component) const {
  store_.expect_alive(operation, entity);
  STRATA_EXPECTS(false, std::string(operation) + ": entity " + to_string(entity) + " has no " +
                            std::string(component) + "; find answers null instead");
  std::abort();
}

}  // namespace strata::detail
