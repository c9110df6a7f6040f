#include "row_view.hpp"

namespace strata::detail {
namespace {

/// Reports that a contract is broken: the query has no term at position `term`, or this term hands out no value of the
/// visited entity itself, or it hands out a value that is not writable although the caller writes (`writes`). Not
/// inlined, so that the callers, which have found that the contract is broken, are short.
STRATA_NOINLINE void refuse_value(const Matcher& matcher, std::size_t term, bool writes) {
  STRATA_EXPECTS(term < matcher.terms().size(), "a query of " + std::to_string(matcher.terms().size()) +
                                                    " terms has no term " + std::to_string(term) +
                                                    " (they are counted from 0)");
  STRATA_EXPECTS(
      has_own_value(matcher.terms()[term]),
      "term " + std::to_string(term) +
          " of a query does not hand out a value of the entity: for a parent or ancestor, call related");
  STRATA_EXPECTS(!writes, "term " + std::to_string(term) +
                              " of a query only reads: call read, read_bytes or values<const T>");
}

STRATA_ALWAYS_INLINE inline void require_value(const Matcher& matcher, std::size_t term) {
  if (term >= matcher.terms().size() || !has_own_value(matcher.terms()[term])) [[unlikely]]
    refuse_value(matcher, term, false);
}

STRATA_ALWAYS_INLINE inline void require_writable(const Matcher& matcher, std::size_t term) {
  if (term >= matcher.terms().size() || !writes_own_value(matcher.terms()[term])) [[unlikely]]
    refuse_value(matcher, term, true);
}

/// Returns: a pointer to the value that the term hands out for a row; null if the entity has none.
/// Contract: the term gives values of the entity itself.
STRATA_ALWAYS_INLINE inline void* find_in_row(const Matcher& matcher, const Batch& batch, std::size_t term,
                                              std::uint32_t row) {
  if (batch.access == Access::gathered) return static_cast<void* const*>(batch.lanes[term])[row];
  auto* const column = static_cast<std::byte*>(batch.lanes[term]);
  if (column == nullptr) return nullptr;
  const std::uint32_t position = batch.access == Access::columns_picked ? batch.picks[term][row] : row;
  return column + position * matcher.value_size(term);
}

/// Returns: the bytes of the values that the term hands out for a run of rows; empty if the rows have none.
/// Contract: the term gives values of the entity itself.
std::span<std::byte> find_in_run(const Matcher& matcher, const Batch& batch, std::size_t term, Run run) {
  auto* const column = static_cast<std::byte*>(batch.lanes[term]);
  if (column == nullptr) return {};
  const std::size_t size = matcher.value_size(term);
  return {column + run.first * size, run.count * size};
}

void require_related(const Matcher& matcher, std::size_t term) {
  STRATA_EXPECTS(term < matcher.terms().size() && is_related(matcher.terms()[term]),
                 "term " + std::to_string(term) +
                     " of a query does not hand out a value of a parent or ancestor: call read or value");
}

const void* related_value(const Matcher& matcher, const Batch& batch, std::size_t term, std::uint32_t row,
                          std::uint16_t origin) {
  const auto* const column = static_cast<const std::byte*>(batch.lanes[term]);
  const std::size_t size = matcher.value_size(term);
  switch (batch.access) {
    case Access::columns:
      return column;
    case Access::columns_grouped:
      return column + origin * size;
    case Access::columns_indexed:
      return column + batch.origin_rows[row] * size;
    default:
      return static_cast<const void* const*>(batch.lanes[term])[row];
  }
}

}  // namespace

std::span<const std::byte> ConstBlockView::read_bytes(std::size_t term) const {
  require_value(matcher_, term);
  return find_in_run(matcher_, batch_, term, run_);
}

std::span<std::byte> ConstBlockView::find_writable_bytes(std::size_t term) const {
  require_writable(matcher_, term);
  return find_in_run(matcher_, batch_, term, run_);
}

const void* ConstBlockView::related(std::size_t term, std::uint32_t row) const {
  require_related(matcher_, term);
  STRATA_EXPECTS(row < run_.count,
                 "a block of " + std::to_string(run_.count) + " rows has no row " + std::to_string(row));
  return related_value(matcher_, batch_, term, run_.first + row, run_.origin);
}

void ConstBlockView::require_size(std::size_t term, std::size_t size) const {
  STRATA_EXPECTS(size == matcher_.value_size(term),
                 "the values of \"" + matcher_.store().registry()[matcher_.terms()[term].id].name +
                     "\" have " + std::to_string(matcher_.value_size(term)) + " bytes, not " +
                     std::to_string(size));
}

const void* ConstRowView::read(std::size_t term) const {
  require_value(matcher_, term);
  return find_in_row(matcher_, batch_, term, row_);
}

void* ConstRowView::find_writable(std::size_t term) const {
  require_writable(matcher_, term);
  return find_in_row(matcher_, batch_, term, row_);
}

const void* ConstRowView::related(std::size_t term) const {
  require_related(matcher_, term);
  return related_value(matcher_, batch_, term, row_, origin_);
}

}  // namespace strata::detail
