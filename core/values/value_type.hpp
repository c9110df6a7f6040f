// ValueType: describes at run time what values of a type consist of, such as members with names and types. With it,
// code can handle values without knowing their C++ type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "../compiler.hpp"

namespace strata {

class ByteReader;
class ByteWriter;
struct ValueType;

/// The kinds of types, by what their values consist of.
enum class ValueKind : std::uint8_t {
  boolean,
  integer,     ///< With a sign; 1, 2, 4 or 8 bytes. Enumerations are integers or naturals.
  natural,     ///< Without a sign; 1, 2, 4 or 8 bytes.
  real,        ///< A float or double.
  entity,      ///< An entity handle: a reference to an entity.
  structure,   ///< Members of several types, each with a name.
  array,       ///< A fixed number of elements.
  list,        ///< Any number of elements, side by side, as std::vector has them.
  optional,    ///< One element or none.
  text,        ///< A list of characters.
  bytes,       ///< Bytes without a meaning of their own.
  own_format,  ///< The type has functions that write and read its values.
};

/// A member of a structure.
struct ValueMember {
  std::string_view name;
  const ValueType* type = nullptr;
  std::size_t offset = 0;  ///< In bytes, from the beginning of the structure.
};

/// What values of a type consist of: a tree of types. For a C++ type, the library makes a ValueType from members_of; a
/// program may also fill one in at run time. A ValueType is all that is needed to save, print and compare values, and
/// to replace entity handles in them.
struct ValueType {
  using Size = std::size_t (*)(const void* value);
  using Elements = const void* (*)(const void* value);
  /// Changes the number of elements of the list `value` to `size`. New elements get the initial value of their type.
  /// Returns: the address of the first element.
  /// Errors: any exception; the list is still valid after it, with any number of elements.
  using Resize = void* (*)(void* value, std::size_t size);
  using Write = void (*)(const void* value, ByteWriter& writer);
  /// Returns: false if the bytes are no value of the type. In that case, `value` may be any valid value.
  using Read = bool (*)(void* value, ByteReader& reader);

  /// Builds `count` initial values, as the default constructor makes them, in uninitialised memory.
  /// Errors: any exception; the function destroys the values already built before it throws.
  using Make = void (*)(void* values, std::size_t count);

  ValueKind kind = ValueKind::structure;
  std::size_t size = 0;                       ///< The size of a value in memory, in bytes.
  std::span<const ValueMember> members = {};  ///< The members of a structure.
  const ValueType* element = nullptr;  ///< The type of the elements of an array, a list or an optional.
  std::size_t count = 0;               ///< The number of elements of an array.
  /// Returns the number of elements. Lists, optionals and texts must have the functions `size_of`, `elements` and
  /// `resize`; values of other kinds do not use them.
  Size size_of = nullptr;
  Elements elements = nullptr;  ///< Returns the address of the first element.
  Resize resize = nullptr;
  Write write = nullptr;  ///< Writes a value of ValueKind::own_format; `read` reads one.
  Read read = nullptr;
  Make make = nullptr;    ///< Null: the bytes of an initial value are 0.
  bool has_first = true;  ///< False: there is no initial value, so values cannot be read from a file.
};

namespace detail {

/// The highest number of levels in a tree of types; a type with more levels is refused. It limits the depth of
/// recursion in functions that visit the tree.
inline constexpr std::size_t kMaxNesting = 32;

/// Checks the type in the description of a component.
/// Returns: the first error, as a sentence that begins with the path of the wrong member; empty if there is none.
std::string find_fault(const ValueType& type);

/// Returns: the address that lies `bytes` bytes behind the beginning of a value, where one of its parts begins.
inline const void* at_offset(const void* value, std::size_t bytes) noexcept {
  return static_cast<const std::byte*>(value) + bytes;
}
inline void* at_offset(void* value, std::size_t bytes) noexcept {
  return static_cast<std::byte*>(value) + bytes;
}

/// Returns: whether values may contain entity handles.
STRATA_API bool has_entities(const ValueType& type);

/// Returns: the least number of bytes that a value takes when it is written.
std::size_t least_bytes(const ValueType& type);

/// Returns: whether a machine with little-endian numbers can write and read values by copying their bytes. That is so
/// if the written bytes of a value equal its bytes in memory, and every combination of bytes is a valid value.
bool is_unpadded(const ValueType& type);

}  // namespace detail
}  // namespace strata
