#include "table_batches.hpp"

#include <algorithm>

namespace strata::detail {

void take_columns(const Matcher& matcher, const BlockCursor& blocks, std::uint32_t row, std::uint32_t count,
                  Batch& batch) {
  const Block& block = blocks.block();
  const std::span<const std::uint32_t> prefixes = matcher.prefixes(blocks.match());
  batch.access = Access::columns;
  batch.count = count;
  batch.entities = block.format->entities(block) + row;
  for (const std::uint32_t term : matcher.column_terms()) {
    const std::uint32_t prefix = prefixes[term];
    const bool absent = prefix == BlockFormat::kAbsent;
    batch.lanes[term] = absent ? nullptr : block.value(prefix, row, matcher.value_size(term));
  }
}

void TableBatches::take(Batch& batch, std::uint32_t count) {
  take_columns(matcher_, blocks_, row_, count, batch);
  row_ += count;
}

void TableBatches::next_related(Batch& batch) {
  if (row_ == 0) {
    if (take_shared(batch)) return;
    origins_ =
        matcher_.relates_to_side_store() ? nullptr : matcher_.relation()->find_origins(blocks_.block());
    segment_ = 0;
    gather_to_ = origins_ != nullptr && origins_->form != Origins::Form::places ? 0 : rows_;
  }
  if (row_ < gather_to_) return gather(batch);
  const OriginSegment& segment = origins_->segments()[segment_++];
  if (!point_at(*segment.origin, batch)) {
    gather_to_ = segment.first + segment.count;
    return gather(batch);
  }
  take(batch, segment.count);
  const bool all_null = std::all_of(matcher_.related_terms().begin(), matcher_.related_terms().end(),
                                    [&](std::uint32_t term) { return batch.lanes[term] == nullptr; });
  if (all_null) return;
  if (origins_->form == Origins::Form::groups) {
    batch.access = Access::columns_grouped;
    batch.groups = origins_->groups() + segment.first_group;
  } else {
    batch.access = Access::columns_indexed;
    batch.origin_rows = origins_->rows() + segment.first;
  }
}

bool TableBatches::take_shared(Batch& batch) {
  const std::size_t table = blocks_.table();
  if (shared_of_ != blocks_.tables().data() || table >= shared_from_ + Relation::kMostBlocks) find_shared();
  if ((differing_ >> (table - shared_from_) & 1) != 0) return false;
  bool all_there = true;
  for (const std::uint32_t term : matcher_.related_terms()) {
    // The typed front adds const again.
    batch.lanes[term] = const_cast<void*>((*values_)->shared[term][table - shared_from_]);
    all_there = all_there && batch.lanes[term] != nullptr;
  }
  take(batch, rows_);
  if (!all_there) return true;
  // One group: its loop does not test for null and may keep the values in registers.
  whole_ = {0, static_cast<std::uint16_t>(rows_)};
  batch.access = Access::columns_grouped;
  batch.groups = &whole_;
  return true;
}

void TableBatches::find_shared() {
  shared_of_ = blocks_.tables().data();
  shared_from_ = blocks_.table();
  const auto ahead = blocks_.tables().subspan(shared_from_);
  const auto tables = ahead.first(std::min(ahead.size(), Relation::kMostBlocks));
  for (const std::uint32_t term : matcher_.related_terms()) {
    differing_ = matcher_.relation()->find_shared(tables, blocks_.rank(), matcher_.terms()[term].id,
                                                  (*values_)->shared[term].data());
    if (matcher_.terms()[term].role == Role::nearest) find_shared_nearest(tables, term);
  }
}

/// Continues the search upwards for tables whose shared related entity does not have the value.
void TableBatches::find_shared_nearest(std::span<Block* const> tables, std::uint32_t term) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const bool differs = (differing_ >> i & 1) != 0;
    if (differs || (*values_)->shared[term][i] != nullptr) continue;
    const Block& block = *tables[i];
    matcher_.relation()->find_nearest({block.format->entities(block), 1}, matcher_.terms()[term].id, walks_,
                                      &(*values_)->shared[term][i]);
  }
}

/// Points the lanes of related terms to the columns of the origins' block.
/// Returns: false if rows must be looked up one by one: the block has some of the components but not all, or
/// a `nearest` value has to be searched further up.
bool TableBatches::point_at(const Block& origin, Batch& batch) const {
  std::size_t present = 0;
  for (const std::uint32_t term : matcher_.related_terms()) {
    const std::uint32_t prefix = origin.format->prefix_of(matcher_.terms()[term].id);
    const bool has_column = prefix < BlockFormat::kTag;
    if (!has_column && matcher_.terms()[term].role == Role::nearest) return false;
    batch.lanes[term] = has_column ? origin.column(prefix) : nullptr;
    present += has_column ? 1 : 0;
  }
  return present == 0 || present == matcher_.related_terms().size();
}

void TableBatches::gather(Batch& batch) {
  const std::uint32_t first = row_;
  take(batch, std::min(gather_to_ - row_, kRun));
  batch.access = Access::columns_gathered;
  const bool placed = origins_ != nullptr && origins_->form == Origins::Form::places;
  for (const std::uint32_t term : matcher_.related_terms()) {
    const void** const values = (*values_)->related[term].data();
    if (placed) {
      find_placed(first, {batch.entities, batch.count}, term, values);
    } else {
      matcher_.find_related({batch.entities, batch.count}, term, walks_, values);
    }
    batch.lanes[term] = values;
  }
}

/// Finds the values of a term for rows whose origins are known. `first` is the first row.
void TableBatches::find_placed(std::uint32_t first, std::span<const Entity> rows, std::uint32_t term,
                               const void** values) {
  const Term& asked = matcher_.terms()[term];
  const std::size_t size = matcher_.value_size(term);
  const Block* const* const blocks = origins_->blocks() + first;
  const std::uint16_t* const origin_rows = origins_->rows() + first;
  for (std::size_t i = 0; i < rows.size();) {
    // Neighbours often have the same archetype.
    const std::size_t begin = i;
    const BlockFormat* const format = blocks[i]->format;
    const std::uint32_t prefix = format->prefix_of(asked.id);
    if (prefix < BlockFormat::kTag) {
      do {
        values[i] = blocks[i]->value(prefix, origin_rows[i], size);
      } while (++i < rows.size() && blocks[i]->format == format);
      continue;
    }
    while (++i < rows.size() && blocks[i]->format == format) continue;
    if (asked.role == Role::nearest) {
      matcher_.find_related(rows.subspan(begin, i - begin), term, walks_, values + begin);
    } else {
      std::fill(values + begin, values + i, nullptr);
    }
  }
}

}  // namespace strata::detail
