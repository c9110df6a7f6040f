// value_type_of: returns the ValueType of a C++ type: a run-time description of what the values of the type consist of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "../compiler.hpp"
#include "../entity.hpp"
#include "../rollback.hpp"
#include "members.hpp"
#include "value_type.hpp"

namespace strata {

namespace detail {

/// The kinds of types that are described without members_of, and `unknown` for all others. ShapeOf<T> tells the kind of
/// T and the type of its elements, if it has some.
enum class ValueShape : std::uint8_t {
  unknown,
  boolean,
  number,
  enumeration,
  entity,
  text,
  list,
  optional,
  array
};

template <class T>
struct ShapeOf {
  static constexpr ValueShape kind = std::is_same_v<T, bool> ? ValueShape::boolean
                                     : std::is_integral_v<T> ? ValueShape::number
                                     : std::is_same_v<T, float> || std::is_same_v<T, double>
                                         ? ValueShape::number
                                     : std::is_enum_v<T>         ? ValueShape::enumeration
                                     : std::is_same_v<T, Entity> ? ValueShape::entity
                                                                 : ValueShape::unknown;
};
template <class Traits, class Allocator>
struct ShapeOf<std::basic_string<char, Traits, Allocator>> {
  static constexpr ValueShape kind = ValueShape::text;
};
template <class T, class Allocator>
struct ShapeOf<std::vector<T, Allocator>> {
  static constexpr ValueShape kind = ValueShape::list;
  using Element = T;
};
template <class Allocator>
struct ShapeOf<std::vector<bool, Allocator>> {
  static constexpr ValueShape kind = ValueShape::unknown;  // Its elements have no addresses.
};
template <class T>
struct ShapeOf<std::optional<T>> {
  static constexpr ValueShape kind = ValueShape::optional;
  using Element = T;
};
template <class T, std::size_t count_>
struct ShapeOf<std::array<T, count_>> {
  static constexpr ValueShape kind = count_ != 0 ? ValueShape::array : ValueShape::unknown;
  using Element = T;
};
template <class T, std::size_t count_>
struct ShapeOf<T[count_]> {
  static constexpr ValueShape kind = ValueShape::array;
  using Element = T;
};

/// An enumeration whose definition names the underlying type, so that every number of that type is one of its values.
template <class T>
concept FixedEnumeration = std::is_enum_v<T> && requires {
  T{std::underlying_type_t<T>{}};
};

/// Returns: whether a ValueType can be made for T. That is so if members_of<T> is specialised, if ShapeOf knows T as a
/// type without elements (an enumeration must be a FixedEnumeration), or if it knows T as an array, list or optional
/// whose elements are described. Elements of lists and optionals must also be default constructible.
template <class T>
consteval bool is_described() {
  constexpr ValueShape shape = ShapeOf<T>::kind;
  if constexpr (has_members_of<T>)
    return true;
  else if constexpr (shape == ValueShape::enumeration)
    return FixedEnumeration<T>;
  else if constexpr (shape == ValueShape::list || shape == ValueShape::optional)
    return std::is_default_constructible_v<typename ShapeOf<T>::Element> &&
           is_described<typename ShapeOf<T>::Element>();
  else if constexpr (shape == ValueShape::array)
    return is_described<typename ShapeOf<T>::Element>();
  else
    return shape != ValueShape::unknown;
}

template <class T, class... Outer>
consteval bool contains_none_of();
template <class... Outer, class... Owners, class... Values>
consteval bool members_contain_none_of(const Members<NamedMember<Owners, Values>...>&) {
  return (contains_none_of<Values, Outer...>() && ...);
}
/// Returns: whether T contains neither itself nor one of the types `Outer`, which contain T.
template <class T, class... Outer>
consteval bool contains_none_of() {
  if constexpr ((std::is_same_v<T, Outer> || ...))
    return false;
  else if constexpr (requires { members_contain_none_of<T, Outer...>(members_of<T>); })
    return members_contain_none_of<T, Outer...>(members_of<T>);
  else if constexpr (requires { typename ShapeOf<T>::Element; })
    return contains_none_of<typename ShapeOf<T>::Element, T, Outer...>();
  else
    return true;
}

template <class T>
const ValueType& value_type_of();

/// Returns: the offset of a member in a T, in bytes. The member may be one of a base class of T.
template <class T, class Owner, class Value>
std::size_t offset_of(Value Owner::*pointer) {
  // Like offsetof, this computes with an address at which there is no object. Sanitizers require an aligned
  // address that is not null.
  constexpr std::uintptr_t kAnywhere = std::uintptr_t{1} << 24;
  T* const object = reinterpret_cast<T*>(kAnywhere);
  return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(address_of(object->*pointer)) - kAnywhere);
}

template <class T, class Owner, class Value>
ValueMember describe_member(const NamedMember<Owner, Value>& named) {
  static_assert(!std::is_const_v<Value>,
                "a member that is described is not const: reading a value writes it");
  return {named.name, &value_type_of<Value>(), offset_of<T>(named.pointer)};
}
template <class T, class First, class... Others>
void list_members(const Members<First, Others...>& members, ValueMember* to) {
  *to = describe_member<T>(members.first);
  if constexpr (sizeof...(Others) != 0) list_members<T>(members.others, to + 1);
}
template <class... Named>
consteval std::size_t count_members(const Members<Named...>&) {
  return sizeof...(Named);
}

template <class T, class... Named>
ValueType describe_as(const Members<Named...>& members) {
  static std::array<ValueMember, sizeof...(Named) + 1> list;  // One more: there may be no members.
  if constexpr (sizeof...(Named) != 0) list_members<T>(members, list.data());
  return {.kind = ValueKind::structure,
          .size = sizeof(T),
          .members = std::span<const ValueMember>(list.data(), sizeof...(Named))};
}
template <class T>
ValueType describe_as(const AsBytes&) {
  static_assert(std::is_trivially_copyable_v<T>,
                "only a trivially copyable type can be written as its bytes");
  static_assert(std::has_unique_object_representations_v<T>,
                "equal values of this type may have different bytes, because of padding or of floating-point "
                "members: describe its members instead");
  return {.kind = ValueKind::bytes, .size = sizeof(T)};
}
template <class T, class WriteValue, class ReadValue>
ValueType describe_as(const OwnFormat<WriteValue, ReadValue>&) {
  return {.kind = ValueKind::own_format,
          .size = sizeof(T),
          .write = [](const void* value,
                      ByteWriter& writer) { members_of<T>.write(*static_cast<const T*>(value), writer); },
          .read = [](void* value, ByteReader& reader) -> bool {
            return members_of<T>.read(*static_cast<T*>(value), reader);
          }};
}

/// Describes a std::vector or a std::string.
template <class T>
ValueType describe_list(ValueKind kind, const ValueType* element) {
  return {.kind = kind,
          .size = sizeof(T),
          .element = element,
          .size_of = [](const void* value) { return static_cast<const T*>(value)->size(); },
          .elements = [](const void* value) -> const void* { return static_cast<const T*>(value)->data(); },
          .resize = [](void* value, std::size_t size) -> void* {
            T& list = *static_cast<T*>(value);
            list.resize(size);
            return list.data();
          }};
}
template <class T>
ValueType describe_optional() {
  return {
      .kind = ValueKind::optional,
      .size = sizeof(T),
      .element = &value_type_of<typename ShapeOf<T>::Element>(),
      .size_of = [](const void* value) -> std::size_t { return static_cast<const T*>(value)->has_value(); },
      .elements = [](const void* value) -> const void* {
        const T& optional = *static_cast<const T*>(value);
        return optional ? static_cast<const void*>(address_of(*optional)) : nullptr;
      },
      .resize = [](void* value, std::size_t size) -> void* {
        T& optional = *static_cast<T*>(value);
        if (size == 0) optional.reset();
        if (size != 0 && !optional) optional.emplace();
        return size != 0 ? static_cast<void*>(address_of(*optional)) : nullptr;
      }};
}
template <class T>
ValueType describe_number() {
  const ValueKind kind = std::is_floating_point_v<T> ? ValueKind::real
                         : std::is_signed_v<T>       ? ValueKind::integer
                                                     : ValueKind::natural;
  return {.kind = kind, .size = sizeof(T)};
}

template <class T>
consteval bool is_boolean() {
  if constexpr (std::is_enum_v<T>)
    return std::is_same_v<std::underlying_type_t<T>, bool>;
  else
    return std::is_same_v<T, bool>;
}

template <class T>
ValueType make_value_type() {
  constexpr ValueShape shape = ShapeOf<T>::kind;
  if constexpr (has_members_of<T>)
    return describe_as<T>(members_of<T>);
  else if constexpr (is_boolean<T>())
    return {.kind = ValueKind::boolean, .size = sizeof(T)};
  else if constexpr (shape == ValueShape::number)
    return describe_number<T>();
  else if constexpr (shape == ValueShape::enumeration)
    return describe_number<std::underlying_type_t<T>>();
  else if constexpr (shape == ValueShape::entity)
    return {.kind = ValueKind::entity, .size = sizeof(T)};
  else if constexpr (shape == ValueShape::text)
    return describe_list<T>(ValueKind::text, nullptr);
  else if constexpr (shape == ValueShape::list)
    return describe_list<T>(ValueKind::list, &value_type_of<typename ShapeOf<T>::Element>());
  else if constexpr (shape == ValueShape::optional)
    return describe_optional<T>();
  else {
    const ValueType& element = value_type_of<typename ShapeOf<T>::Element>();
    return {.kind = ValueKind::array,
            .size = sizeof(T),
            .element = &element,
            .count = sizeof(T) / sizeof(typename ShapeOf<T>::Element)};
  }
}

template <class T>
void make_values(void* values, std::size_t count) {
  T* const at = static_cast<T*>(values);
  std::size_t made = 0;
  Rollback destroy([&] {
    while (made != 0) at[--made].~T();
  });
  for (; made < count; ++made) ::new (static_cast<void*>(at + made)) T();
  destroy.dismiss();
}

/// Returns: a copy of `type` whose members `make` and `has_first` tell how an initial value of T is made: by the
/// default constructor, with all bytes 0, or not at all.
template <class T>
ValueType with_first_value(ValueType type) {
  if constexpr (std::is_trivially_default_constructible_v<T>) {
    return type;  // No function: the bytes of an initial value are 0.
  } else if constexpr (std::is_default_constructible_v<T> && !std::is_array_v<T>) {
    type.make = make_values<T>;
  } else {
    type.has_first = std::is_trivially_copyable_v<T>;
  }
  return type;
}

template <class T>
const ValueType& value_type_of() {
  static_assert(is_described<T>(),
                "the library does not know what is in values of this type: write members_of for it; see "
                "core/values/members.hpp for what needs none");
  static_assert(contains_none_of<T>(), "a type that contains itself needs an OwnFormat");
  if constexpr (is_described<T>() && contains_none_of<T>()) {
    static const ValueType type = with_first_value<T>(make_value_type<T>());
    return type;
  }
}

}  // namespace detail
}  // namespace strata
