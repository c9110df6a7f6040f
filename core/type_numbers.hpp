// Type numbers: identify the C++ types of a process across copies of the library.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "memory_use.hpp"

namespace strata::detail {

/// Identifies a C++ type within this process. A program and a plugin may both contain this library. Each copy
/// counts its types from a first number of its own, so two types never have the same number. But one type may
/// have a number in each copy; its name then shows that they are the same type.
using TypeNumber = std::uint64_t;

/// The number of type numbers of each copy of the library.
inline constexpr TypeNumber kMostTypes = 1u << 20;

/// Returns: the first number of this copy of the library; never 0.
TypeNumber first_type_number() noexcept;

/// Returns: the next type number.
TypeNumber next_type_number() noexcept;

template <class T>
[[gnu::noinline, gnu::cold, gnu::const]] TypeNumber assign_type_number() noexcept {
  static const TypeNumber number = next_type_number();
  return number;
}

/// 0 until this variable is initialised. A plain load, which loops can keep in a register; a static variable
/// in a function would be guarded at every call.
template <class T>
inline const TypeNumber type_number = assign_type_number<T>();

/// Returns: the number of T. It may be called while other variables are initialised.
template <class T>
TypeNumber type_number_of() noexcept {
  const TypeNumber number = type_number<T>;
  return number != 0 ? number : assign_type_number<T>();
}

/// An array of values by type, for the types counted by this copy of the library. A type without a value has
/// `none`.
template <class Value, Value none>
class TypeTable {
 public:
  explicit TypeTable(std::pmr::memory_resource* memory)
      : first_(first_type_number()), list_(memory), values_(list_) {}
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;

  [[gnu::always_inline]] Value find(TypeNumber number) const noexcept {
    const TypeNumber index = number - first_;
    return index < values_.size() ? values_[index] : none;
  }

  /// Returns: whether this copy of the library counted the type; otherwise it has no value here.
  bool counts(TypeNumber number) const noexcept { return number - first_ < kMostTypes; }

  /// Makes room for the value of a type.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: `counts(number)`.
  void reserve(TypeNumber number) {
    if (number - first_ >= list_.size()) list_.resize(number - first_ + 1, none);
    values_ = list_;
  }
  /// Contract: there is room.
  void set(TypeNumber number, Value value) noexcept { values_[number - first_] = value; }

  /// Returns: the values by type number, `none` included.
  std::span<Value> values() noexcept { return values_; }
  std::span<const Value> values() const noexcept { return values_; }

  MemoryUse memory_use() const { return memory_use_of(list_); }

 private:
  TypeNumber first_;
  std::pmr::vector<Value> list_;
  std::span<Value> values_;  // The list. Unlike the list, it stores its size.
};

}  // namespace strata::detail
