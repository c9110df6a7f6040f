// SavedValue: a value in a file, of a type that the program may not know.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "../compiler.hpp"
#include "value_type_of.hpp"

namespace strata {

/// A value in a saved file, or a part of one. A look-up of something that the file does not have, such as a member of
/// another name, returns an empty SavedValue, whose own look-ups are empty, too. So a chain of look-ups needs one test,
/// at its end.
///
/// Contract: the file's content outlives the SavedValue. A function that receives a SavedValue may use it until the
/// function returns.
class SavedValue {
 public:
  SavedValue() = default;
  SavedValue(const ValueType& type, std::span<const std::byte> bytes) : type_(&type), bytes_(bytes) {}

  /// Returns: whether there is a value.
  explicit operator bool() const { return type_ != nullptr; }

  /// Returns: if the value is a structure, its member that has this name; otherwise, or if it has no such member, an
  /// empty SavedValue.
  /// Complexity: O(n), where n is the number of bytes of the structure in the file.
  STRATA_API SavedValue member(std::string_view name) const;
  /// Returns: the number of elements of an array, a list, an optional or a text; 0 for values of other kinds.
  STRATA_API std::size_t size() const;
  /// Returns: an element of an array, a list or an optional; an empty SavedValue if the value is of another kind or has
  /// no element at this index.
  /// Complexity: O(n), where n is the number of bytes of this value in the file.
  STRATA_API SavedValue element(std::size_t index) const;

  /// Reads the value as a T. If the value has another type in the file, it is converted as `load` does it:
  /// members are matched by name, and numbers have to fit.
  /// Returns: false if the value cannot be converted to a T, or a number in it does not fit; in both cases, `to`
  /// may have any value.
  /// Errors: std::bad_alloc.
  template <class T>
  bool read(T& to) const {
    return read_as(detail::value_type_of<T>(), detail::address_of(to));
  }

 private:
  STRATA_API bool read_as(const ValueType& to, void* value) const;

  const ValueType* type_ = nullptr;
  std::span<const std::byte> bytes_;
};

}  // namespace strata
