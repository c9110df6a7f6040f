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
    origins_ = matcher_.finds_related_by_row() ? nullptr : matcher_.relation()->find_origins(blocks_.block());
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
    // The type of a lane (see Batch) is a pointer to non-const. The typed query adds const again, unless the
    // term may write to the parent.
    batch.lanes[term] = const_cast<void*>((*values_)->shared[term][table - shared_from_]);
    all_there = all_there && batch.lanes[term] != nullptr;
  }
  take(batch, rows_);
  if (!all_there) return true;
  // Every term that reads parents has found a value that all rows share. Describe the rows as one group: the
  // loop over a group does not test for null and may keep the shared values in registers.
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
  if (matcher_.follows_relations()) differing_ = ~std::uint32_t{0};
}

/// Completes the values of an `Up` term, `(*values_)->shared[term]`, which so far are those of the parents.
/// Where all rows of a table have one parent and that parent does not have the component, searches the
/// parent's ancestors for it.
void TableBatches::find_shared_nearest(std::span<Block* const> tables, std::uint32_t term) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const bool differs = (differing_ >> i & 1) != 0;
    if (differs || (*values_)->shared[term][i] != nullptr) continue;
    const Block& block = *tables[i];
    matcher_.relation()->find_nearest({block.format->entities(block), 1}, matcher_.terms()[term].id, walks_,
                                      &(*values_)->shared[term][i]);
  }
}

/// Sets the lanes (see Batch) of terms that read parents to the columns of `origin`, the block in which the
/// parents are stored; to null if `origin` has no such column.
/// Returns: false if values must be looked up for each row instead. That is so if `origin` has columns for
/// some of these terms but not for all, or if it has none for an `Up` term, whose search goes on to further
/// ancestors.
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

/// Finds the values of a term that reads parents, for rows of a block whose parents' locations are cached in
/// `origins_`. The first of the rows is row `first` of the block. Writes one pointer per row to `values`;
/// null if there is no value.
void TableBatches::find_placed(std::uint32_t first, std::span<const Entity> rows, std::uint32_t term,
                               const void** values) {
  const Term& asked = matcher_.terms()[term];
  const std::size_t size = matcher_.value_size(term);
  const Block* const* const blocks = origins_->blocks() + first;
  const std::uint16_t* const origin_rows = origins_->rows() + first;
  for (std::size_t i = 0; i < rows.size();) {
    // Neighbouring rows often have parents of the same archetype. Find the column once for all of them.
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
