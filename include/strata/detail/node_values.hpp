// The values of one component for the nodes (new entities) of World::build_hierarchy: an array, one value, or a
// function.
#pragma once

#include <concepts>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "../../../hierarchy/creation/forest.hpp"

namespace strata::detail {

/// An array with a value for each node (new entity) of World::build_hierarchy.
template <class T>
struct ValueOfEach {
  using Value = T;
  std::span<const T> values;

  ForestColumn column(ComponentId id, std::size_t) const {
    static_assert(is_tag<T> || is_copyable<T>,
                  "build_hierarchy copies the values of a column: make their type copyable");
    ForestColumn column{id, values.data(), values.size(), nullptr};
    if constexpr (!is_tag<T>) column.gather = gather_values<T>;
    return column;
  }
};

/// One value, which all nodes (new entities) of World::build_hierarchy get.
template <class T>
struct ValueOfAll {
  using Value = T;
  T value;  ///< A copy, because the original may be in a row that moves.

  ForestColumn column(ComponentId id, std::size_t nodes) const {
    static_assert(is_tag<T> || is_copyable<T>,
                  "build_hierarchy copies the value to each node: make its type copyable");
    ForestColumn column{id, &value, nodes, nullptr};
    if constexpr (!is_tag<T>) column.gather = gather;
    return column;
  }

 private:
  static void gather(void* to, const void* source, const std::uint32_t* nodes, std::size_t first,
                     std::size_t count) {
    build_for_nodes<T>(to, nodes, first, count,
                       [&](void* place, std::size_t) { ::new (place) T(*static_cast<const T*>(source)); });
  }
};

/// A function that returns the value of a node (new entity) of World::build_hierarchy, given the node's number.
template <class Function>
struct ValueByFunction {
  using Value = std::remove_cvref_t<std::invoke_result_t<const Function&, std::uint32_t>>;
  const Function& function;

  ForestColumn column(ComponentId id, std::size_t nodes) const {
    ForestColumn column{
        .id = id, .source = &function, .count = nodes, .gather = nullptr, .calls_program = !is_tag<Value>};
    if constexpr (!is_tag<Value>) column.gather = gather;
    return column;
  }

 private:
  static void gather(void* to, const void* source, const std::uint32_t* nodes, std::size_t first,
                     std::size_t count) {
    const Function& make = *static_cast<const Function*>(source);
    build_for_nodes<Value>(to, nodes, first, count, [&](void* place, std::size_t node) {
      ::new (place) Value(make(static_cast<std::uint32_t>(node)));
    });
  }
};

/// Returns: the values that an argument of World::build_hierarchy gives: a ValueByFunction for a function, a
/// ValueOfEach for a contiguous container or view, and a ValueOfAll for anything else.
template <class Argument>
auto node_values(const Argument& argument) {
  if constexpr (std::is_invocable_v<const Argument&, std::uint32_t>) {
    return ValueByFunction<Argument>{argument};
  } else if constexpr (requires { std::span(argument); }) {
    const std::span values(argument);
    using Values = decltype(values);
    return ValueOfEach<typename Values::value_type>{values};
  } else {
    return ValueOfAll<Argument>{argument};
  }
}

}  // namespace strata::detail
