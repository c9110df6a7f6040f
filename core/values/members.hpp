// members_of: a variable template that a program specialises for a type, to list the members of its values. The library
// uses the list to save, print and compare values.
#pragma once

#include <string_view>
#include <type_traits>

#include "value_type.hpp"

namespace strata {

namespace detail {

struct NotDescribed {};

template <class Owner, class Value>
struct NamedMember {
  std::string_view name;
  Value Owner::*pointer;
};

}  // namespace detail

/// Returns: a member with its name, as an argument of Members: `member("now", &Health::now)`.
template <class Owner, class Value>
constexpr detail::NamedMember<Owner, Value> member(std::string_view name, Value Owner::*pointer) {
  return {name, pointer};
}

/// The members of a type, in the order in which they are written and printed.
template <class... Named>
struct Members {};
template <class First, class... Others>
struct Members<First, Others...> {
  First first;
  Members<Others...> others;
  constexpr explicit Members(First one, Others... more) : first(one), others(more...) {}
};
template <class... Named>
Members(Named...) -> Members<Named...>;

/// Describes a type whose values are bytes of no known structure, such as a hash or an image. The bytes are written as
/// they are in memory.
struct AsBytes {};

/// Describes a type by functions that write and read its values, if neither Members nor AsBytes fits: `write(const T&,
/// ByteWriter&)`, and `read(T&, ByteReader&)`, which returns false if the bytes are not a value of T. The functions may
/// be lambdas without captures. `write` has to write at least one byte for each value, and the same bytes for equal
/// values.
template <class WriteValue, class ReadValue>
struct OwnFormat {
  WriteValue write;
  ReadValue read;
  constexpr OwnFormat(WriteValue write_value, ReadValue read_value) : write(write_value), read(read_value) {}
};

/// Describes what values of T consist of, in one line after its definition:
/// `template <> inline constexpr auto strata::members_of<Health> = strata::Members{member("now", &Health::now)};`
/// The description is a Members, an AsBytes or an OwnFormat. The library uses it to save, print and compare values.
/// World::instantiate also uses it to replace the entity handles in the members, unless T has remap_entities (see
/// ComponentInfo::Remap).
///
/// Members may be numbers, bool, enumerations with a fixed underlying type, texts (std::string), entity handles,
/// arrays, std::vector and std::optional of such types, and types that have members_of themselves. Components that are
/// numbers, bool, enumerations or texts themselves need no members_of, either. A type must not contain itself.
template <class T>
inline constexpr auto members_of = detail::NotDescribed{};

namespace detail {

/// Whether `members_of<T>` is specialised.
template <class T>
inline constexpr bool has_members_of =
    !std::is_same_v<std::remove_const_t<decltype(members_of<T>)>, NotDescribed>;

}  // namespace detail
}  // namespace strata
