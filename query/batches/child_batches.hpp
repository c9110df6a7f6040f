// ChildBatches: visits the children of one entity that match a query.
#pragma once

#include <array>
#include <cstdint>

#include "child_runs.hpp"

namespace strata::detail {

/// Hands out the children of one entity that match a query, in their order among siblings, as batches. A batch is a run
/// of neighbouring rows of a block. If a term uses the side store (sparse sets), or follows a relation other than the
/// one to the parent (`Up<const T, R>`), a batch is a single row. Parents and ancestors are looked up once, because all
/// children have the same parent.
/// Contract: no structural change while this object is in use; the query was made with a hierarchy.
class ChildBatches {
 public:
  ChildBatches(const Matcher& matcher, RelatedChain children)
      : matcher_(matcher),
        runs_(matcher, children),
        row_by_row_(matcher.uses_side_store() || matcher.follows_relations()),
        walks_(matcher.store().memory()) {}

  /// Fills `batch` with the next matching children, at least one.
  /// Returns: false if no matching child is left.
  /// Errors: std::bad_alloc, when an `Up` term searches through many ancestors.
  /// Invalidates: the previous batch.
  bool next(Batch& batch);

 private:
  bool take_run(Batch& batch);
  bool take_row(Batch& batch);
  bool find_side_values(Batch& batch) const;
  bool has_alternatives(Entity entity) const;
  void take(std::uint32_t first, std::uint32_t count, Batch& batch);
  bool take_above(Batch& batch);

  const Matcher& matcher_;
  ChildRuns runs_;
  bool row_by_row_;
  std::uint32_t row_ = 0;       // If rows are taken one by one: the next row of the run.
  std::uint32_t end_ = 0;       // The end of the rows of that run.
  bool related_found_ = false;  // `related_` is set, and the parent and ancestors pass the filters.
  std::array<const void*, kMaxTerms> related_;  // Values of the parent or ancestors, by term.
  WalkMemo walks_;
};

}  // namespace strata::detail
