// RowCursor: walks the rows of a query one by one, for range-for.
#pragma once

#include <optional>
#include <variant>

#include "filtered_batches.hpp"
#include "table_batches.hpp"
#include "write_stamper.hpp"

namespace strata {

/// Stands on one row after the other. Refuses structural changes from its creation until its end or
/// destruction, whichever comes first, and then has recorded commands applied, if it is the outermost
/// iteration.
///
/// Neither copied nor moved: a range-for makes its iterator in place.
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

  bool ended() const { return !lock_.has_value(); }

  /// Goes to the next row.
  /// Errors: what applying commands throws, at the end.
  void advance() {
    if (++row_ == end_) next_run();
  }

  const Batch& batch() const { return batch_; }
  std::uint32_t row() const { return row_; }
  std::uint16_t origin() const {
    return group_->origin;
  }  ///< Of Access::columns_grouped, for the current row.

 private:
  using Batches = std::variant<TableBatches, FilteredBatches>;

  static Batches make_batches(const Matcher& matcher, Selection selection);
  void next_run();
  void end_batch() noexcept;
  void end();

  Store* writer_;
  std::optional<Store::IterationLock> lock_;  // None: it has ended.
  int exceptions_;                            // Under way when the iteration began.
  Batches batches_;
  WriteStamper stamper_;
  std::uint64_t stamped_ = 0;  // What it needs to know at the end of the batch.
  Batch batch_;
  std::uint32_t row_ = 0;
  std::uint32_t end_ = 0;  // Of the group, or the batch.
  const OriginGroup* group_ = nullptr;
};

}  // namespace strata
