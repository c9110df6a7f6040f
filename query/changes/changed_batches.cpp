#include "changed_batches.hpp"

#include <algorithm>

#include "../batches/table_batches.hpp"

namespace strata::detail {

ChangeFilter::ChangeFilter(std::span<const ComponentId> ids, std::uint64_t since)
    : id_count_(ids.size()), since_(since) {
  STRATA_EXPECTS(ids.size() <= kMaxTerms,
                 "changed takes at most " + std::to_string(kMaxTerms) + " components");
  std::copy(ids.begin(), ids.end(), ids_.begin());
}

void ChangeFilter::find_columns(const BlockFormat& format) {
  format_ = &format;
  tracked_count_ = 0;
  for (const ComponentId id : std::span(ids_).first(id_count_)) {
    const std::uint32_t position = format.find_tracked(id);
    if (position == BlockFormat::kAbsent) continue;
    tracked_[tracked_count_++] = {position, format.tracked()[position].stamp_prefix};
  }
}

bool ChangeFilter::look_at(const Block& block) {
  if (block.format != format_) find_columns(*block.format);
  whole_ = false;
  column_count_ = 0;
  for (const Tracked& tracked : std::span(tracked_).first(tracked_count_)) {
    if (block.stamps()[tracked.position] <= since_) continue;
    if (tracked.stamp_prefix == BlockFormat::kAbsent) {
      whole_ = true;
    } else {
      columns_[column_count_++] = column_of<const std::uint64_t>(block, tracked.stamp_prefix);
    }
  }
  return whole_ || column_count_ != 0;
}

ChangedBatches::ChangedBatches(const Matcher& matcher, const ChangeFilter& filter, const Selection& selection)
    : matcher_(matcher),
      filter_(filter),
      blocks_(matcher, selection),
      gathered_(matcher),
      walks_(matcher.store().memory()),
      above_(matcher, walks_) {
  // The leading pools are sparse sets that together contain all matching entities. If there is exactly one, and no
  // order by depth is asked for, this object visits the members of that pool. Several leading pools (those of the
  // alternatives of an AnyOf) may have members in common, which would be visited twice. So with several leading pools,
  // or in an order by depth, this object visits the blocks of matching tables instead.
  const bool led = selection.order == Order::any && gathered_.leaders().size() == 1;
  if (led) leader_ = gathered_.leaders().front();
  if (matcher.has_above_terms()) matcher.prepare_above();
}

/// Goes to the next block of a matching table that may have rows accepted by `filter_`, that is, rows that were written
/// after a given time. Sets `source_` to the entities of the block and `row_` to 0, its first row.
/// Returns: false if no such block is left.
bool ChangedBatches::next_block() {
  while (blocks_.next()) {
    const Block& block = blocks_.block();
    if (!filter_.look_at(block)) continue;
    source_ = {block.format->entities(block), block.count};
    row_ = 0;
    return true;
  }
  return false;
}

bool ChangedBatches::next_run(Batch& batch) {
  while (row_ == source_.size() || !filter_.holds(row_)) {
    if (row_ != source_.size()) {
      ++row_;
    } else if (!next_block()) {
      return false;
    }
  }
  const auto rows = static_cast<std::uint32_t>(source_.size());
  const std::uint32_t last = matcher_.has_related() ? std::min(rows, row_ + kRun) : rows;
  std::uint32_t end = filter_.whole() ? last : row_ + 1;
  while (end < last && filter_.holds(end)) ++end;
  take_rows(end, batch);
  return true;
}

/// Fills `batch` with the next rows to visit. Called instead of `next_run` if terms of the query filter by components
/// of the parent or an ancestor.
/// Returns: false if no row to visit is left.
bool ChangedBatches::next_run_below(Batch& batch) {
  const auto holds = [this](std::uint32_t row) {
    return filter_.holds(row) && above_.passes(blocks_.block(), row);
  };
  while (row_ == source_.size() || !holds(row_)) {
    if (row_ != source_.size()) {
      ++row_;
    } else if (!next_block()) {
      return false;
    }
  }
  const std::uint32_t last = std::min(static_cast<std::uint32_t>(source_.size()), row_ + kRun);
  std::uint32_t end = row_ + 1;
  while (end < last && holds(end)) ++end;
  take_rows(end, batch);
  return true;
}

/// Fills the batch with the rows of the current block from `row_` up to `end`, and sets `row_` to `end`.
void ChangedBatches::take_rows(std::uint32_t end, Batch& batch) {
  take_columns(matcher_, blocks_, row_, end - row_, batch);
  row_ = end;
  if (!matcher_.has_related()) return;
  batch.access = Access::columns_gathered;
  for (const std::uint32_t term : matcher_.related_terms()) {
    matcher_.find_related({batch.entities, batch.count}, term, walks_, related_[term].data());
    batch.lanes[term] = related_[term].data();
  }
}

bool ChangedBatches::next_filtered(Batch& batch) {
  return matcher_.uses_side_store() ? next_gathered(batch) : next_run_below(batch);
}

bool ChangedBatches::next_gathered(Batch& batch) {
  while (!gathered_.next(batch)) {
    if (gathered_.impossible()) return false;
    const std::size_t count = leader_ != nullptr ? list_members() : list_rows();
    if (count == 0) return false;
    gathered_.take(std::span(written_).first(count));
  }
  return true;
}

/// Goes on through the members of the pool (sparse set) `leader_`. Replaces the contents of `written_` by the next
/// members whose row `filter_` accepts (rows that were written after a given time), as many as `written_` has space
/// for.
/// Returns: the number of rows stored in `written_`; 0 if no such member is left.
std::size_t ChangedBatches::list_members() {
  const std::span<const Entity> members = leader_->entities();
  std::size_t count = 0;
  for (; row_ != members.size() && count != written_.size(); ++row_) {
    const Place place = matcher_.store().slots().place_of(members[row_].index());
    if (!filter_.look_at(*place.block) || !filter_.holds(place.row)) continue;
    written_[count++] = {members[row_], place.block, place.row, VisitedRow::kNone};
  }
  return count;
}

/// Goes on through the rows of matching tables. Replaces the contents of `written_` by the next rows that `filter_`
/// accepts (rows that were written after a given time), as many as `written_` has space for.
/// Returns: the number of rows stored in `written_`; 0 if no such row is left.
std::size_t ChangedBatches::list_rows() {
  std::size_t count = 0;
  while (count != written_.size() && (row_ != source_.size() || next_block())) {
    const std::uint32_t row = row_++;
    if (filter_.holds(row)) written_[count++] = {source_[row], &blocks_.block(), row, VisitedRow::kNone};
  }
  return count;
}

}  // namespace strata::detail
