// Components that can be switched off, and what a plain program would keep of them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <strata/strata.hpp>
#include <type_traits>
#include <vector>

namespace strata::test::toggles_model_test {

namespace {

struct Shape {
  int number = 0;
};
struct Glow {
  int number = 0;
};
struct Solid {};
struct Place {
  int number = 0;
};

}  // namespace

}  // namespace strata::test::toggles_model_test

template <>
inline constexpr bool strata::can_toggle<strata::test::toggles_model_test::Shape> = true;
template <>
inline constexpr strata::Tracking strata::tracking_of<strata::test::toggles_model_test::Shape> =
    strata::Tracking::rows;
template <>
inline constexpr bool strata::can_toggle<strata::test::toggles_model_test::Glow> = true;
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::toggles_model_test::Glow> =
    strata::Storage::sparse;
template <>
inline constexpr bool strata::can_toggle<strata::test::toggles_model_test::Solid> = true;

namespace strata::test::toggles_model_test {

namespace {

constexpr std::size_t kMostEntities = 50;
constexpr int kNone = -1;

/// What a plain program would keep of one component of an entity.
struct Part {
  std::optional<int> number;
  bool off = false;

  bool on() const { return number && !off; }
  int shown() const { return on() ? *number : kNone; }
};
struct Node {
  Entity parent = {};
  Part shape, glow, solid;
};

template <class T>
Part& part_of(Node& node) {
  if constexpr (std::is_same_v<T, Shape>) return node.shape;
  if constexpr (std::is_same_v<T, Glow>) return node.glow;
  if constexpr (std::is_same_v<T, Solid>) return node.solid;
}

using ByEntity = decltype([](Entity a, Entity b) { return a.bits() < b.bits(); });
using Numbers = std::vector<int>;
/// What a query should hand out, or has handed out.
using Rows = std::map<Entity, Numbers, ByEntity>;

template <class T>
int number_of(const T& value) {
  if constexpr (std::is_pointer_v<T>) {
    return value != nullptr ? value->number : kNone;
  } else {
    return value.number;
  }
}
template <class T>
int number_at(std::span<T> values, std::size_t row) {
  return values.empty() ? kNone : values[row].number;
}

}  // namespace

}  // namespace strata::test::toggles_model_test
