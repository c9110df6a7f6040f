// Forest: the description of a forest of entities to create.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include "../../core/component.hpp"
#include "../../core/prefetch.hpp"
#include "../../core/rollback.hpp"

namespace strata::detail {

class Archetype;

/// Copies `values[nodes[i]]` to `to[i]`, which is uninitialised, for `count` values. Copies `values[i]` if
/// `nodes` is null.
/// Errors: what a copy throws; the copies made before are destroyed then.
using GatherOperation = void (*)(void* to, const void* values, const std::uint32_t* nodes, std::size_t count);

/// The values of one component, one for each node of a forest.
struct ForestColumn {
  ComponentId id;
  const void* values;  ///< Not read if the component is a tag.
  std::size_t count;
  GatherOperation gather;
};

/// The description of a forest: node i is below node parents[i]; it is a root if that is kNoParent.
struct Forest {
  std::span<const std::uint32_t> parents;
  std::span<const ForestColumn> columns;
  Archetype& archetype;  ///< Of the columns that are stored in tables.
};

/// The GatherOperation for values of type T.
template <class T>
void gather_values(void* to, const void* values, const std::uint32_t* nodes, std::size_t count) {
  const T* const from = static_cast<const T*>(values);
  T* const target = static_cast<T*>(to);
  if (nodes == nullptr) {
    std::uninitialized_copy_n(from, count, target);
    return;
  }
  std::size_t built = 0;
  Rollback destroy([&] { std::destroy_n(target, built); });
  for (; built < count; ++built) {
    prefetch_write_ahead(target + built);
    ::new (static_cast<void*>(target + built)) T(from[nodes[built]]);
  }
  destroy.dismiss();
}

}  // namespace strata::detail
