#include "typed_store.hpp"

#include <cstdlib>

namespace strata::detail {

void TypedStore::refuse_absent(const char* operation, Entity entity, std::string_view component) const {
  store_.expect_alive(operation, entity);
  STRATA_EXPECTS(false, std::string(operation) + ": entity " + to_string(entity) + " has no " +
                            std::string(component) + "; find answers null instead");
  std::abort();
}

}  // namespace strata::detail
