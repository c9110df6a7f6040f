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

/// A member that has another name now. `from` is its path in the file, such as "offers[].price"; `to` is its name in
/// the same structure of the program.
struct RenamedMember {
  std::string from;
  std::string to;
};

}  // namespace strata

namespace strata::detail {

/// How values of a saved type become values of the program's. Members are matched by name. Numbers become numbers if
/// the value fits: no integer is changed, and real numbers are at most rounded. Elements of arrays, lists and optionals
/// are converted one by one, and a value becomes an optional with it. Members that only the file has are skipped; those
/// that only the program has keep their first values.
struct Conversion {
  enum class How : std::uint8_t { read, skip, number, structure, array, elements, wrap };

  How how = How::skip;
  const ValueType* from = nullptr;
  const ValueType* to = nullptr;  ///< Null if values are skipped.
  std::size_t offset = 0;         ///< Of the value in the structure that contains it.
  std::string path = {};  ///< Of the value in the file, such as "offers[].price"; empty for the whole.
  std::vector<Conversion> parts = {};  ///< Of the members in the order of the file, or of the elements.
};

/// What differs between two types.
struct TypeDifference {
  enum class Kind : std::uint8_t {
    converted,   ///< A value of another type; or a member of another name.
    left_out,    ///< The program does not have it.
    filled_in,   ///< The file does not have it.
    impossible,  ///< The two have nothing in common.
  };
  Kind kind;
  std::string path;  ///< In the file; for one that is filled in, in the program.
};

/// Plans the conversion from a saved type, and lists the differences. Members that cannot be converted are skipped.
/// Errors: std::bad_alloc.
Conversion plan_conversion(const ValueType& from, const ValueType& to, std::span<const RenamedMember> renamed,
                           std::vector<TypeDifference>& differences);

/// Reads `count` values that lie side by side, and exist already.
/// Returns: false if the bytes are no such values, the reader has failed then; or if a number does not fit, `fault`
/// says which. If `fault` is null, a number that does not fit is left as it was. All values are valid ones in any case.
/// Errors: as read_values.
bool convert_values(const Conversion& conversion, void* values, std::size_t count, ByteReader& reader,
                    std::string* fault);

}  // namespace strata::detail
