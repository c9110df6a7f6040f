#include "pool.hpp"

#include <string>

namespace strata::detail {

void require_side_store(const char* operation, std::string_view name, Storage storage, CallSite at) {
  STRATA_EXPECTS_AT(at, storage == Storage::sparse,
                    std::string(operation) + " needs a component of the side store, and \"" +
                        std::string(name) +
                        "\" is stored in tables: call set_storage, or specialise storage_of for it");
}

}  // namespace strata::detail
