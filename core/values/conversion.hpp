// Conversion: reads values of a type that a file describes as values of another type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "byte_stream.hpp"
#include "value_type.hpp"

namespace strata {

/// A member that was renamed. `from` is its path in the file, such as "offers[].price"; `to` is its name in the same
/// structure of the program.
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
  enum class How : std::uint8_t { read, skip, number, structure, array, elements, wrap };

  How how = How::skip;
  const ValueType* from = nullptr;
  const ValueType* to = nullptr;  ///< Null if values are skipped.
  std::size_t offset = 0;         ///< Offset of the value in the structure that contains it.
  std::string path = {};  ///< Of the value in the file, such as "offers[].price"; empty for the whole.
  std::vector<Conversion> parts = {};  ///< For the members in the order of the file, or the elements.
};

/// A difference between two types.
struct TypeDifference {
  enum class Kind : std::uint8_t {
    converted,   ///< A value of another type; or a member of another name.
    left_out,    ///< The program does not have it.
    filled_in,   ///< The file does not have it.
    impossible,  ///< The two have nothing in common.
  };
  Kind kind;
  std::string path;  ///< The path in the file; for `filled_in`, in the program.
};

/// Plans the conversion from a saved type, and lists the differences. Members that cannot be converted are skipped.
/// Errors: std::bad_alloc.
Conversion plan_conversion(const ValueType& from, const ValueType& to, std::span<const RenamedMember> renamed,
                           std::vector<TypeDifference>& differences);

/// Reads `count` contiguous values, which exist already.
/// Returns: false if the bytes are no such values (the reader has failed then), or if a number does not fit (`fault`
/// names it then). If `fault` is null, a number that does not fit is not changed. All values are valid in any case.
/// Errors: as read_values.
bool convert_values(const Conversion& conversion, void* values, std::size_t count, ByteReader& reader,
                    std::string* fault);

}  // namespace strata::detail
