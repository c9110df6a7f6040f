// ChildBatches: the children of an entity that match a query, as batches.
#pragma once

#include <array>
#include <cstdint>

#include "child_runs.hpp"

namespace strata::detail {

/// Yields those of a chain of children that match, in their order: runs of neighbours, or one by one where a term asks the side
/// store. Values of other entities are the same for all children, as these have the same parent.
/// Contract: as ChildRuns.
class ChildBatches {
 public:
  ChildBatches(const Matcher& matcher, RelatedChain children)
      : matcher_(matcher), runs_(matcher, children), walks_(matcher.store().memory()) {}

  /// Fills the next batch, of at least one row.
  /// Returns: false when there is none.
  /// Errors: std::bad_alloc, where a long walk to an ancestor is remembered.
  /// Invalidates: the batch before.
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
  std::uint32_t row_ = 0;  // The next one of the run, and where it ends, if rows are taken one by one.
  std::uint32_t end_ = 0;
  bool related_found_ = false;
  std::array<const void*, kMaxTerms> related_;  // By term.
  WalkMemo walks_;
};

}  // namespace strata::detail
