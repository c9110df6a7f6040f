#include "named_rows.hpp"

namespace strata::detail {

bool NamedRows::next(Batch& batch) {
  while (!rows_.next(batch)) {
    const std::span<const Entity> run = next_run();
    if (run.empty()) return false;
    rows_.take(run);
  }
  return true;
}

/// Returns: the next live entities of the list, at most GatheredRows::kRun; none at the end of the list.
std::span<const Entity> NamedRows::next_run() {
  std::size_t count = 0;
  std::size_t seen = 0;
  for (; seen != rest_.size() && count != alive_entities_.size(); ++seen) {
    alive_entities_[count] = rest_[seen];
    count += slots_.alive(rest_[seen]) ? 1 : 0;
  }
  rest_ = rest_.subspan(seen);
  return std::span<const Entity>(alive_entities_).first(count);
}

}  // namespace strata::detail
