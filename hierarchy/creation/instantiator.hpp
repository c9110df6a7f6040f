// Instantiator: makes copies of an entity with all entities below it, any number of copies in one call.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "../../core/entity_map.hpp"
#include "../links/subtree.hpp"
#include "new_entities.hpp"
#include "override.hpp"

namespace strata::detail {

/// Makes any number of copies of a subtree: an entity, all entities below it, and their components. Instantiator lists
/// the subtree once and groups its entities into clusters. The entities of a cluster have one archetype, and their
/// copies are stored together. The values of a cluster are copied column by column, at once for all copies of the
/// subtree whose rows go to one table.
class Instantiator {
 public:
  Instantiator(Store& store, Links& links, FamilyRows& rows);

  /// Makes one copy of the subtree of `root` for each element of `roots`, and writes the copy of `root` to that
  /// element. The copies of `root` become children of `above`, or roots if `above` is a null handle. `overrides` are
  /// values that copies get instead of those of the originals. If several overrides are for the same component of the
  /// same entity, the last one is used.
  /// Contract: `root` is alive, and so is `above` if it is not null; every component of the subtree can be copied. The
  /// entities in `overrides` are in the subtree and have the components.
  /// Errors: std::bad_alloc, and what copying a value, or replacing entity handles in a value, throws; nothing has been
  /// created then.
  /// Complexity: O(copies * values), where `values` is the number of all components of all entities in the subtree.
  void copy(Entity root, Entity above, std::span<Entity> roots, std::span<const Override> overrides);

 private:
  /// Entities of the subtree, called members, that have one archetype and whose copies are stored together. If
  /// `branch`, a set of tables, is not null, all copies go to its table for the archetype. If `branch` is null, each
  /// copy of the subtree has a table of its own for its copies of the members.
  struct Cluster {
    std::uint32_t first;  ///< Index of its first member in `members_`.
    std::uint32_t count;
    Archetype* archetype;
    Branch* branch;
    std::uint32_t parent;  ///< If `branch` is null: position in the subtree of the members' parent.
  };
  /// Where the values of a member of the cluster are read: its block and row. The rows of `run` successive members,
  /// starting with this one, are adjacent in the block.
  struct Source {
    Place place;
    std::uint32_t run;
  };
  /// The values of a column for `count` successive members of a cluster, one after the other in memory.
  struct Original {
    const void* values;
    std::uint32_t count;
  };
  /// A value that all copies of one entity get instead of the original's value. `position` is the index of the entity
  /// in the list of all entities of the subtree (see Subtree). The component `id` is stored in tables.
  struct Replacement {
    std::uint32_t position;
    ComponentId id;
    const void* value;
  };
  /// `count` copies of the subtree: copy number `first` and those that follow it.
  struct Copies {
    std::size_t first;
    std::size_t count;
  };

  std::span<const Entity> copy_at(std::size_t copy) const {
    return made_.handles().subspan(copy * subtree_.size(), subtree_.size());
  }
  /// Returns: whether copying the values of the subtree may run user code.
  bool runs_user_code() const {
    for (const Cluster& cluster : clusters_) {
      if (cluster.archetype->format().has_objects()) return true;
    }
    for (const Subtree::SidePart& part : subtree_.side_parts()) {
      const ComponentInfo& component = part.pool->component();
      if (component.copy != nullptr || component.destroy != nullptr) return true;
    }
    return false;
  }
  void take_overrides(std::span<const Override> overrides);
  std::uint32_t find_position(Entity node) const;
  void plan(Entity above, std::size_t copies);
  void plan_states(Entity above);
  void plan_layouts();
  void plan_families(std::uint32_t root_depth);
  Branch& open_family(const Subtree::Family& family, std::size_t copy);
  void repeat_families(std::size_t copy);
  void choose_layouts(std::size_t copy);
  void add_family(const Subtree::Family& family);
  void add_clusters(std::uint32_t first_member, Branch* branch, std::uint32_t parent);
  Table& table_for(const Cluster& cluster, std::size_t copy);
  template <class Visit>
  void for_each_table(const Cluster& cluster, std::size_t copies, Visit visit);

  void find_sources(const Cluster& cluster);
  void fill(const Cluster& cluster, Table& table, Copies copies);
  void copy_column(const Cluster& cluster, const Column& column, const RowRun& run, std::uint32_t member);
  Original find_original(const Cluster& cluster, const Column& column, std::uint32_t member) const;
  void fill_side_store(const Subtree::SidePart& part, std::size_t copies);
  void index_positions();
  void remap(std::size_t copies);
  void remap_copy(const EntityMap& map, std::size_t copy);

  Store& store_;
  Links& links_;
  NewEntities made_;
  Subtree subtree_;
  bool hides_ = false;  // Whether look-ups by handle do not find the copies before all of them are complete.
  std::pmr::vector<std::uint32_t> members_;  // Positions of all members, cluster by cluster.
  std::pmr::vector<Cluster> clusters_;
  std::pmr::vector<Source> sources_;            // Where the members of one cluster are stored.
  std::pmr::vector<Replacement> replacements_;  // Sorted by position.
  std::pmr::vector<Layout> layouts_;  // By position: layout of the copies below it. Unused if none was set.
  /// The position in `subtree_.entities()` of each entity of the subtree, indexed by Entity::index. `index_positions`
  /// writes it. All other elements have no meaning: they may be left over from earlier calls of `copy`.
  std::pmr::vector<std::uint32_t> positions_{store_.memory()};
};

}  // namespace strata::detail
