// Branches: the branch that holds the rows of a family, for each layout.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <vector>

#include "../../core/memory_use.hpp"
#include "../../storage/tables/tables.hpp"
#include "../links/links.hpp"

namespace strata::detail {

/// Creates and finds the branches of a world. A branch is a set of tables, at most one for each archetype
/// (see Branch). There is one for roots, `root()`; one for each depth, `level(depth)`, which the children of
/// several parents share; and one for each family (the children of one parent) that has tables of its own.
///
/// Invariants:
///   R1. The branch of level d has rank d; level 0 is the root branch.
///   R2. A branch of one family is labelled with the parent of that family.
class Branches {
 public:
  Branches(Tables& tables, std::pmr::memory_resource* memory) : tables_(tables), levels_(memory) {}

  Branch& root() { return tables_.root(); }

  /// Returns: a new branch for the children of `parent` alone; `depth` is the depth of `parent`.
  /// Errors: std::bad_alloc; nothing has changed then.
  Branch& open(std::uint32_t parent, std::uint32_t depth) {
    return tables_.create_branch(depth + 1, parent + 1);
  }

  /// Returns: the branch of a level, created if it is new.
  /// Errors: std::bad_alloc; nothing has changed then.
  Branch& level(std::uint32_t depth) {
    return depth - 1 < levels_.size() ? *levels_[depth - 1] : find_or_create_level(depth);
  }

  /// Returns: one more than the deepest level that was ever created.
  std::uint32_t level_count() const { return static_cast<std::uint32_t>(levels_.size()) + 1; }

  /// Drops the branch of a family without children, unless it is the branch of a level.
  void close(Branch& branch) noexcept {
    if (!is_level(branch)) tables_.drop_branch(branch);
  }

  /// Returns: the branch of a family's rows; null if it never had one.
  Branch* find(const Links::Family* family) const {
    const bool placed = family != nullptr && family->branch != Links::kNone;
    return placed ? &tables_.branch(family->branch) : nullptr;
  }

  /// Returns: whether families share the branch; true for the root branch.
  static bool is_level(const Branch& branch) { return branch.label == 0; }

  /// Returns: the parent that a label stands for; Links::kNone for the label of a level.
  static std::uint32_t parent_of(std::uint32_t label) { return label - 1; }

  MemoryUse memory_use() const { return memory_use_of(levels_); }

  std::string check_invariants() const;

 private:
  Branch& find_or_create_level(std::uint32_t depth);

  Tables& tables_;
  std::pmr::vector<Branch*> levels_;  // Level d + 1 is at index d.
};

}  // namespace strata::detail
