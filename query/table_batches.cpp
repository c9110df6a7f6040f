#include "table_batches.hpp"

#include <algorithm>

namespace strata {

bool TableBatches::next(Batch& batch) {
  if (row_ == rows_) {
    if (!blocks_.next()) return false;
    row_ = 0;
    rows_ = blocks_.block().count;
    if (!matcher_.has_related() || set_shared(batch)) {
      batch.access = Access::columns;
      batch.count = rows_;
      set_lanes(batch);
      row_ = rows_;
      return true;
    }
  }
  batch.access = Access::columns_gathered;
  batch.count = std::min(rows_ - row_, kRun);
  set_lanes(batch);
  gather_related(batch);
  row_ += batch.count;
  return true;
}

void TableBatches::set_lanes(Batch& batch) const {
  const Block& block = blocks_.block();
  const std::span<const Term> terms = matcher_.terms();
  const std::span<const std::uint32_t> prefixes = matcher_.prefixes(blocks_.match());
  batch.entities = block.layout->entities(block) + row_;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].role == Role::related) continue;
    const bool absent = prefixes[i] == ColumnLayout::kAbsent;
    batch.lanes[i] = absent ? nullptr : block.value(prefixes[i], row_, matcher_.value_size(i));
  }
}

bool TableBatches::set_shared(Batch& batch) const {
  const std::span<const Term> terms = matcher_.terms();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].role != Role::related) continue;
    const void* value = nullptr;
    if (!matcher_.relation()->find_shared(blocks_.block(), terms[i].id, &value)) return false;
    // The typed front hands related values out as pointers to const.
    batch.lanes[i] = const_cast<void*>(value);
  }
  return true;
}

void TableBatches::gather_related(Batch& batch) {
  const std::span<const Term> terms = matcher_.terms();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].role != Role::related) continue;
    matcher_.relation()->find_each({batch.entities, batch.count}, terms[i].id, related_[i].data());
    batch.lanes[i] = related_[i].data();
  }
}

}  // namespace strata
