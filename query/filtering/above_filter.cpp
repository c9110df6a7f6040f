#include "above_filter.hpp"

#include <algorithm>

namespace strata::detail {

void AboveFilter::test(std::span<const Entity> entities, bool* passes) {
  std::array<bool, kRun> found;
  std::fill_n(passes, entities.size(), true);
  for (const std::uint32_t position : matcher_.above_terms()) {
    const Term& term = matcher_.terms()[position];
    matcher_.relation()->find_having(entities, term.id, reach_of(term), walks_, found.data());
    const bool wanted = requires_above(term);
    for (std::size_t i = 0; i < entities.size(); ++i) passes[i] = passes[i] && found[i] == wanted;
  }
}

void AboveFilter::test_from(std::span<const Entity> entities, std::uint32_t row) {
  of_ = entities.data();
  first_ = row;
  count_ = std::min(static_cast<std::uint32_t>(entities.size()) - row, kRun);
  test(entities.subspan(first_, count_), passes_.data());
}

}  // namespace strata::detail
