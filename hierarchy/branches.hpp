// Branches: where the rows of a family sit, for each layout.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <vector>

#include "../storage/tables.hpp"
#include "links.hpp"

namespace strata {

/// Where the rows of children live. A world means the same with each; its speed and size differ.
enum class Layout : std::uint8_t {
  per_parent,  ///< A table for each (signature, parent): a family's rows are contiguous.
  per_level,   ///< A table for each (signature, depth): small families share one.
};

/// Gives storage's branches their meaning: `root`, `child_of(parent)` or `level(depth)`.
///
/// Invariants:
///   R1. The branch of level d has rank d; level 0 is the root branch.
///   R2. A branch of `child_of(parent)` is labelled with that parent.
class Branches {
 public:
  Branches(Tables& tables, Layout layout, std::pmr::memory_resource* memory)
      : tables_(tables), layout_(layout), levels_(memory) {}

  Branch& root() { return tables_.root(); }

  /// Returns: a branch for the children of `parent`, which is at depth `depth`.
  /// Errors: std::bad_alloc; nothing has changed then.
  Branch& open(std::uint32_t parent, std::uint32_t depth);

  /// Returns: the branch of a level, created if it is new.
  /// Errors: std::bad_alloc; nothing has changed then.
  Branch& level(std::uint32_t depth);

  /// Returns: the branch of a level, or null.
  const Branch* find_level(std::uint32_t depth) const {
    if (depth == 0) return &tables_.root();
    return depth <= levels_.size() ? levels_[depth - 1] : nullptr;
  }

  /// Ends the use of a branch by a family without children.
  void close(Branch& branch) noexcept {
    if (!is_level(branch)) tables_.drop_branch(branch);
  }

  /// Returns: whether rows of different families share the branch; true for the root branch.
  static bool is_level(const Branch& branch) { return branch.label == 0; }

  /// Returns: the parent that a branch belongs to; Links::kNone for a level.
  static std::uint32_t parent_of(const Branch& branch) {
    return static_cast<std::uint32_t>(branch.label) - 1;
  }

  std::string check_invariants() const;

 private:
  Tables& tables_;
  Layout layout_;
  std::pmr::vector<Branch*> levels_;  // Level d + 1 at d.
};

}  // namespace strata
