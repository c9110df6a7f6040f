// AboveFilter: tests entities against the terms of a query that filter by the components of their parent or ancestors.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "../../core/compiler.hpp"
#include "../matching/matcher.hpp"
#include "candidates.hpp"

namespace strata::detail {

/// Tests entities against the terms of a query that filter by the components of the parent or an ancestor, such as
/// `With<Up<T>>`. Such terms hand out no value. Works on up to kRun entities at a time.
/// Contract: no structural change while this object is in use.
class AboveFilter {
 public:
  static constexpr std::uint32_t kRun = Candidates::kMost;

  /// `walks` keeps the results of searches through many ancestors, so that they are not repeated for other rows; see
  /// Relation::find_having.
  AboveFilter(const Matcher& matcher, WalkMemo& walks) : matcher_(matcher), walks_(walks) {}
  AboveFilter(const AboveFilter&) = delete;
  AboveFilter& operator=(const AboveFilter&) = delete;

  /// Writes to `passes`, for each entity, whether the entity satisfies all terms that filter by the components of its
  /// parent or ancestors.
  /// Errors: std::bad_alloc, when a search passes many ancestors, because its result is then stored for other rows.
  /// Contract: at most kRun entities.
  void test(std::span<const Entity> entities, bool* passes);

  /// Returns: whether the entity in a row of a block satisfies all terms that filter by the components of its parent or
  /// ancestors. A call also tests the next rows of the block and keeps the results, so calls are fastest in the order
  /// of the rows.
  /// Errors: std::bad_alloc, when a search passes many ancestors, because its result is then stored for other rows.
  /// Contract: Matcher::prepare_above, which updates the cached locations of parents' rows, was called, and no row has
  /// moved since.
  bool passes(const Block& block, std::uint32_t row) {
    if (&block != of_ || row - first_ >= count_) test_rows(block, row);
    return passes_[row - first_];
  }

 private:
  void test_rows(const Block& block, std::uint32_t row);
  void find_in(const Block& block, const Term& term, bool* found);

  const Matcher& matcher_;
  WalkMemo& walks_;
  const Block* of_ = nullptr;  // The block whose rows `passes_` describes.
  std::uint32_t first_ = 0;    // The first row that `passes_` describes.
  std::uint32_t count_ = 0;    // The number of rows that `passes_` describes.
  std::array<bool, kRun> passes_;
};

}  // namespace strata::detail
