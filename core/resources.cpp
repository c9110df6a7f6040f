#include "resources.hpp"

#include <cstdlib>

namespace strata {

void Resources::refuse_absent(std::string_view name, CallSite at) {
  STRATA_EXPECTS_AT(
      at, false,
      "resources: there is no " + std::string(name) + ": call set first, or find, which returns null");
  std::abort();
}

MemoryUse Resources::memory_use() const {
  return list_.memory_use();
}

std::string Resources::check_invariants() const {
  return list_.check_invariants();
}

}  // namespace strata
