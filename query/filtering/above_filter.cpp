#include "above_filter.hpp"

#include <algorithm>

namespace strata::detail {
namespace {

/// Writes to `found`, for `count` rows of a block from row `first` on, whether the row's parent has component `id`,
/// which is stored in tables. `origins` is the block's cache of the locations of the parents' rows.
void find_by_origins(const Origins& origins, std::uint32_t first, std::uint32_t count, ComponentId id,
                     bool* found) {
  if (origins.form == Origins::Form::places) {
    const BlockFormat* format = nullptr;  // Neighbours often have parents of the same archetype.
    bool has = false;
    for (std::uint32_t i = 0; i < count; ++i) {
      const BlockFormat* const next = origins.blocks()[first + i]->format;
      if (next != format) has = next->contains(id);
      format = next;
      found[i] = has;
    }
    return;
  }
  const std::span<const OriginSegment> segments = origins.segments();
  auto segment =
      std::upper_bound(segments.begin(), segments.end(), first,
                       [](std::uint32_t row, const OriginSegment& one) { return row < one.first; });
  --segment;
  for (std::uint32_t i = 0; i < count; ++segment) {
    const std::uint32_t end = std::min(segment->first + segment->count - first, count);
    std::fill(found + i, found + end, segment->origin->format->contains(id));
    i = end;
  }
}

}  // namespace

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

void AboveFilter::test_rows(const Block& block, std::uint32_t row) {
  of_ = &block;
  first_ = row;
  count_ = std::min(block.count - row, kRun);
  std::array<bool, kRun> found;
  std::fill_n(passes_.data(), count_, true);
  for (const std::uint32_t position : matcher_.above_terms()) {
    const Term& term = matcher_.terms()[position];
    find_in(block, term, found.data());
    const bool wanted = requires_above(term);
    for (std::uint32_t i = 0; i < count_; ++i) passes_[i] = passes_[i] && found[i] == wanted;
  }
}

/// Writes to `found`, for the `count_` rows of the block from row `first_` on, whether the row's parent has the term's
/// component. For a term that tests ancestors, writes whether the parent or a further ancestor has it.
void AboveFilter::find_in(const Block& block, const Term& term, bool* found) {
  const std::span<const Entity> entities(block.format->entities(block) + first_, count_);
  const bool sparse = matcher_.store().registry().describe_asked(term.id).storage == Storage::sparse;
  const Origins* const origins = sparse ? nullptr : Relation::find_origins(block);
  if (origins == nullptr) {
    return matcher_.relation()->find_having(entities, term.id, reach_of(term), walks_, found);
  }
  find_by_origins(*origins, first_, count_, term.id, found);
  if (reach_of(term) == Reach::parent) return;
  for (std::uint32_t i = 0; i < count_;) {  // If the parent lacks the component, an ancestor may have it.
    std::uint32_t end = i;
    while (end < count_ && !found[end]) ++end;
    if (end != i) {
      matcher_.relation()->find_having(entities.subspan(i, end - i), term.id, Reach::ancestors, walks_,
                                       found + i);
    }
    i = end;
    while (i < count_ && found[i]) ++i;
  }
}

}  // namespace strata::detail
