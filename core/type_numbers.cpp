#include "type_numbers.hpp"

#include <atomic>
#include <string>

#include "contract.hpp"

namespace strata::detail {
namespace {

/// How many types this copy of the library has numbered so far. Each copy in a process has a variable of its own. The
/// variables of two copies are never on the same page of memory, because the system loads each shared library to pages
/// of its own. `first_type_number` computes the first number of a copy from the address of the page, so no two copies
/// issue the same number.
std::atomic<TypeNumber> types_counted{0};

}  // namespace

TypeNumber first_type_number() noexcept {
  constexpr std::uintptr_t kPage = 4096;
  static_assert(kPage << 8 == kMostTypes, "the numbers of neighbouring pages do not overlap");
  return (static_cast<TypeNumber>(reinterpret_cast<std::uintptr_t>(&types_counted)) & ~TypeNumber{kPage - 1})
         << 8;
}

TypeNumber next_type_number() noexcept {
  const TypeNumber count = types_counted.fetch_add(1, std::memory_order_relaxed);
  STRATA_EXPECTS(count < kMostTypes, "more than " + std::to_string(kMostTypes) +
                                         " C++ types are used as components: describe the others at run "
                                         "time, with World::component(ComponentInfo)");
  return first_type_number() + count;
}

}  // namespace strata::detail
