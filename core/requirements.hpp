// Requirements: the components that an entity gets whenever it gets a component that requires them.
#pragma once

#include <string_view>
#include <type_traits>

namespace strata {

struct ComponentInfo;

namespace detail {

struct IsGiven {};

}  // namespace detail

/// An argument of Requires: a required component with its initial value. `source` is a constant, which is copied, or a
/// function without parameters, which returns the value.
template <auto& source>
struct Given : detail::IsGiven {
  static constexpr bool is_nothrow() {
    if constexpr (std::is_invocable_v<decltype(source)>) {
      return std::is_nothrow_invocable_v<decltype(source)>;
    } else {
      return std::is_nothrow_copy_constructible_v<std::remove_cvref_t<decltype(source)>>;
    }
  }
  static auto make() noexcept(is_nothrow()) {
    if constexpr (std::is_invocable_v<decltype(source)>) {
      return source();
    } else {
      return source;
    }
  }
};

/// The components that a component requires. Each of Ts is either a component C, whose initial value is C(), or a
/// Given<source>, which chooses another initial value.
template <class... Ts>
struct Requires {};

/// Chooses the components that T requires, in one line after its definition:
/// `template <> inline constexpr auto strata::requires_of<Turret> = strata::Requires<Local, Given<kFull>>{};`
///
/// An entity that gets T also gets the required components that it lacks, and the components that these require, in the
/// same structural change, so the row of the entity moves only once. If the call that adds T also gives a value of a
/// required component, that value is kept. If several components that one call adds require the same component, the
/// first of them in the order of the call determines the initial value of the required component. If one component
/// requires another one by several chains of requirements, the shortest chain determines the initial value. Nothing is
/// added when the value of T is replaced. Requirements only matter when T is added: a required component may be removed
/// later, and removing T does not remove the components that it requires.
///
/// Errors: exceptions of constructors and of the functions in Given pass through; nothing has changed then.
/// Contract: components do not require each other in a cycle; functions in Given make no structural change.
template <class T>
inline constexpr auto requires_of = Requires<>{};

/// A component that another component requires, and its initial value; see ComponentInfo::requirements.
struct Requirement {
  /// Builds the initial value of the required component at `place`, which is uninitialised memory. `source` is the
  /// member Requirement::source.
  /// Errors: any exception; no value was built then.
  /// Contract: the function makes no structural change.
  using Make = void (*)(void* place, const void* source);

  std::string_view name;  ///< The name of the required component.
  Make make = nullptr;    ///< Null: the bytes are 0. Not called for a tag.
  /// Whether `make` throws nothing. If so, it may build the value in its final place after the entity's row has moved.
  /// Otherwise the value is built in a buffer before the row moves, and moved to its place afterwards.
  bool nothrow = false;
  const void* source = nullptr;           ///< Passed to `make`; valid as long as the world.
  ComponentInfo (*describe)() = nullptr;  ///< Describes the component, to register it; may be null.
};

namespace detail {

/// Stands for a list of types.
template <class... Ts>
struct TypeList {};

/// Makes the initial value of a required component. `Entry` is the argument of Requires that stands for the component:
/// its type, or a Given.
template <class Entry>
struct RequiredEntry {
  using Value = Entry;

  static Value make() noexcept(std::is_nothrow_default_constructible_v<Value>) {
    static_assert(std::is_default_constructible_v<Value>,
                  "a required component without a default constructor needs a first value: write Given<...>");
    return Value();
  }
};
// The case that `Entry` is a Given: it has the function `make` itself. This case is recognised by the base class
// IsGiven, because clang 14 does not find a specialisation for Given<source> if `source` is a constant.
template <class Entry>
requires std::is_base_of_v<IsGiven, Entry>
struct RequiredEntry<Entry> : Entry {
  using Value = std::remove_cv_t<decltype(Entry::make())>;
};

template <class... Entries>
TypeList<Entries...> entries_of(Requires<Entries...>);
template <class T>
using RequiredEntries = decltype(entries_of(requires_of<T>));

/// Whether T requires other components (see requires_of), so that an entity that gets T gets them, too.
template <class T>
inline constexpr bool requires_others = !std::is_same_v<RequiredEntries<T>, TypeList<>>;

}  // namespace detail
}  // namespace strata
