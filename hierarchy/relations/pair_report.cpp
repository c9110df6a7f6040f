#include "pair_report.hpp"

#include <algorithm>
#include <cstdint>

namespace strata::detail {

void PairReport::list(const RelationSet& relations, std::span<const Entity> entities) {
  PlainList<Pairs*> observed(store_.memory());
  for (Pairs* const pairs : relations.all()) {
    if (pairs->size() != 0 && pairs->observes(happening_)) observed.push_back(pairs);
  }
  if (observed.empty()) return;
  PlainList<Entity> sorted(store_.memory());
  for (const Entity entity : entities) sorted.push_back(entity);
  std::sort(sorted.begin(), sorted.end());
  for (const Entity entity : entities) {
    for (Pairs* const pairs : observed) {
      list_targets(*pairs, entity);
      list_sources(*pairs, entity, {sorted.data(), sorted.size()});
    }
  }
}

/// Adds to `listed_` those pairs of the relation `pairs` whose source is `entity`.
void PairReport::list_targets(Pairs& pairs, Entity entity) {
  const std::span<const Entity> targets = pairs.of(End::source, entity);
  for (std::uint32_t i = 0; i < targets.size(); ++i) {
    listed_.push_back({&pairs.observers()->list(happening_), entity, targets[i], pairs.value(entity, i)});
  }
}

/// Adds the pairs of which `entity` is the target to `listed_`. Leaves out pairs whose source is in `sorted`, the
/// entities that were passed to `list`: `list_targets` adds these pairs.
void PairReport::list_sources(Pairs& pairs, Entity entity, std::span<const Entity> sorted) {
  for (const Entity source : pairs.of(End::target, entity)) {
    if (std::binary_search(sorted.begin(), sorted.end(), source)) continue;
    listed_.push_back(
        {&pairs.observers()->list(happening_), source, entity, pairs.find_value(source, entity)});
  }
}

void PairReport::notify() noexcept {
  if (!store_.listened()) return;
  for (const Listed& pair : listed_)
    store_.listener()->call_observers(*pair.observers, pair.source, pair.value, &pair.target);
}

}  // namespace strata::detail
