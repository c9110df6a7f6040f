#include "table_batches.hpp"

#include <algorithm>

namespace strata::detail {

template <class Cursor>
void BasicTableBatches<Cursor>::take(Batch& batch, std::uint32_t count) {
  take_columns(matcher_, blocks_, row_, count, batch);
  row_ += count;
}

template <class Cursor>
void BasicTableBatches<Cursor>::next_related(Batch& batch) {
  if (row_ == blocks_.first_row()) {
    if (take_shared(batch)) return;
    origins_ = matcher_.finds_related_by_row() ? nullptr : matcher_.relation()->find_origins(blocks_.block());
    segment_ = 0;
    if constexpr (!Cursor::kWholeBlocks) skip_segments();
    gather_to_ = origins_ != nullptr && origins_->form != Origins::Form::places ? 0 : rows_;
  }
  if (row_ < gather_to_) return gather(batch);
  const OriginSegment& segment = origins_->segments()[segment_++];
  if (!point_at(*segment.origin, batch)) {
    gather_to_ = end_of(segment);
    return gather(batch);
  }
  take_segment(segment, batch);
}

/// Goes on from segment `segment_` to the segment that contains row `row_`. A segment is a run of rows whose parents
/// are all in one block. Called for cursors that visit only some rows of a block: the first of these rows need not be
/// in the block's first segment. Does nothing if the block has no cache of segments (`origins_` is null).
template <class Cursor>
void BasicTableBatches<Cursor>::skip_segments() {
  if (origins_ == nullptr) return;
  const std::span<const OriginSegment> segments = origins_->segments();
  while (segment_ < segments.size() && segments[segment_].first + segments[segment_].count <= row_)
    ++segment_;
}

/// Returns: the row after the last row of a segment (rows whose parents are all in one block), or after the last row to
/// visit if that comes first.
template <class Cursor>
std::uint32_t BasicTableBatches<Cursor>::end_of(const OriginSegment& segment) const {
  const std::uint32_t end = segment.first + segment.count;
  if constexpr (Cursor::kWholeBlocks) return end;
  return std::min(end, rows_);
}

/// Fills the batch with the rows of a segment (rows whose parents are all in one block) that are still to be visited.
/// But if `origins_` describes the rows as groups of siblings (Origins::Form::groups), and the visit covers only a part
/// of the segment, fills the batch with only the next of these groups; see `take_groups`.
template <class Cursor>
void BasicTableBatches<Cursor>::take_segment(const OriginSegment& segment, Batch& batch) {
  const std::uint32_t first = row_;
  take(batch, Cursor::kWholeBlocks ? segment.count : end_of(segment) - row_);
  const bool all_null = std::all_of(matcher_.related_terms().begin(), matcher_.related_terms().end(),
                                    [&](std::uint32_t term) { return batch.lanes[term] == nullptr; });
  if (all_null) return;
  if (origins_->form == Origins::Form::groups) {
    batch.access = Access::columns_grouped;
    batch.groups = origins_->groups() + segment.first_group;
    if constexpr (!Cursor::kWholeBlocks) {
      if (batch.count != segment.count) {
        row_ = first;
        take_groups(segment, batch);
      }
    }
  } else {
    batch.access = Access::columns_indexed;
    batch.origin_rows = origins_->rows() + first;
  }
}

/// Fills the batch with the next rows of a segment (adjacent rows whose parents are all in one block). The rows of a
/// segment form groups of siblings. The visit may begin or end in the middle of a group, so the batch gets one of
/// these:
/// - the visited rows of one group, if the visit covers only a part of the group of the next row
/// - otherwise the next whole groups, as many as the visit covers
/// Contract: `batch.entities` and the lanes of terms that read tables are already set, for the rows from `row_` on.
template <class Cursor>
void BasicTableBatches<Cursor>::take_groups(const OriginSegment& segment, Batch& batch) {
  const std::uint32_t end = end_of(segment);
  const OriginGroup* group = origins_->groups() + segment.first_group;
  std::uint32_t begin = segment.first;  // Where the rows of the group begin.
  while (begin + group->count <= row_) begin += (group++)->count;
  batch.groups = group;
  if (begin != row_ || begin + group->count > end) {
    batch.count = std::min(begin + group->count, end) - row_;
    whole_ = {group->origin, static_cast<std::uint16_t>(batch.count)};
    batch.groups = &whole_;
  } else {
    while (begin < end && begin + group->count <= end) begin += (group++)->count;
    batch.count = begin - row_;
  }
  row_ += batch.count;
  if (row_ != end) --segment_;
}

template <class Cursor>
bool BasicTableBatches<Cursor>::take_shared(Batch& batch) {
  const std::size_t table = blocks_.table();
  if (shared_of_ != blocks_.tables().data() || table >= shared_from_ + Relation::kMostBlocks) find_shared();
  if ((differing_ >> (table - shared_from_) & 1) != 0) return false;
  bool all_there = true;
  for (const std::uint32_t term : matcher_.related_terms()) {
    // The type of a lane is a pointer to non-const. The typed query adds const again, unless the term may write to the
    // parent.
    batch.lanes[term] = const_cast<void*>((*values_)->shared[term][table - shared_from_]);
    all_there = all_there && batch.lanes[term] != nullptr;
  }
  const std::uint32_t count = rows_ - blocks_.first_row();
  take(batch, count);
  if (!all_there) return true;
  // Every term that reads parents has found a value that all rows share. Describe the rows as one group: the
  // loop over a group does not test for null and may keep the shared values in registers.
  whole_ = {0, static_cast<std::uint16_t>(count)};
  batch.access = Access::columns_grouped;
  batch.groups = &whole_;
  return true;
}

template <class Cursor>
void BasicTableBatches<Cursor>::find_shared() {
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

/// Completes the values of an `Up` term in `(*values_)->shared[term]`. Element i of the array belongs to `tables[i]`.
/// If all rows of the table have the same parent, the element points to the parent's value, or is null if the parent
/// lacks the component. Replaces each such null by a pointer to the value of the parent's nearest ancestor that has
/// the component, if there is one. Elements of other tables (see `differing_`) are not used.
template <class Cursor>
void BasicTableBatches<Cursor>::find_shared_nearest(std::span<Block* const> tables, std::uint32_t term) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const bool differs = (differing_ >> i & 1) != 0;
    if (differs || (*values_)->shared[term][i] != nullptr) continue;
    const Block& block = *tables[i];
    matcher_.relation()->find_nearest({block.format->entities(block), 1}, matcher_.terms()[term].id, walks_,
                                      &(*values_)->shared[term][i]);
  }
}

/// Sets the lanes (pointers to the values of one term) of terms that read parents to the columns of `origin`, the block
/// in which the parents are stored. A lane becomes null if `origin` has no such column.
/// Returns: false if values must be looked up for each row instead. That is so if `origin` has columns for some of
/// these terms but not for all. It is also so if `origin` has no column for an `Up` term, because the search then goes
/// on to further ancestors.
template <class Cursor>
bool BasicTableBatches<Cursor>::point_at(const Block& origin, Batch& batch) const {
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

template <class Cursor>
void BasicTableBatches<Cursor>::gather(Batch& batch) {
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
template <class Cursor>
void BasicTableBatches<Cursor>::find_placed(std::uint32_t first, std::span<const Entity> rows,
                                            std::uint32_t term, const void** values) {
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

template void BasicTableBatches<BlockCursor>::take(Batch& batch, std::uint32_t count);
template void BasicTableBatches<BlockCursor>::next_related(Batch& batch);
template void BasicTableBatches<PieceCursor>::take(Batch& batch, std::uint32_t count);
template void BasicTableBatches<PieceCursor>::next_related(Batch& batch);

}  // namespace strata::detail
