// PairReport: notifies observers of the pairs that are added or removed because entities are created or destroyed.
#pragma once

#include <memory_resource>
#include <span>

#include "../../core/observer_list.hpp"
#include "../../core/plain_list.hpp"
#include "../../storage/store.hpp"
#include "pair_observers.hpp"
#include "relation_set.hpp"

namespace strata::detail {

/// Notifies observers of pairs that are added or removed because their entities are created or destroyed. `list` lists
/// these pairs. It may fail, so it is called while the change can still be undone. `notify` is called when the change
/// cannot fail any more.
///
/// Contract: the listed pairs exist when `notify` is called: pairs that the change removes are not removed yet.
class PairReport {
 public:
  PairReport(Store& store, PairHappening happening)
      : store_(store), happening_(happening), listed_(store.memory()) {}

  /// Lists the observed pairs of which one of these entities is the source or the target: entity by entity and, for
  /// each entity, relation by relation. For each relation, the pairs of which the entity is the source come first, then
  /// those of which it is the target. If both the source and the target of a pair are in `entities`, the pair is listed
  /// once, among the pairs of its source.
  /// Errors: std::bad_alloc.
  /// Contract: called once; the entities are alive and differ.
  /// Complexity: O(r) for r relations; if one of them is observed, O(n log n + n * r + p * log n) for n entities with p
  /// pairs, plus a search (Pairs::find) for each pair whose target is in `entities`, but not its source.
  void list(const RelationSet& relations, std::span<const Entity> entities);

  /// Notifies the observers of all listed pairs. Does nothing if Store::listened is false: the world has no observers,
  /// or notifications are paused.
  void notify() noexcept;

 private:
  struct Listed {
    ObserverList* observers;
    Entity source;
    Entity target;
    void* value;
  };

  void list_sources(Pairs& pairs, Entity entity, std::span<const Entity> sorted);
  void list_targets(Pairs& pairs, Entity entity);

  Store& store_;
  PairHappening happening_;
  PlainList<Listed> listed_;
};

}  // namespace strata::detail
