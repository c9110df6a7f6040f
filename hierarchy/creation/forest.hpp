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

/// A function that copies `count` values of one component to `to`, which is uninitialised memory. Number i of
/// the copies is a copy of `values[nodes[i]]`; if `nodes` is null, of `values[i]`.
/// Errors: what copying a value throws; the copies made before are destroyed then.
using GatherOperation = void (*)(void* to, const void* values, const std::uint32_t* nodes, std::size_t count);

/// One component of the entities to create, with its values: `values` is an array of `count` values, and its
/// element i is the value for node i of a Forest.
struct ForestColumn {
  ComponentId id;
  const void* values;  ///< Not read if the component is a tag.
  std::size_t count;
  GatherOperation gather;  ///< Copies values of this component.
};

/// The entities to create, called nodes, with their parents and values. The parent of node i is node
/// `parents[i]`; kNoParent means that node i has no parent. `columns` has the values of all nodes, one array
/// for each component.
struct Forest {
  std::span<const std::uint32_t> parents;
  std::span<const ForestColumn> columns;
  Archetype& archetype;  ///< The archetype of the components in `columns` that are stored in tables.
};

/// The GatherOperation for values of type T, which are copied by their copy constructor.
template <class T>
void gather_values(void* to, const void* values, const std::uint32_t* nodes, std::size_t count) {
  const T* const from = static_cast<const T*>(values);
  if (nodes == nullptr) {
    copy_values<T>(to, values, count);
    return;
  }
  build_values(static_cast<T*>(to), count, [&](void* place, std::size_t i) {
    prefetch_write_ahead(place);
    ::new (place) T(from[nodes[i]]);
  });
}

}  // namespace strata::detail
