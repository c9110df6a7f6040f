// RestoredBranches: gives a store the branches (groups of tables, see Branch) that it had when an image (copy of the
// store) was taken.
#pragma once

#include <cstdint>
#include <vector>

#include "row_images.hpp"
#include "tables/tables.hpp"

namespace strata::detail {

/// Restores the branches (groups of tables, see Branch) of an image, that is, of a copy of a store. Finds the branches
/// of the image among the branches of the store by their labels. Creates the branches that the store lacks, and drops
/// those that the image does not have.
///
/// Contract: the tables and the image outlive the object, and nothing else creates or drops branches meanwhile.
class RestoredBranches {
 public:
  RestoredBranches(Tables& tables, const RowImages& image) : tables_(tables), image_(image) {}

  /// Finds or creates the branches of the image.
  /// Errors: std::bad_alloc; the branches that were created before stay until `undo`.
  void find();
  /// Drops the branches that `find` has created.
  /// Contract: these branches have no tables with rows.
  void undo() noexcept;

  /// Gives each branch the rank (depth of its entities) that it has in the image.
  void restore_ranks() noexcept;
  /// Drops the branches that are not in the image.
  /// Contract: these branches have no tables with rows.
  void drop_others() noexcept;

  /// Returns: the branch of the store that corresponds to the branch with this number in the image.
  /// Contract: the image has a branch with this number.
  Branch& operator[](std::uint32_t number) const { return *branches_[number]; }
  /// `of` returns the branch of the store that corresponds to the branch of a table in the image. `rank_of` returns the
  /// rank (depth of its entities) that the table has in the image.
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
