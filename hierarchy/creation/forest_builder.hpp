// ForestBuilder: creates many entities with their parents and values at once.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../../core/outcome.hpp"
#include "forest.hpp"
#include "forest_order.hpp"
#include "new_entities.hpp"

namespace strata::detail {

/// Creates all entities of a forest, with their parents and values, in one call. Rows are made in breadth-first order,
/// so the new rows of each depth are in the order of their parents' rows. Then an iteration from parents to children
/// reads memory sequentially. Values are copied column by column.
class ForestBuilder {
 public:
  ForestBuilder(Store& store, Links& links, FamilyRows& rows)
      : store_(store), links_(links), made_(store, links, rows) {}

  /// Creates the entities of `forest`, and writes the entity of node i to `entities[i]`. Nodes without a parent become
  /// children of `above`, or roots if `above` is a null handle.
  /// Returns: success; refused if the parent indices do not form a forest, or if the size of `entities` or
  /// ForestColumn::count of a column is not the number of nodes.
  /// Errors: std::bad_alloc, and what building a value throws; nothing has been created then, and the contents of
  /// `entities` have no meaning.
  /// Contract: `above` is alive or null.
  /// Complexity: O(nodes * columns).
  Outcome build(const Forest& forest, Entity above, std::span<Entity> entities);

 private:
  /// A run of nodes, consecutive in breadth-first order, whose rows go to one table. That table belongs to `branch`: a
  /// set of tables, one for each archetype.
  struct Stretch {
    Table* table;
    Branch* branch;
    std::uint32_t count;
  };

  bool runs_user_code(const Forest& forest) const;
  std::string refuse_sizes(const Forest& forest, std::size_t entities) const;
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
