// RestoredBranches: gives a store the groups of tables that it had when an image (copy of the store) was taken. Such a
// group, called a branch, has for example the tables of the children of one parent.
#pragma once

#include <cstdint>
#include <vector>

#include "row_images.hpp"
#include "tables/tables.hpp"

namespace strata::detail {

/// Restores the branches of an image (copy of a store). A branch is a group of tables, such as those of the children of
/// one parent. Branches of the store and of the image correspond to each other if they have the same label, a number
/// that the branch's creator has chosen. Exception: branches that are never dropped (see Branch::lasts) correspond to
/// each other if they have the same Branch::number. Creates the branches that the store lacks, and drops the branches
/// that the image lacks.
///
/// Contract: the tables and the image outlive the object, and nothing else creates or drops branches meanwhile.
class RestoredBranches {
 public:
  RestoredBranches(Tables& tables, const RowImages& image) : tables_(tables), image_(image) {}

  /// For each branch (group of tables) of the image, finds the corresponding branch of the store, or creates one.
  /// Errors: std::bad_alloc; the branches that were created before stay until `undo`.
  void find();
  /// Drops the branches that `find` has created.
  /// Contract: these branches have no tables with rows.
  void undo() noexcept;

  /// Gives each branch (group of tables) the rank (depth of its entities) that it has in the image.
  void restore_ranks() noexcept;
  /// Drops the branches (groups of tables) that are not in the image.
  /// Contract: these branches have no tables with rows.
  void drop_others() noexcept;

  /// Returns: the branch (group of tables) of the store that corresponds to the branch with this number in the image.
  /// Contract: the image has a branch with this number.
  Branch& operator[](std::uint32_t number) const { return *branches_[number]; }
  /// `of` returns the branch (group of tables) of the store that corresponds to the branch of a table in the image.
  /// `rank_of` returns the rank (depth of its entities) that the table has in the image.
  Branch& of(const RowImages::TableImage& table) const {
    return table.branch == RowImages::kRoot ? tables_.root() : *branches_[table.branch];
  }
  std::uint32_t rank_of(const RowImages::TableImage& table) const {
    return table.branch == RowImages::kRoot ? 0 : image_.branches[table.branch].rank;
  }

 private:
  Tables& tables_;
  const RowImages& image_;
  std::vector<Branch*> branches_;  // By number in the image; null if the number is not in use there.
  std::vector<Branch*> made_;
  std::vector<Branch*> others_;  // The branches that are not in the image.
};

}  // namespace strata::detail
