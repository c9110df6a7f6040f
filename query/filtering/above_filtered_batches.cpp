#include "above_filtered_batches.hpp"

#include <algorithm>

namespace strata::detail {

bool AboveFilteredBatches::next(Batch& batch) {
  while (row_ == rows_ || !passes(row_)) {
    if (row_ != rows_) {
      ++row_;
    } else if (!next_block()) {
      return false;
    }
  }
  const std::uint32_t last = matcher_.has_related() ? std::min(rows_, row_ + kRun) : rows_;
  std::uint32_t end = is_shared_ ? last : row_ + 1;
  while (end < last && passes(end)) ++end;
  take_columns(matcher_, blocks_, row_, end - row_, batch);
  row_ = end;
  if (!matcher_.has_related()) return true;
  batch.access = Access::columns_gathered;
  for (const std::uint32_t term : matcher_.related_terms()) {
    matcher_.find_related({batch.entities, batch.count}, term, walks_, related_[term].data());
    batch.lanes[term] = related_[term].data();
  }
  return true;
}

/// Goes to the next block that may have matching rows. Sets `rows_` to the block's number of rows, `row_` to 0, and
/// `is_shared_` to whether all rows of the block have the same parent and match, so that they need no further test.
/// Returns: false if no such block is left.
bool AboveFilteredBatches::next_block() {
  while (blocks_.next()) {
    const std::size_t table = blocks_.table();
    if (tested_of_ != blocks_.tables().data() || table >= tested_from_ + Relation::kMostBlocks) test_tables();
    const std::uint32_t bit = 1u << (table - tested_from_);
    is_shared_ = (passing_ & bit) != 0;
    if (!is_shared_ && (differing_ & bit) == 0) continue;
    row_ = 0;
    rows_ = blocks_.block().count;
    return true;
  }
  return false;
}

/// Tests the current table and those after it in the list BlockCursor::tables (tables of one archetype and rank), at
/// most Relation::kMostBlocks in all. Sets `differing_` (a bit for each table whose rows have different parents) and
/// `passing_` (a bit for each table whose rows all have the same parent and pass the filter). The filter tests only the
/// first row of each table. If the rows of the table have the same parent, the result holds for all of them; otherwise,
/// the result is ignored.
void AboveFilteredBatches::test_tables() {
  tested_of_ = blocks_.tables().data();
  tested_from_ = blocks_.table();
  const auto ahead = blocks_.tables().subspan(tested_from_);
  const auto tables = ahead.first(std::min(ahead.size(), Relation::kMostBlocks));
  std::array<const void*, Relation::kMostBlocks> values;
  const ComponentId id = matcher_.terms()[matcher_.above_terms()[0]].id;
  differing_ = matcher_.relation()->find_shared(tables, blocks_.rank(), id, values.data());
  std::array<Entity, Relation::kMostBlocks> firsts;
  std::array<bool, Relation::kMostBlocks> passes;
  for (std::size_t i = 0; i < tables.size(); ++i) firsts[i] = tables[i]->format->entities(*tables[i])[0];
  filter_.test(std::span(firsts).first(tables.size()), passes.data());
  passing_ = 0;
  for (std::size_t i = 0; i < tables.size(); ++i) passing_ |= std::uint32_t{passes[i]} << i;
  passing_ &= ~differing_;
}

}  // namespace strata::detail
