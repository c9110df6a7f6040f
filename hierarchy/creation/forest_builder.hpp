// ForestBuilder: creates a whole forest of entities at once.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../../core/outcome.hpp"
#include "built_hierarchy.hpp"
#include "forest.hpp"
#include "forest_order.hpp"
#include "new_entities.hpp"

namespace strata::detail {

/// Creates all entities of a forest (see Forest) in one call. Handles and rows are made in breadth-first
/// order, so each level's rows are in family order. Values are copied column by column.
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
  /// A number of successive positions (see ForestOrder) whose rows go to one table.
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

}  // namespace strata::detail
