#include "world_sorting.hpp"

#include <string>

namespace strata {

void WorldSorting::require_side_store(const char* operation, ComponentId id, CallSite at) const {
  const ComponentInfo& component = store_.registry()[id];
  STRATA_EXPECTS_AT(at, component.storage == Storage::sparse,
                    std::string(operation) + " needs a component of the side store, and \"" + component.name +
                        "\" is stored in tables");
}

}  // namespace strata
