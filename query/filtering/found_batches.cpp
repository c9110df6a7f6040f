#include "found_batches.hpp"

#include <utility>

namespace strata::detail {

FoundBatches::FoundBatches(const Matcher& matcher, const Selection& selection)
    : batches_(batches_for(matcher, selection)) {}

FoundBatches::Batches FoundBatches::batches_for(const Matcher& matcher, const Selection& selection) {
  const auto borrowed = [&]<class Kind>(std::in_place_type_t<Kind> kind) {
    return Batches(kind, matcher.scratch(), matcher, selection);
  };
  if (selection.scope == Scope::paired) return borrowed(std::in_place_type<Borrowed<PairedBatches>>);
  if (selection.scope == Scope::children) {
    const RelatedChain children = matcher.relation()->chain_of(selection.parent);
    return Batches(std::in_place_type<ChildBatches>, matcher, children);
  }
  if (matcher.uses_side_store()) return borrowed(std::in_place_type<Borrowed<FilteredBatches>>);
  if (matcher.has_above_terms()) return borrowed(std::in_place_type<Borrowed<AboveFilteredBatches>>);
  return Batches(std::in_place_type<TableBatches>, matcher, selection);
}

bool FoundBatches::next_of_others(Batch& batch) {
  if (auto* const children = std::get_if<ChildBatches>(&batches_)) return children->next(batch);
  if (auto* const filtered = std::get_if<Borrowed<FilteredBatches>>(&batches_))
    return (*filtered)->next(batch);
  if (auto* const above = std::get_if<Borrowed<AboveFilteredBatches>>(&batches_))
    return (*above)->next(batch);
  return (*std::get_if<Borrowed<PairedBatches>>(&batches_))->next(batch);
}

}  // namespace strata::detail
