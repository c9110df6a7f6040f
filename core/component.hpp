// Component: `describe` makes the ComponentInfo with which a world registers a component, from the C++ type and the
// options that the program has chosen for it.
#pragma once

#include <new>
#include <span>
#include <string>

#include "component_info.hpp"
#include "component_traits.hpp"
#include "requirements.hpp"
#include "value_functions.hpp"

namespace strata {

namespace detail {

/// Whether T is a component that only the library itself adds to entities and removes from them.
template <class T>
inline constexpr bool is_kept_by_library = false;

/// A variable whose address identifies T within one copy of this library; ComponentInfo::type has this address. If two
/// shared libraries each contain this library, T may have a different address in each.
template <class T>
inline const char type_anchor = 0;

}  // namespace detail

template <Component T>
ComponentInfo describe();

namespace detail {

/// Lists the components that a component requires: `get` returns a Requirement for each. For a component T with
/// `requires_of<T> = Requires<A, B>{}`, `Entries` is TypeList<A, B>.
template <class Entries>
struct ListedRequirements {
  static constexpr std::span<const Requirement> get() { return {}; }
};
template <class First, class... Others>
struct ListedRequirements<TypeList<First, Others...>> {
  template <class Entry>
  static void make(void* place, const void*) {
    ::new (place) typename RequiredEntry<Entry>::Value(RequiredEntry<Entry>::make());
  }
  template <class Entry>
  static constexpr Requirement list() {
    using Value = typename RequiredEntry<Entry>::Value;
    return {.name = name_of<Value>,
            .make = make<Entry>,
            .nothrow = noexcept(RequiredEntry<Entry>::make()),
            .describe = strata::describe<Value>};
  }
  static constexpr Requirement kList[] = {list<First>(), list<Others>()...};
  static constexpr std::span<const Requirement> get() { return kList; }
};

}  // namespace detail

/// Returns: the description with which a world registers the component T, made from the type itself and from
/// its `storage_of`, `tracking_of`, `pool_options_of`, `hooks_of`, `requires_of`, `members_of`, `is_copyable`,
/// `can_toggle` and `name_of`.
template <Component T>
ComponentInfo describe() {
  static_assert(tracking_of<T> == Tracking::none || !is_tag<T>,
                "a tag has no value that could change: remove its tracking_of");
  static_assert(tracking_of<T> == Tracking::none || storage_of<T> == Storage::table,
                "changes of a side-store component are tracked by adding a mark such as "
                "Dirty: remove its tracking_of, or store it in tables");
  return {
      .name = std::string(name_of<T>),
      .size = is_tag<T> ? 0 : sizeof(T),
      .alignment = is_tag<T> ? 1 : alignof(T),
      .storage = storage_of<T>,
      .relocate = detail::find_relocate<T>(),
      .destroy = detail::find_destroy<T>(),
      .copy = detail::find_copy<T>(),
      .remap = detail::find_remap<T>(),
      .copyable = is_copyable<T>,
      .tracking = tracking_of<T>,
      .pool = pool_options_of<T>,
      .can_toggle = strata::can_toggle<T>,
      .hooks = detail::erase_hooks<T>(),
      .requirements = detail::ListedRequirements<detail::RequiredEntries<T>>::get(),
      .type = &detail::type_anchor<T>,
      .value = detail::find_value_type<T>(),
  };
}

}  // namespace strata
