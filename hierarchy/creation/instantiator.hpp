// Instantiator: copies a subtree, any number of times in one call.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "../../core/entity_map.hpp"
#include "../links/subtree.hpp"
#include "new_entities.hpp"

namespace strata::detail {

/// Makes any number of copies of a subtree. Lists the subtree once and groups its nodes into clusters: nodes
/// of one archetype whose copies go to one table. The values of a cluster are copied column by column; if the
/// rows of all copies go to the same table, in one pass.
class Instantiator {
 public:
  Instantiator(Store& store, Links& links, FamilyRows& rows);

  /// Makes `roots.size()` copies of the subtree of `root`, with all its components, below `above`; as roots
  /// if `above` is a null handle.
  /// Contract: `root` is alive, and so is `above` if it is not null; every component of the subtree can be
  /// copied.
  /// Errors: std::bad_alloc, and what copying or remapping a value throws; nothing has been created then.
  /// Complexity: O(copies * nodes * components).
  void copy(Entity root, Entity above, std::span<Entity> roots);

 private:
  /// Nodes of one archetype whose copies go to one table, called its members. If `branch` is null, each copy
  /// of the subtree has a table of its own for them.
  struct Cluster {
    std::uint32_t first;  ///< Index of its first member in `members_`.
    std::uint32_t count;
    Archetype* archetype;
    Branch* branch;
    std::uint32_t parent;  ///< Position of the parent whose family has the branch, if each copy has its own.
  };
  /// The row of a member of a cluster, and the number of members from this one on whose rows are contiguous.
  struct Source {
    Place place;
    std::uint32_t run;
  };
  /// A range of copies: those with the numbers in [first, first + count).
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
  std::pmr::vector<Source> sources_;           // For the members of one cluster.
  std::pmr::vector<Layout> layouts_;           // The layout below each position, if the subtree sets any.
  std::pmr::vector<std::uint32_t> positions_;  // By slot index, for EntityMap; never cleared.
};

}  // namespace strata::detail
