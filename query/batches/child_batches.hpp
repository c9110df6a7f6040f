// ChildBatches: the children of an entity that match a query, as batches.
#pragma once

#include <array>
#include <cstdint>

#include "child_runs.hpp"

namespace strata::detail {

/// Yields the matching children of an entity in their order. A batch is a run of neighbouring rows, or one
/// row if a term uses the side store. Related values are the same for all children, because they have the
/// same parent.
/// Contract: as ChildRuns.
class ChildBatches {
 public:
  ChildBatches(const Matcher& matcher, RelatedChain children)
      : matcher_(matcher), runs_(matcher, children), walks_(matcher.store().memory()) {}

  /// Fills the next batch, of at least one row.
  /// Returns: false at the end.
  /// Errors: std::bad_alloc, when a long walk to an ancestor is stored.
  /// Invalidates: the previous batch.
  bool next(Batch& batch);

 private:
  bool take_run(Batch& batch);
  bool take_row(Batch& batch);
  bool find_side_values(Batch& batch) const;
  bool has_alternatives(Entity entity) const;
  void take(std::uint32_t first, std::uint32_t count, Batch& batch);
  void take_related(Batch& batch);

  const Matcher& matcher_;
  ChildRuns runs_;
  std::uint32_t row_ = 0;  // If rows are taken one by one: the next row of the run, and its end.
  std::uint32_t end_ = 0;
  bool related_found_ = false;
  std::array<const void*, kMaxTerms> related_;  // By term.
  WalkMemo walks_;
};

}  // namespace strata::detail
