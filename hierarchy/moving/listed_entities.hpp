// ListedEntities: entities of a world with all entities below them, level by level, and their rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../../storage/store.hpp"
#include "../links/links.hpp"

namespace strata::detail {

/// Lists some entities with all entities below them in the hierarchy: first the given entities, then their children,
/// and so on. A position is an index in this list. Rows are listed as runs (ranges of adjacent rows of a block),
/// because the row of most entities directly follows the row of the entity before.
///
/// Contract: the objects that the constructor receives outlive this object.
class ListedEntities {
 public:
  /// The children of one entity. `parent` is the position of that entity in the list, and `first` that of its first
  /// child. The other children follow the first one in the list.
  struct Family {
    std::uint32_t parent;
    std::uint32_t first;
    std::uint32_t count;
  };

  ListedEntities(const Store& store, const Links& links) : store_(store), links_(links) {}

  /// Lists `roots`, with all entities below them.
  /// Errors: std::bad_alloc; this object can only be destroyed then.
  /// Contract: nothing is listed yet; the roots are alive and differ, and none is below another.
  /// Complexity: O(entities).
  void list(std::span<const Entity> roots);

  std::size_t size() const { return entities_.size(); }
  std::span<const Entity> entities() const { return entities_; }
  std::size_t root_count() const { return root_count_; }
  /// Returns: the rows of the entities as runs, in the order of `entities`; valid until rows move.
  std::span<const RowRun> rows() const { return rows_; }
  std::span<RowRun> rows() { return rows_; }
  /// Returns: the families of the entities that have children, in the order of the parents.
  std::span<const Family> families() const { return families_; }
  /// Returns: the positions in `entities()` of the entities for which World::set_layout was called. An entity's layout
  /// decides in which tables the rows of its children are stored.
  std::span<const std::uint32_t> chosen_layouts() const { return chosen_layouts_; }
  /// Returns: the archetypes of the entities, each once.
  /// Errors: std::bad_alloc.
  std::vector<const Archetype*> archetypes() const;

 private:
  void list_children(const Links::Family& family);
  void extend_rows(RowRun& run, Place row);

  const Store& store_;
  const Links& links_;
  std::size_t root_count_ = 0;
  std::vector<Entity> entities_;
  std::vector<RowRun> rows_;
  std::vector<Family> families_;
  std::vector<std::uint32_t> chosen_layouts_;
};

}  // namespace strata::detail
