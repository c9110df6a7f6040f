// Branches: finds and creates the sets of tables in which the hierarchy stores the rows of children.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <vector>

#include "../../core/memory_use.hpp"
#include "../../storage/tables/tables.hpp"
#include "../links/links.hpp"

namespace strata::detail {

/// Creates and finds the branches of a world. A branch is a set of tables, at most one for each archetype. The
/// hierarchy has
/// - one for all roots: `root()`
/// - one for each depth, which the children of several parents share and which is called a level: `level(depth)`
/// - one for each parent whose children have tables of their own: `open(parent, depth)`
///
/// Invariants:
///   R1. Branch::rank of the branch of level d is d, the depth of the entities in it; the branch of level 0 is the root
///       branch.
///   R2. Branch::label of a branch for the children of one parent is that parent's slot index plus 1; Branch::label of
///       every other branch is 0.
class Branches {
 public:
  Branches(Tables& tables, std::pmr::memory_resource* memory) : tables_(tables), levels_(memory) {}

  Branch& root() { return tables_.root(); }

  /// Creates a branch (a set of tables) for the children of one parent alone. `parent` is the slot index of this
  /// parent, and `depth` is its depth, which is one less than that of the children.
  /// Returns: the branch.
  /// Errors: std::bad_alloc; nothing has changed then.
  Branch& open(std::uint32_t parent, std::uint32_t depth) {
    return tables_.create_branch(depth + 1, parent + 1);
  }

  /// Returns: the branch (a set of tables) for entities of depth `depth`, which the children of several parents share;
  /// the branch of the roots if `depth` is 0. Creates the shared branches up to this depth that do not exist yet.
  /// Errors: std::bad_alloc; shared branches that were already created remain.
  Branch& level(std::uint32_t depth) {
    return depth - 1 < levels_.size() ? *levels_[depth - 1] : find_or_create_level(depth);
  }

  /// Returns: the number of levels, including the level of the roots; one more than the greatest depth for which
  /// `level` was ever called. A level is the set of tables that the children of several parents of one depth share.
  std::uint32_t level_count() const { return static_cast<std::uint32_t>(levels_.size()) + 1; }

  /// Drops a branch (a set of tables) that was created for the children of one parent. Does nothing to a
  /// branch that the children of several parents share.
  /// Contract: the branch has no rows.
  void close(Branch& branch) noexcept {
    if (!is_level(branch)) tables_.drop_branch(branch);
  }

  /// Returns: the branch (a set of tables) in which the rows of a parent's children are stored; null if none was chosen
  /// yet, usually because the parent has never had children. `family` is the parent's record in Links; null if it has
  /// no record.
  Branch* find(const Links::Family* family) const {
    const bool placed = family != nullptr && family->branch != Links::kNone;
    return placed ? &tables_.branch(family->branch) : nullptr;
  }

  /// Returns: whether the children of several parents share the tables of the branch; also true for the
  /// branch of roots.
  static bool is_level(const Branch& branch) { return branch.label == 0; }

  /// Returns: the slot index of the parent for whose children a branch (a set of tables) was created, given the
  /// branch's label; Links::kNone if several parents share the branch.
  static std::uint32_t parent_of(std::uint32_t label) { return label - 1; }

  MemoryUse memory_use() const { return memory_use_of(levels_); }

  std::string check_invariants() const;

 private:
  Branch& find_or_create_level(std::uint32_t depth);

  Tables& tables_;
  std::pmr::vector<Branch*> levels_;  // The branch of depth d + 1 is at index d.
};

}  // namespace strata::detail
