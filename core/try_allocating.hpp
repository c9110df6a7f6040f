// try_allocating: calls a function that may run out of memory without harm, because its work only saves time later.
#pragma once

#include <new>

namespace strata::detail {

/// Calls `function` and catches std::bad_alloc, for work that is only done to save time later.
/// Returns: false if `function` ran out of memory.
/// Errors: other exceptions of `function`. In a build without exceptions, running out of memory ends the
/// program.
template <class Function>
bool try_allocating(Function&& function) {
#if defined(__cpp_exceptions)
  try {
    function();
  } catch (const std::bad_alloc&) {
    return false;
  }
#else
  function();
#endif
  return true;
}

}  // namespace strata::detail
