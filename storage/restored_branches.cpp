#include "restored_branches.hpp"

#include <unordered_map>

namespace strata::detail {

void RestoredBranches::find() {
  std::unordered_map<std::uint32_t, Branch*> by_label;
  for (std::uint32_t number = 0; number < tables_.branch_count(); ++number) {
    Branch& branch = tables_.branch(number);
    if (branch.rank != Branch::kFree && branch.lasts == 0) by_label.emplace(branch.label, &branch);
  }
  branches_.resize(image_.branches.size());
  made_.reserve(image_.branches.size());
  others_.reserve(by_label.size());
  for (std::uint32_t number = 0; number < branches_.size(); ++number) {
    const RowImages::BranchImage& image = image_.branches[number];
    if (image.rank == Branch::kFree) continue;
    const auto known = by_label.find(image.label);
    if (image.lasts) {
      branches_[number] = &tables_.branch(number);
    } else if (known != by_label.end()) {
      branches_[number] = known->second;
      known->second = nullptr;
    } else {
      made_.push_back(&tables_.create_branch(image.rank, image.label));
      branches_[number] = made_.back();
    }
  }
  for (std::uint32_t number = 0; number < tables_.branch_count(); ++number) {
    Branch& branch = tables_.branch(number);
    if (branch.rank == Branch::kFree || branch.lasts != 0) continue;
    const auto known = by_label.find(branch.label);
    if (known != by_label.end() && known->second == &branch) others_.push_back(&branch);
  }
}

void RestoredBranches::undo() noexcept {
  for (Branch* const branch : made_) tables_.drop_branch(*branch);
}

void RestoredBranches::restore_ranks() noexcept {
  for (std::uint32_t number = 0; number < branches_.size(); ++number) {
    if (branches_[number] != nullptr) branches_[number]->rank = image_.branches[number].rank;
  }
}

void RestoredBranches::drop_others() noexcept {
  for (Branch* const branch : others_) tables_.drop_branch(*branch);
}

}  // namespace strata::detail
