#include "row_view.hpp"

namespace strata::detail {
namespace {

void require_value(const Matcher& matcher, std::size_t term) {
  STRATA_EXPECTS(term < matcher.terms().size(), "a query of " + std::to_string(matcher.terms().size()) +
                                                    " terms has no term " + std::to_string(term) +
                                                    " (they are counted from 0)");
  const Role role = matcher.terms()[term].role;
  STRATA_EXPECTS(role == Role::value || role == Role::optional,
                 "term " + std::to_string(term) + " of a query does not hand out a value of the entity");
}

void require_related(const Matcher& matcher, std::size_t term) {
  STRATA_EXPECTS(
      term < matcher.terms().size() && is_related(matcher.terms()[term]),
      "term " + std::to_string(term) + " of a query does not hand out a value of a parent or ancestor");
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

std::span<std::byte> ConstBlockView::find_bytes(std::size_t term) const {
  require_value(matcher_, term);
  auto* const column = static_cast<std::byte*>(batch_.lanes[term]);
  if (column == nullptr) return {};
  const std::size_t size = matcher_.value_size(term);
  return {column + run_.first * size, run_.count * size};
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

void* ConstRowView::find_value(std::size_t term) const {
  require_value(matcher_, term);
  if (batch_.access == Access::gathered) return static_cast<void* const*>(batch_.lanes[term])[row_];
  auto* const column = static_cast<std::byte*>(batch_.lanes[term]);
  if (column == nullptr) return nullptr;
  const std::uint32_t row = batch_.access == Access::columns_picked ? batch_.picks[term][row_] : row_;
  return column + row * matcher_.value_size(term);
}

const void* ConstRowView::related(std::size_t term) const {
  require_related(matcher_, term);
  return related_value(matcher_, batch_, term, row_, origin_);
}

}  // namespace strata::detail
