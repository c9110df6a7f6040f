// ForestBuilder: creates a whole forest of entities at once.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../core/outcome.hpp"
#include "../../core/prefetch.hpp"
#include "built_hierarchy.hpp"
#include "forest_order.hpp"
#include "new_entities.hpp"

namespace strata::detail {

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

/// Creates the entities of a forest. Handles and rows are made in breadth-first order, so each level's rows
/// are in family order. Values are copied column by column.
class ForestBuilder {
 public:
  ForestBuilder(Store& store, Links& links, FamilyRows& rows)
      : store_(store), links_(links), made_(store, links, rows) {}

  /// Creates the forest below a live entity, or as roots if `above` is a null handle.
  /// Returns: refused if the parents do not form a forest or a column has another length.
  /// Errors: std::bad_alloc, and what copying a value throws; nothing has been created then.
  /// Complexity: O(nodes * columns).
  BuiltHierarchy build(const Forest& forest, Entity above);

 private:
  /// Neighbouring positions whose rows go to one table.
  struct Stretch {
    Table* table;
    Branch* branch;
    std::uint32_t count;
  };

  std::string refuse_columns(const Forest& forest) const;
  void plan(const ForestOrder& order, Archetype& archetype, Entity above);
  void plan_rows(Archetype& archetype, Branch& branch, std::uint32_t count);
  void build_rows(const ForestOrder& order, std::span<Entity> entities);
  void build_values(const ForestOrder& order, const ForestColumn& column);
  void fill_side_store(const ForestOrder& order, const ForestColumn& column);
  void attach_roots(const ForestOrder& order, Entity above);

  Store& store_;
  Links& links_;
  NewEntities made_;
  std::pmr::vector<Stretch> stretches_{store_.memory()};
};

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
    prefetch_for_write(target + built);
    ::new (static_cast<void*>(target + built)) T(from[nodes[built]]);
  }
  destroy.dismiss();
}

}  // namespace strata::detail
