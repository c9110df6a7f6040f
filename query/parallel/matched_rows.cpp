#include "matched_rows.hpp"

#include <algorithm>

namespace strata::detail {

std::size_t estimate_rows_of(std::span<Block* const> tables) {
  constexpr std::size_t kSamples = 64;
  const std::size_t looks = std::min(tables.size(), kSamples);
  std::size_t rows = 0;
  for (std::size_t i = 0; i < looks; ++i) rows += table_of(*tables[i * tables.size() / looks]).row_count();
  return looks == 0 ? 0 : rows * tables.size() / looks;
}

namespace {

std::size_t estimate_rows_in_tables(const Matcher& matcher, std::size_t most) {
  std::size_t lists_left = 256;
  std::size_t rows = 0;
  for (const Archetype* const archetype : matcher.occupied()) {
    for (auto list = archetype->ranks().first(); !list.at_end(); list.next()) {
      if (lists_left-- == 0) return most;
      rows += estimate_rows_of(list.tables());
      if (rows >= most) return most;
    }
  }
  return rows;
}

}  // namespace

std::size_t estimate_rows(const Matcher& matcher, std::size_t most) {
  std::size_t rows = most;
  bool needs_pool = false;
  for (std::size_t i = 0; i < matcher.terms().size(); ++i) {
    if (!matcher.in_side_store(i) || !is_required(matcher.terms()[i])) continue;
    const SparsePool* const pool = matcher.store().side().find(matcher.terms()[i].id);
    rows = std::min<std::size_t>(rows, pool != nullptr ? pool->size() : 0);
    needs_pool = true;
  }
  return needs_pool ? rows : estimate_rows_in_tables(matcher, most);
}

}  // namespace strata::detail
