#include "branches.hpp"

#include "../../core/reserve.hpp"

namespace strata::detail {

Branch& Branches::find_or_create_level(std::uint32_t depth) {
  if (depth == 0) return root();
  while (levels_.size() < depth) {
    reserve_one(levels_);
    Branch& level = tables_.create_branch(static_cast<std::uint32_t>(levels_.size()) + 1, 0);
    level.lasts = 1;
    levels_.push_back(&level);
  }
  return *levels_[depth - 1];
}

std::string Branches::check_invariants() const {
  for (std::uint32_t i = 0; i < levels_.size(); ++i) {
    if (levels_[i]->rank != i + 1 || !is_level(*levels_[i])) {
      return "R1: the branch of level " + std::to_string(i + 1) + " has another rank";
    }
  }
  return "";
}

}  // namespace strata::detail
