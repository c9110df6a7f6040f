// call: calls a function, or uses a pointer to a member, as std::invoke does. The header of std::invoke takes much
// longer to compile.
#pragma once

#include <type_traits>

namespace strata::detail {

/// Calls a function with these arguments. If `function` is a pointer to a member function, calls that member of
/// `first`; if it is a pointer to a data member, reads that member of `first`. This is the part of std::invoke that the
/// library needs; the header of std::invoke includes hash tables and takes much longer to compile.
/// Returns: what the function or the member function returns; a reference to the data member.
template <class Function, class First, class... Rest>
decltype(auto) call(Function& function, const First& first, const Rest&... rest) noexcept(
    std::is_nothrow_invocable_v<Function&, const First&, const Rest&...>) {
  if constexpr (std::is_member_object_pointer_v<Function>) {
    return (first.*function);
  } else if constexpr (std::is_member_function_pointer_v<Function>) {
    return (first.*function)(rest...);
  } else {
    return function(first, rest...);
  }
}

}  // namespace strata::detail
