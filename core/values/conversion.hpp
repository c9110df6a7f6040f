// Conversion: reads values that a file has stored with one type as values of another type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "byte_stream.hpp"
#include "value_type.hpp"

namespace strata {

/// A member that was renamed. `from` is its path in the file, such as "offers[].price". `to` is its name in the
/// program's type, without a path: a renamed member stays in the same structure.
struct RenamedMember {
  std::string from;
  std::string to;
};

}  // namespace strata

namespace strata::detail {

/// How values of a saved type are converted to values of the program's type. Members are matched by name. A number is
/// converted to another type of number if its value fits: no integer is changed, and real numbers are at most rounded.
/// Elements of arrays, lists and optionals are converted one by one, and a value is converted to an optional that
/// contains it. Members that only the file has are skipped; members that only the program has keep their initial
/// values.
struct Conversion {
  /// The kinds of conversion. `read` reads a value as it is, `skip` leaves it out, and `wrap` puts it into an optional.
  /// The others convert a number, the members of a structure, or the elements of an array (`array`) or of a list or an
  /// optional (`elements`).
  enum class How : std::uint8_t { read, skip, number, structure, array, elements, wrap };

  How how = How::skip;
  const ValueType* from = nullptr;
  const ValueType* to = nullptr;  ///< Null if values are skipped.
  std::size_t offset = 0;         ///< Offset of the value in the program's structure that contains it.
  std::string path = {};          ///< Path in the file, such as "offers[].price"; empty for the whole value.
  /// For a structure: one conversion for each member, in the order of the file. For an array, a list or an
  /// optional: one for all elements. Otherwise: none.
  std::vector<Conversion> parts = {};
};

/// A difference between a type in a file and the type in the program.
struct TypeDifference {
  enum class Kind : std::uint8_t {
    converted,   ///< The value has another type, or the member another name.
    left_out,    ///< The program has no member for the value of this member.
    filled_in,   ///< The file does not have the member.
    impossible,  ///< The value cannot be converted.
  };
  Kind kind;
  std::string path;  ///< The path in the file; for `filled_in`, in the program.
};

/// Plans the conversion of values of the saved type `from` to the program's type `to`. The conversion skips members
/// that cannot be converted. Appends the differences between the two types to `differences`.
/// Errors: std::bad_alloc.
Conversion plan_conversion(const ValueType& from, const ValueType& to, std::span<const RenamedMember> renamed,
                           std::vector<TypeDifference>& differences);

/// Reads `count` values of the saved type, converts them, and writes them to contiguous values that exist already. If
/// `fault` is null, a number that the program's type cannot hold is skipped: the number in memory stays as it was. The
/// values in memory are valid after any result or exception.
/// Returns: false if the bytes are not `count` values of the saved type (then the reader has failed), or if `fault` is
/// not null and the program's type cannot hold a number (then the text in `fault` names the number).
/// Errors: as read_values.
bool convert_values(const Conversion& conversion, void* values, std::size_t count, ByteReader& reader,
                    std::string* fault);

}  // namespace strata::detail
