#include "typed_store.hpp"

#include <cstdlib>

namespace strata::detail {

void TypedStore::refuse_absent(const char* operation, Entity entity, const std::string_view& component,
                               CallSite at) const {
  store_.require_alive(operation, entity, at);
  STRATA_EXPECTS_AT(at, false,
                    std::string(operation) + ": entity " + to_string(entity) + " has no " +
                        std::string(component) + "; find returns null instead");
  std::abort();
}

}  // namespace strata::detail
