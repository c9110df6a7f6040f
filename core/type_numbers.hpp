// Type numbers: numbers that identify C++ types in a process. If a program and its plugins each contain a copy of the
// library, no two copies assign the same number.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>

#include "compiler.hpp"
#include "memory_use.hpp"
#include "plain_list.hpp"

namespace strata::detail {

/// A number that identifies a C++ type within this process. A program and a plugin may each contain a copy of this
/// library. Each copy numbers the types that it uses, from a first number of its own, so no two types have the same
/// number. But one type may have several numbers, one in each copy; only its name (`name_of`) shows that it is one
/// type.
using TypeNumber = std::uint64_t;

/// How many type numbers each copy of the library may assign.
inline constexpr TypeNumber kMostTypes = 1u << 20;

/// Returns: the first type number of this copy of the library; never 0.
TypeNumber first_type_number() noexcept;

/// Issues the next unused type number of this copy of the library. The caller assigns it to a type.
/// Returns: a number that no other call in this process returns.
STRATA_API TypeNumber next_type_number() noexcept;

/// Returns: the type number of T, which the first call assigns.
template <class T>
STRATA_NOINLINE STRATA_COLD STRATA_CONST TypeNumber assign_type_number() noexcept {
  static const TypeNumber number = next_type_number();
  return number;
}

/// The type number of T in this copy of the library; 0 until this variable is initialised, at program start.
/// It is a variable because a loop can keep it in a register. A static variable in a function would be
/// checked for its initialisation at every call.
template <class T>
inline const TypeNumber type_number = assign_type_number<T>();

/// Returns: the type number of T, even before `type_number<T>` is initialised. So initialisers of other variables may
/// call this function.
template <class T>
TypeNumber type_number_of() noexcept {
  const TypeNumber number = type_number<T>;
  return number != 0 ? number : assign_type_number<T>();
}

/// An array of values indexed by C++ type, for the types that were numbered by the copy of the library that has made
/// the array. The entry of a type without a value is `none`.
template <class Value, Value none>
class TypeTable {
 public:
  explicit TypeTable(std::pmr::memory_resource* memory) : first_(first_type_number()), list_(memory) {}
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;

  /// Returns: the value that this table has for the type with this number; `none` if it has none, as for all types that
  /// another copy of the library has numbered.
  STRATA_ALWAYS_INLINE Value find(TypeNumber number) const noexcept {
    const TypeNumber index = number - first_;
    return index < values_.size() ? values_[index] : none;
  }

  /// Returns: whether the number is from the copy of the library that has made this array. The array has no values of
  /// types that another copy has numbered.
  bool counts(TypeNumber number) const noexcept { return number - first_ < kMostTypes; }

  /// Allocates room for the value of a type, so that `set` cannot fail.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: `counts(number)` is true.
  void reserve(TypeNumber number) {
    if (number - first_ >= list_.size()) list_.resize(number - first_ + 1, none);
    values_ = {list_.data(), list_.size()};
  }
  /// Sets the value of a type.
  /// Contract: `reserve(number)` was called.
  void set(TypeNumber number, Value value) noexcept { values_[number - first_] = value; }

  /// Returns: the array itself. Its first element is the value of the first type that was numbered by this copy of the
  /// library, the second that of the next type, and so on; `none` stands for a type without a value.
  std::span<Value> values() noexcept { return values_; }
  std::span<const Value> values() const noexcept { return values_; }

  MemoryUse memory_use() const { return memory_use_of(list_); }

 private:
  TypeNumber first_;
  PlainList<Value> list_;
  std::span<Value> values_;  // All of list_. A span stores its size; a list has to compute it.
};

}  // namespace strata::detail
