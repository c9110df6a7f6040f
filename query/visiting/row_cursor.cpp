#include "row_cursor.hpp"

#include <exception>

namespace strata::detail {

RowCursor::RowCursor(Store* writer, const Matcher& matcher, Selection selection, std::uint32_t written)
    : writer_(writer),
      lock_(std::in_place, matcher),
      exceptions_(std::uncaught_exceptions()),
      stamper_(matcher, matcher.store().rows().changes().clock(), written) {
  begin(matcher, selection);
}

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

void RowCursor::begin(const Matcher& matcher, Selection selection) {
  if (selection.scope != Scope::all) {
    if (selection.scope == Scope::paired) {
      batches_.emplace(std::in_place_type<Borrowed<PairedBatches>>, matcher.scratch(), matcher, selection);
    } else {
      batches_.emplace(std::in_place_type<ChildBatches>, matcher,
                       matcher.relation()->chain_of(selection.parent));
    }
  } else if (matcher.uses_side_store()) {
    batches_.emplace(std::in_place_type<Borrowed<FilteredBatches>>, matcher.scratch(), matcher, selection);
  } else if (matcher.has_above_terms()) {
    batches_.emplace(std::in_place_type<Borrowed<AboveFilteredBatches>>, matcher.scratch(), matcher,
                     selection);
  } else {
    batches_.emplace(std::in_place_type<TableBatches>, matcher, selection);
  }
}

RowCursor::Run RowCursor::next() {
  const bool in_batch = group_ != nullptr && row_ != batch_.count;
  if (in_batch) {
    ++group_;
  } else {
    end_batch();
    row_ = 0;
    if (!lock_ || !next_batch()) {
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

bool RowCursor::next_batch() {
  if (auto* const tables = std::get_if<TableBatches>(&*batches_)) return tables->next(batch_);
  if (auto* const children = std::get_if<ChildBatches>(&*batches_)) return children->next(batch_);
  if (auto* const filtered = std::get_if<Borrowed<FilteredBatches>>(&*batches_)) {
    return (*filtered)->next(batch_);
  }
  if (auto* const above = std::get_if<Borrowed<AboveFilteredBatches>>(&*batches_)) {
    return (*above)->next(batch_);
  }
  return (*std::get_if<Borrowed<PairedBatches>>(&*batches_))->next(batch_);
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
