#include "row_cursor.hpp"

#include <exception>

namespace strata::detail {

RowCursor::RowCursor(Store* writer, const Matcher& matcher, Selection selection, std::uint32_t written)
    : writer_(writer),
      lock_(std::in_place, matcher),
      exceptions_(std::uncaught_exceptions()),
      batches_(matcher, selection),
      stamper_(matcher, matcher.store().rows().changes().clock(), written) {}

RowCursor::~RowCursor() noexcept(false) {
  if (!lock_) return;
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

RowCursor::Run RowCursor::next() {
  const bool in_batch = group_ != nullptr && row_ != batch_.count;
  if (in_batch) {
    ++group_;
  } else {
    end_batch();
    row_ = 0;
    if (!lock_ || !batches_.next(batch_)) {
      end();
      return {0, 0};
    }
    stamped_ = stamper_.begin(batch_);
    group_ = batch_.access == Access::columns_grouped ? batch_.groups : nullptr;
  }
  const std::uint32_t first = row_;
  row_ = group_ != nullptr ? row_ + group_->count : batch_.count;
  return {first, row_};
}

void RowCursor::end_batch() noexcept {
  if (batch_.count != 0) stamper_.end(batch_, stamped_);
  batch_.count = 0;
}

void RowCursor::end() {
  if (!lock_) return;
  end_batch();
  lock_.reset();
  if (writer_ != nullptr) writer_->iteration_ended();
}

}  // namespace strata::detail
