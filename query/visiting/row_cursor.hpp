// RowCursor: walks the rows of a query run by run, for range-for.
#pragma once

#include <optional>
#include <variant>

#include "../batches/child_batches.hpp"
#include "../batches/table_batches.hpp"
#include "../filtering/filtered_batches.hpp"
#include "../matching/selection.hpp"
#include "../terms/write_stamper.hpp"

namespace strata::detail {

/// Refuses structural changes from its creation until its end or destruction, whichever comes first. Then, if
/// it is the outermost iteration, recorded commands are applied.
class RowCursor {
 public:
  /// `writer` applies the commands; with null, none are applied. `written` has a bit for each term that hands
  /// out a tracked component for writing.
  RowCursor(Store* writer, const Matcher& matcher, Selection selection, std::uint32_t written);
  RowCursor(const RowCursor&) = delete;
  RowCursor& operator=(const RowCursor&) = delete;

  /// Ends an iteration that was left early.
  /// Errors: what applying commands throws. If an exception caused the destruction, only that exception
  /// passes through, and commands that could not be applied stay recorded.
  ~RowCursor() noexcept(false);

  /// Rows of the batch that are handed out together.
  struct Run {
    std::uint32_t row;
    std::uint32_t end;
  };

  /// Goes to the next run.
  /// Returns: an empty run at the end.
  /// Errors: std::bad_alloc; at the end, what applying commands throws.
  Run next();

  const Batch& batch() const { return batch_; }
  std::uint16_t origin() const { return group_->origin; }  ///< Of the group, for Access::columns_grouped.

 private:
  using Batches = std::variant<TableBatches, ChildBatches, Borrowed<FilteredBatches>>;

  void begin(const Matcher& matcher, Selection selection);
  bool next_batch();
  void end_batch() noexcept;
  void end();

  Store* writer_;
  std::optional<Matcher::VisitLock> lock_;  // None: the iteration has ended.
  int exceptions_;                          // Uncaught exceptions when the iteration began.
  std::optional<Batches> batches_;
  WriteStamper stamper_;
  std::uint64_t stamped_ = 0;  // The stamper's argument for the end of the batch.
  Batch batch_;
  std::uint32_t row_ = 0;  // End of the last run.
  const OriginGroup* group_ = nullptr;
};

}  // namespace strata::detail
