// try_allocating: calls a function that may run out of memory where only speed is lost if it does.
#pragma once

#include <new>

namespace strata::detail {

/// Returns: false if `function` ran out of memory.
/// Errors: what else `function` throws. Without exceptions, the program ends where memory runs out.
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
