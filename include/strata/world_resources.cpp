#include "world_resources.hpp"

#include <cstdlib>
#include <string>

namespace strata {

void WorldResources::refuse_absent(std::string_view name, CallSite at) {
  STRATA_EXPECTS_AT(at, false,
                    "resource: the world has no " + std::string(name) +
                        "; set_resource gives it one, find_resource answers null instead");
  std::abort();
}

}  // namespace strata
