#include "row_cursor.hpp"

#include <exception>

namespace strata {

RowCursor::RowCursor(Store* writer, const Matcher& matcher, Selection selection, std::uint32_t written)
    : writer_(writer),
      lock_(std::in_place, matcher.store()),
      exceptions_(std::uncaught_exceptions()),
      batches_(make_batches(matcher, selection)),
      stamper_(matcher, matcher.store().rows().clock(), written) {
  next_run();
}

RowCursor::~RowCursor() noexcept(false) {
  if (ended()) return;
#if defined(__cpp_exceptions)
  if (std::uncaught_exceptions() > exceptions_) {
    try {
      end();
    } catch (...) {
      return;
    }
  }
#endif
  end();
}

RowCursor::Batches RowCursor::make_batches(const Matcher& matcher, Selection selection) {
  if (gathers(matcher, selection)) return Batches(std::in_place_type<FilteredBatches>, matcher, selection);
  return Batches(std::in_place_type<TableBatches>, matcher, selection.order);
}

/// Goes to the rows of the next group, or of the next batch.
void RowCursor::next_run() {
  const bool more = group_ != nullptr && row_ != batch_.count;
  if (more) {
    ++group_;
  } else {
    end_batch();
    row_ = 0;
    if (!std::visit([&](auto& batches) { return batches.next(batch_); }, batches_)) return end();
    stamped_ = stamper_.begin(batch_);
    group_ = batch_.access == Access::columns_grouped ? batch_.groups : nullptr;
  }
  end_ = group_ != nullptr ? row_ + group_->count : batch_.count;
}

void RowCursor::end_batch() noexcept {
  if (batch_.count != 0) stamper_.end(batch_, stamped_);
  batch_.count = 0;
}

void RowCursor::end() {
  if (ended()) return;
  end_batch();
  lock_.reset();
  if (writer_ != nullptr) writer_->iteration_ended();
}

}  // namespace strata
