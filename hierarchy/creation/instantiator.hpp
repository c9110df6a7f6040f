// Instantiator: copies a subtree, any number of times at once.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "../../core/entity_map.hpp"
#include "../links/subtree.hpp"
#include "new_entities.hpp"

namespace strata::detail {

/// The subtree is listed once. Its nodes whose copies go to one table form a cluster, whose values are copied
/// column by column: all copies in one pass where they share the table.
class Instantiator {
 public:
  Instantiator(Store& store, Links& links, FamilyRows& rows);

  /// Makes `roots.size()` copies of the subtree of `root`, with all its components, below `above`; as roots
  /// if that names nothing.
  /// Contract: `root` is alive and so is `above`; every component of the subtree can be copied.
  /// Errors: std::bad_alloc, and what copying or remapping a value throws; nothing has been created then.
  /// Complexity: O(copies * nodes * components).
  void copy(Entity root, Entity above, std::span<Entity> roots);

 private:
  /// Nodes of one archetype whose copies go to one table; for each copy, if `branch` is null.
  struct Cluster {
    std::uint32_t first;  ///< Of its part of `members_`.
    std::uint32_t count;
    Archetype* archetype;
    Branch* branch;
    std::uint32_t parent;  ///< Whose family has the branch, where each copy has its own.
  };
  /// Where a member's row is, and how many members from it on lie side by side.
  struct Source {
    Place place;
    std::uint32_t run;
  };
  /// Copies in [first, first + count).
  struct Copies {
    std::size_t first;
    std::size_t count;
  };

  std::span<const Entity> copy_at(std::size_t copy) const {
    return made_.handles().subspan(copy * subtree_.size(), subtree_.size());
  }
  void plan(Entity above, std::size_t copies);
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
  void copy_column(const Column& column, const RowRun& run, std::uint32_t member);
  void fill_side_store(const Subtree::SidePart& part, std::size_t copies);
  void remap(std::size_t copies);
  void remap_copy(const EntityMap& map, std::size_t copy);

  Store& store_;
  Links& links_;
  NewEntities made_;
  Subtree subtree_;
  std::pmr::vector<std::uint32_t> members_;  // Positions, cluster by cluster.
  std::pmr::vector<Cluster> clusters_;
  std::pmr::vector<Source> sources_;           // Of one cluster's members.
  std::pmr::vector<Layout> layouts_;           // Below each position, where some are set.
  std::pmr::vector<std::uint32_t> positions_;  // By slot index, for EntityMap; never cleared.
};

}  // namespace strata::detail
