// PairReport: notifies observers of the pairs that are added or removed together with entities.
#pragma once

#include <memory_resource>
#include <span>

#include "../../core/observer_list.hpp"
#include "../../core/plain_list.hpp"
#include "../../storage/store.hpp"
#include "pair_observers.hpp"
#include "relation_set.hpp"

namespace strata::detail {

/// The observed pairs that are added or removed because their entities are created or destroyed. They are listed while
/// the change can still fail, and their observers are notified when it cannot fail any more.
///
/// Contract: the listed pairs are there when `notify` is called.
class PairReport {
 public:
  PairReport(Store& store, PairHappening happening)
      : store_(store), happening_(happening), listed_(store.memory()) {}

  /// Lists the observed pairs that have one of these entities at an end: for each entity in turn, those of which it is
  /// the source, and then those of which it is the target. If both ends are given, the pair is listed with its source.
  /// Errors: std::bad_alloc.
  /// Contract: called once; the entities are alive and differ.
  /// Complexity: O(relations); if one is observed, O(n log n + n * relations + their pairs * log n) for n entities.
  void list(const RelationSet& relations, std::span<const Entity> entities);

  /// Notifies the observers of all listed pairs, if changes are reported.
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
