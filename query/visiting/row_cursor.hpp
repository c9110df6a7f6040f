// RowCursor: finds the rows of a query, batch by batch, for a range-for over the query.
#pragma once

#include <optional>

#include "../../core/compiler.hpp"
#include "../filtering/found_batches.hpp"
#include "../matching/selection.hpp"
#include "../matching/visit_lock.hpp"
#include "../terms/write_stamper.hpp"

namespace strata::detail {

/// Finds the rows of a query, batch by batch, for a range-for over the query. A RowCursor refuses structural
/// changes from its creation until it reaches the end or is destroyed, whichever comes first. At that moment,
/// recorded commands are applied, unless another iteration is in progress.
class RowCursor {
 public:
  /// `writer` is the store whose recorded commands are applied at the end of the iteration. It is null for a query that
  /// only reads: then no commands are applied.
  /// `written` has a bit for each term, set if the term hands out a writable value whose writes are recorded
  /// (see Tracking).
  STRATA_API RowCursor(Store* writer, const Matcher& matcher, Selection selection, std::uint32_t written);
  RowCursor(const RowCursor&) = delete;
  RowCursor& operator=(const RowCursor&) = delete;

  /// Ends the iteration, if the loop was left before its end.
  /// Errors: what applying commands throws. If an exception caused the destruction, only that exception
  /// passes through, and commands that could not be applied stay recorded.
  STRATA_API ~RowCursor() noexcept(false);

  /// The rows of `batch()` that one call of `next` hands out: from `row` up to `end`.
  struct Run {
    std::uint32_t row;
    std::uint32_t end;
  };

  /// Goes to the next run of rows: of the current batch or, if that has no more rows, of a new batch.
  /// Returns: the run; an empty one at the end.
  /// Errors: std::bad_alloc; at the end, what applying the recorded commands throws.
  STRATA_API Run next();

  const Batch& batch() const { return batch_; }
  /// Returns: the index of the parent's row in the parent's block; all rows of the current run have this parent.
  /// Contract: the batch has Access::columns_grouped.
  std::uint16_t origin() const { return group_->origin; }

 private:
  void end_batch() noexcept;
  void end();

  Store* writer_;
  std::optional<Matcher::VisitLock> lock_;  // None: the iteration has ended.
  [[maybe_unused]] int exceptions_;         // Number of uncaught exceptions when the iteration began.
  FoundBatches batches_;
  WriteStamper stamper_;
  std::uint64_t stamped_ = 0;  // What WriteStamper::begin returned for the batch.
  Batch batch_;
  std::uint32_t row_ = 0;  // End of the last run.
  const OriginGroup* group_ = nullptr;
};

}  // namespace strata::detail
