// The part of RelationSet that notifies observers of pairs.
#include "relation_set.hpp"

namespace strata::detail {

ObserverList& RelationSet::observers(Pairs& pairs, PairHappening happening, ObserverCount& count) {
  return pairs.observe(store_.memory(), count).list(happening);
}

void RelationSet::end_observers() noexcept {
  for (Pairs* const pairs : all()) {
    if (pairs->observers() == nullptr) continue;
    for (const PairHappening happening : {PairHappening::add, PairHappening::remove})
      pairs->observers()->list(happening).end_all();
  }
}

void RelationSet::notify_all_removed() noexcept {
  for (std::size_t i = 0; i < all_.size(); ++i) {  // By index: an observer may append to `all_`.
    Pairs* const pairs = all_[i];
    if (!pairs->observes(PairHappening::remove)) continue;
    ObserverList& observers = pairs->observers()->list(PairHappening::remove);
    pairs->for_each_source([&](Entity source, std::span<const Entity> targets) {
      for (std::uint32_t k = 0; k < targets.size(); ++k)
        store_.listener()->call_observers(observers, source, pairs->value(source, k), &targets[k]);
    });
  }
}

/// Notifies the observers that a pair was added or is about to be removed. If the relation is symmetric, also notifies
/// them about the reverse pair, from the target to the source. Does nothing if Store::listened is false: the world has
/// no observers, or notifications are paused.
/// Contract: the pair exists, and Pairs::observe was called for the relation.
void RelationSet::notify(Pairs& pairs, PairHappening happening, Entity source, Entity target) noexcept {
  ObserverList& observers = pairs.observers()->list(happening);
  if (!observers.any() || !store_.listened()) return;
  void* const value = pairs.find_value(source, target);
  store_.listener()->call_observers(observers, source, value, &target);
  if (pairs.options().symmetric) store_.listener()->call_observers(observers, target, value, &source);
}

/// Called before the pair from `source` to `target` is added to an exclusive relation (in which a source has at most
/// one target). The new pair replaces the pair that `source` has and, if the relation is symmetric, the pair that
/// `target` has. Notifies the observers that these are about to be removed.
void RelationSet::notify_displaced(Pairs& pairs, Entity source, Entity target) noexcept {
  const auto notify_of = [&](Entity entity) {
    const std::span<const Entity> targets = pairs.of(End::source, entity);
    if (!targets.empty()) notify(pairs, PairHappening::remove, entity, targets.front());
  };
  notify_of(source);
  if (pairs.options().symmetric) notify_of(target);
}

/// Does the work of `add_plain`, which adds a pair without a value, if the relation has or had observers.
STRATA_COLD STRATA_NOINLINE void RelationSet::add_plain_observed(Pairs& pairs, Entity source, Entity target) {
  add_observed(pairs, source, target, {pairs.id(), nullptr, nullptr});
}

/// Removes a pair of a relation that has or had observers. First, if the relation is stored in tables, moves the row of
/// `source` out of the table for `target`. Then notifies the observers, removes the pair, and destroys its value.
STRATA_COLD STRATA_NOINLINE void RelationSet::remove_observed(Pairs& pairs, const Pairs::Found& found,
                                                              Entity source, Entity target) {
  if (pairs.tags() != nullptr) tables_.leave(pairs, source, {&target, 1});
  notify(pairs, PairHappening::remove, source, target);
  remove_pair(pairs, found, source, target);
  end_observed_change();
}

/// Notifies the observers that the pairs of one relation of which `entity` is the source (End::source) or the target
/// (End::target) are about to be removed. Goes through the entity's list of these pairs from the end to the front.
void RelationSet::notify_listed(Pairs& pairs, End end, Entity entity) noexcept {
  const std::span<const Entity> others = pairs.of(end, entity);
  for (std::size_t i = others.size(); i-- > 0;) {
    const bool is_source = end == End::source;
    notify(pairs, PairHappening::remove, is_source ? entity : others[i], is_source ? others[i] : entity);
  }
}

/// Ends a change about which observers were notified: destroys the values of removed pairs, and applies the commands
/// that the observers have recorded.
/// Errors: the first exception of an observer; the change is complete then.
void RelationSet::end_observed_change() {
  destroy_dead();
  store_.change_ended();
  store_.listener()->finish();
}

}  // namespace strata::detail
