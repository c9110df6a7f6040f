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

/// Refuses structural changes from its creation until its end or destruction, whichever comes first, and then has
/// recorded commands applied, if it is the outermost iteration.
class RowCursor {
 public:
  /// `writer` is where commands are applied in the end; null: nowhere. `written` has a bit for each term that hands out values of a tracked component for writing.
  RowCursor(Store* writer, const Matcher& matcher, Selection selection, std::uint32_t written);
  RowCursor(const RowCursor&) = delete;
  RowCursor& operator=(const RowCursor&) = delete;

  /// Ends an iteration that was left early.
  /// Errors: what applying commands throws; but when left by an exception, that one goes on alone, and what
  /// could not be applied stays recorded.
  ~RowCursor() noexcept(false);

  /// Rows of the batch that can be handed out together.
  struct Run {
    std::uint32_t row;
    std::uint32_t end;
  };

  /// Goes to the next run.
  /// Returns: an empty one at the end.
  /// Errors: what applying commands throws, at the end; std::bad_alloc.
  Run next();

  const Batch& batch() const { return batch_; }
  std::uint16_t origin() const {
    return group_->origin;
  }  ///< Of the run, if its batch is Access::columns_grouped.

 private:
  using Batches = std::variant<TableBatches, ChildBatches, Borrowed<FilteredBatches>>;

  void begin(const Matcher& matcher, Selection selection);
  bool next_batch();
  void end_batch() noexcept;
  void end();

  Store* writer_;
  std::optional<Matcher::VisitLock> lock_;  // None: it has ended.
  int exceptions_;                          // Under way when the iteration began.
  std::optional<Batches> batches_;
  WriteStamper stamper_;
  std::uint64_t stamped_ = 0;  // What it needs to know at the end of the batch.
  Batch batch_;
  std::uint32_t row_ = 0;  // Where the last run ended.
  const OriginGroup* group_ = nullptr;
};

}  // namespace strata::detail
