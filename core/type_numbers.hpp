// Type numbers: name the C++ types of a process, whichever copy of the library counts them.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "memory_use.hpp"

namespace strata::detail {

/// Names a C++ type within this process. A program and a plugin that both contain this library count their types
/// independently of each other, each from a first number of its own. So no two types have the same number; but one
/// type may have a number in each copy of the library, and its name says that they are the same.
using TypeNumber = std::uint64_t;

/// How many numbers each copy of the library has.
inline constexpr TypeNumber kMostTypes = 1u << 20;

/// Returns: the first number of this copy of the library; never 0.
TypeNumber first_type_number() noexcept;

/// Returns: the next one.
TypeNumber next_type_number() noexcept;

template <class T>
[[gnu::noinline, gnu::cold, gnu::const]] TypeNumber assign_type_number() noexcept {
  static const TypeNumber number = next_type_number();
  return number;
}

/// 0 until this variable is initialised. A plain load, which loops keep in a register; a static in a function would be
/// guarded at every call.
template <class T>
inline const TypeNumber type_number = assign_type_number<T>();

/// Returns: the number of T, also while other variables are initialised.
template <class T>
TypeNumber type_number_of() noexcept {
  const TypeNumber number = type_number<T>;
  return number != 0 ? number : assign_type_number<T>();
}

/// A value for each type that this copy of the library has counted; `none` for those that it has not, and for those
/// that have none.
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

  /// Returns: whether a type can have a value here: not if another copy of the library counted it.
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

  /// Returns: the values of types by their number, `none` included.
  std::span<Value> values() noexcept { return values_; }
  std::span<const Value> values() const noexcept { return values_; }

  MemoryUse memory_use() const { return memory_use_of(list_); }

 private:
  TypeNumber first_;
  std::pmr::vector<Value> list_;
  std::span<Value> values_;  // Of the list. Its size needs no subtraction, which pays for that of `first_`.
};

}  // namespace strata::detail
