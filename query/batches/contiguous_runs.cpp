#include "contiguous_runs.hpp"

#include <algorithm>

namespace strata::detail {

/// Returns: a pointer to the value of the term's component for this row of the batch; null if the row has no value.
const void* ContiguousRuns::value_of(std::uint32_t term, std::uint32_t row) const {
  const void* const lane = batch_.lanes[term];
  if (batch_.access == Access::gathered) return static_cast<const void* const*>(lane)[row];
  if (lane == nullptr) return nullptr;
  return static_cast<const std::byte*>(lane) + batch_.picks[term][row] * matcher_.value_size(term);
}

/// Returns: whether, for each term that reads tables, the value of this row lies directly behind the value of the
/// previous row in memory. Two rows without a value of the term count as contiguous, too.
bool ContiguousRuns::follows(std::uint32_t row) const {
  return std::ranges::all_of(matcher_.column_terms(), [&](std::uint32_t term) {
    const auto* const before = static_cast<const std::byte*>(value_of(term, row - 1));
    const void* const value = value_of(term, row);
    return before == nullptr ? value == nullptr : value == before + matcher_.value_size(term);
  });
}

bool ContiguousRuns::next(Batch& run) {
  if (row_ == batch_.count) return false;
  const std::uint32_t first = row_++;
  while (row_ != batch_.count && follows(row_)) ++row_;
  run.access = matcher_.has_related() ? Access::columns_gathered : Access::columns;
  run.count = row_ - first;
  run.entities = batch_.entities + first;
  for (const std::uint32_t term : matcher_.column_terms()) {
    run.lanes[term] = const_cast<void*>(value_of(term, first));
  }
  for (const std::uint32_t term : matcher_.related_terms()) {
    run.lanes[term] = static_cast<void**>(batch_.lanes[term]) + first;
  }
  return true;
}

}  // namespace strata::detail
