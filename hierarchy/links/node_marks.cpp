#include "node_marks.hpp"

#include <algorithm>

namespace strata::detail {

void NodeMarks::reserve(std::size_t count) {
  if (count > marks_.size()) marks_.resize(count, Mark::unknown);
}

void NodeMarks::shrink(std::size_t count) noexcept {
  if (count < marks_.size()) marks_.resize(count);
  marks_.shrink_to_fit();
}

void NodeMarks::clear() noexcept {
  std::ranges::fill(marks_, Mark::unknown);
}

}  // namespace strata::detail
