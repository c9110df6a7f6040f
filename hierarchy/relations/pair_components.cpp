#include "pair_components.hpp"

namespace strata::detail {

void PairComponents::update(const Pairs& pairs, Entity source) noexcept {
  SparsePool* const pool = pool_of(pairs);
  if (pool == nullptr) return;
  const std::span<const Entity> targets = pairs.of(End::source, source);
  if (targets.empty()) return void(pool->erase(source));
  // If the entity was destroyed, it may have lost its component Pair already, before its pairs are removed. Then there
  // is nothing to write.
  if (void* const place = pool->find(source)) {
    write(pairs, place, {pairs.targets_of(source), source, targets.front(), pairs.number(source, 0)});
  }
}

STRATA_NOINLINE void PairComponents::update_ends(const Pairs& pairs, Entity source, Entity target) noexcept {
  update(pairs, source);
  if (pairs.options().symmetric) update(pairs, target);
}

std::string PairComponents::check(const Pairs& pairs) const {
  const SparsePool* const pool = pool_of(pairs);
  if (pool == nullptr) return "";
  std::size_t sources = 0;
  std::string broken;
  pairs.for_each_source([&](Entity source, std::span<const Entity> targets) {
    ++sources;
    const auto* const shown = static_cast<const SourcePairs*>(pool->find(source));
    if (shown == nullptr || shown->target() != targets.front() || shown->targets().data() != targets.data()) {
      broken = "I8: entity " + to_string(source) + " has a wrong component \"" + pool->component().name + '"';
    }
  });
  if (!broken.empty()) return broken;
  return sources == pool->size() ? ""
                                 : "I8: an entity that is no source has \"" + pool->component().name + '"';
}

}  // namespace strata::detail
