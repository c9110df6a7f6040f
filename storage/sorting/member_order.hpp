// MemberOrder: compares the members of a pool (sparse set) by a user's comparison or key function.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "../../core/call.hpp"
#include "../../core/component.hpp"
#include "../side_store/sparse_pool.hpp"

namespace strata::detail {

/// The kinds of user functions that order a pool: whether the function takes values or entities, and whether it
/// compares or returns a key.
enum class OrderKind : std::uint8_t {
  values,      ///< Compares two values: bool less(const T&, const T&).
  entities,    ///< Compares two members: bool less(Entity, Entity).
  value_key,   ///< Returns the key of a value: key(const T&). Keys are compared by is_less.
  entity_key,  ///< Returns the key of a member: key(Entity). Keys are compared by is_less.
  none         ///< The function cannot order the pool.
};

/// Whether a pool of T has values that can be passed to a user's function. A pool of a tag has no values. If T is void,
/// the type of the values is not known, so they cannot be passed either.
template <class T>
inline constexpr bool has_values = !std::is_void_v<T>;
template <class T>
requires(!std::is_void_v<T>) inline constexpr bool has_values<T> = !is_tag<T>;

/// Returns: which kind of comparison or key function F is for a pool of T; T is void if the type of the
/// values is not known. A function that accepts both values and entities is called with values.
template <class T, class F>
constexpr OrderKind order_kind() {
  // Each condition is only compiled if needed. A function with `auto` parameters may fail to compile if a later
  // condition tests it with a type that the function does not support.
  if constexpr (!has_values<T>) {
    if constexpr (std::is_invocable_v<F&, Entity, Entity>) {
      return OrderKind::entities;
    } else {
      return std::is_invocable_v<F&, Entity> ? OrderKind::entity_key : OrderKind::none;
    }
  } else if constexpr (std::is_invocable_v<F&, const T&, const T&>) {
    return OrderKind::values;
  } else if constexpr (std::is_invocable_v<F&, const T&>) {
    return OrderKind::value_key;
  } else {
    return order_kind<void, F>();
  }
}

/// Returns: whether key `a` comes before key `b`, by `<`. A floating-point number that is NaN comes after all
/// others, because `<` alone does not order it.
template <class Key>
bool is_less(const Key& a, const Key& b) {
  if constexpr (std::is_floating_point_v<Key>) {
    return a < b || (b != b && a == a);
  } else {
    return a < b;
  }
}

/// Compares members of a pool of T by a user's comparison or key function, and keeps a reference to that function.
/// Depending on what the function takes, compares the values of the members, or the entities themselves.
template <class T, class F>
class MemberOrder {
 public:
  static constexpr OrderKind kKind = order_kind<T, F>();
  static_assert(kKind != OrderKind::none,
                "an order is less(const T&, const T&), less(Entity, Entity), key(const T&) or key(Entity); "
                "of a tag, one of the two about entities");
  static constexpr bool kByValue = kKind == OrderKind::values || kKind == OrderKind::value_key;
  static constexpr bool kByKey = kKind == OrderKind::value_key || kKind == OrderKind::entity_key;

  /// What the user's function takes: values of the component, or entities.
  using Value = std::conditional_t<kByValue, T, Entity>;

  explicit MemberOrder(F& function) : function_(function) {}

  /// Returns: whether `a` comes before `b`.
  bool operator()(const Value& a, const Value& b) const noexcept(is_noexcept()) {
    if constexpr (kByKey) {
      return is_less(key(a), key(b));
    } else {
      return static_cast<bool>(call(function_, a, b));
    }
  }
  /// Returns: the key of a value or entity.
  /// Contract: kByKey is true, so the user's function returns keys.
  decltype(auto) key(const Value& value) const noexcept(is_noexcept()) { return call(function_, value); }

  /// Returns: whether comparing two values or entities is known not to throw: the user's function is noexcept
  /// and, if it returns keys, these are numbers.
  static constexpr bool is_noexcept() {
    if constexpr (kByKey) {
      using Key = std::invoke_result_t<F&, const Value&>;
      return std::is_nothrow_invocable_v<F&, const Value&> && std::is_arithmetic_v<std::decay_t<Key>>;
    } else {
      return std::is_nothrow_invocable_v<F&, const Value&, const Value&>;
    }
  }

  /// Returns: what the user's function receives for the member at `position`: the value of the member if the function
  /// takes values, otherwise the entity.
  static const Value& at(const SparsePool& pool, std::uint32_t position) {
    if constexpr (kByValue) {
      return *pool.value_at_as<const T>(position);
    } else {
      return pool.entities()[position];
    }
  }

  /// Returns: how many of the compared objects (values or entities) are adjacent in memory, beginning with that of the
  /// member at `position`. Unused memory behind the last member may be counted, too.
  static std::uint32_t together(const SparsePool& pool, std::uint32_t position) {
    return kByValue ? pool.values_together(position) : pool.size() - position;
  }

 private:
  F& function_;
};

/// Searches the positions from `begin` to `end` for a member that is less than the one before it.
/// Returns: the position of the first such member; `end` when there is none.
/// Contract: begin > 0.
/// Complexity: O(result - begin); values are read in memory order.
template <class Ordering>
std::uint32_t find_disorder(const SparsePool& pool, const Ordering& less, std::uint32_t begin,
                            std::uint32_t end) {
  while (begin < end) {
    if (less(Ordering::at(pool, begin), Ordering::at(pool, begin - 1))) return begin;
    const std::uint32_t count = std::min(Ordering::together(pool, begin), end - begin);
    const auto* const values = &Ordering::at(pool, begin);
    for (std::uint32_t i = 1; i < count; ++i) {
      if (less(values[i], values[i - 1])) return begin + i;
    }
    begin += count;
  }
  return end;
}

/// A record to sort, for one member of a pool: the object that is compared (the member's value, or the entity) and the
/// member's position. An object of at most 16 bytes that can be copied as bytes is copied into the record, so that
/// sorting does not access the pool. For any other object, the record has the address.
template <class Value,
          bool kCopied =
              std::is_trivially_copyable_v<Value>&& std::is_copy_assignable_v<Value> && sizeof(Value) <= 16>
struct PlacedValue {
  Value copy;
  std::uint32_t position;

  static PlacedValue of(const Value& value, std::uint32_t position) { return {value, position}; }
  const Value& value() const { return copy; }
};
template <class Value>
struct PlacedValue<Value, false> {
  const Value* address;
  std::uint32_t position;

  static PlacedValue of(const Value& value, std::uint32_t position) { return {address_of(value), position}; }
  const Value& value() const { return *address; }
};

/// Calls `visit(position, value)` for all members, in their order. `value` is what `Ordering` compares: the
/// value of the member if the user's function takes values, otherwise the entity.
template <class Ordering, class Visit>
void for_each_value(const SparsePool& pool, Visit visit) {
  for (std::uint32_t begin = 0; begin < pool.size();) {
    const std::uint32_t count = std::min(Ordering::together(pool, begin), pool.size() - begin);
    const auto* const values = &Ordering::at(pool, begin);
    for (std::uint32_t i = 0; i < count; ++i) visit(begin + i, values[i]);
    begin += count;
  }
}

}  // namespace strata::detail
