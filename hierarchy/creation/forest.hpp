// Forest: the input for creating many entities with their parents and values at once (see ForestBuilder).
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "../../core/component.hpp"
#include "../../core/prefetch.hpp"
#include "../../core/rollback.hpp"

namespace strata::detail {

class Archetype;

/// A function that builds `count` values of one component at `to`, which is uninitialised memory. Value i is for node
/// `nodes[i]` or, if `nodes` is null, for node `first + i`; a node is an entity to create. `source` is
/// ForestColumn::source, which says where the values come from.
/// Errors: what building a value throws; the function has then destroyed the values that it has built before.
using GatherOperation = void (*)(void* to, const void* source, const std::uint32_t* nodes, std::size_t first,
                                 std::size_t count);

/// One component of the new entities, and where its values come from. A node is an entity to create. `source` points to
/// an array of `count` values (element i is the value of node i), to one value for all nodes, or to a function that
/// makes values. `gather` builds the values in the new rows, and fits the kind of `source`.
struct ForestColumn {
  ComponentId id;
  const void* source;  ///< Not used if the component is a tag.
  std::size_t count;   ///< Number of elements in the array; if `source` is no array, number of nodes.
  GatherOperation gather;
  bool calls_program = false;  ///< Whether `gather` calls a function of the program that returns values.
};

/// The entities to create, called nodes, with their parents and values. The parent of node i is node `parents[i]`;
/// kNoParent means that node i has no parent. `columns` has the values of all nodes, one column for each component.
struct Forest {
  std::span<const std::uint32_t> parents;
  std::span<const ForestColumn> columns;
  Archetype& archetype;  ///< The archetype of the components in `columns` that are stored in tables.
};

/// Builds `count` values of T at `to`. Value i is for node `nodes[i]` or, if `nodes` is null, for node `first + i`.
/// `make(void* place, std::size_t node)` builds the value of one node.
/// Errors: what `make` throws; the values built before are destroyed then.
template <class T, class Make>
void build_for_nodes(void* to, const std::uint32_t* nodes, std::size_t first, std::size_t count, Make make) {
  build_values(static_cast<T*>(to), count, [&](void* place, std::size_t i) {
    prefetch_write_ahead(place);
    make(place, nodes != nullptr ? nodes[i] : first + i);
  });
}

/// The GatherOperation for an array of values of type T, which are copied by their copy constructor.
template <class T>
void gather_values(void* to, const void* source, const std::uint32_t* nodes, std::size_t first,
                   std::size_t count) {
  const T* const from = static_cast<const T*>(source);
  if (nodes == nullptr) {
    copy_values<T>(to, from + first, count);
    return;
  }
  build_for_nodes<T>(to, nodes, first, count,
                     [&](void* place, std::size_t node) { ::new (place) T(from[node]); });
}

}  // namespace strata::detail
