// to_text and find_difference: values, and the differences between them, as text.
#pragma once

#include <string>

#include "../compiler.hpp"
#include "value_type.hpp"
#include "value_type_of.hpp"

namespace strata {

/// The first member in which two values differ.
struct ValueDifference {
  std::string path;    ///< Such as "items[2].price"; empty if the values differ as a whole.
  std::string first;   ///< The text of the member in the first of the two values.
  std::string second;  ///< The text of the member in the second value.

  /// Returns: whether there is a difference.
  explicit operator bool() const { return !first.empty(); }
};

/// Returns: a value as one line, such as `{now: 12.5, name: "tank", parts: [3v1, none]}`. Numbers have enough digits to
/// read the same number again.
STRATA_API std::string to_text(const ValueType& type, const void* value);

/// Returns: the first difference between two values; an empty ValueDifference if there is none. Real numbers are
/// compared by their bits.
STRATA_API ValueDifference find_difference(const ValueType& type, const void* first, const void* second);

/// Do what `to_text` and `find_difference` do, for values of a C++ type that the program has described by
/// `members_of<T>` (see members.hpp), or that needs no description, such as a number or a text.
template <class T>
requires(detail::is_described<T>()) std::string to_text(const T& value) {
  return to_text(detail::value_type_of<T>(), detail::address_of(value));
}
template <class T>
requires(detail::is_described<T>()) ValueDifference find_difference(const T& first, const T& second) {
  return find_difference(detail::value_type_of<T>(), detail::address_of(first), detail::address_of(second));
}

}  // namespace strata
