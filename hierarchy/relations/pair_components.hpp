// PairComponents: adds, updates and removes the component Pair of the sources of relations.
#pragma once

#include <cstdint>
#include <new>
#include <string>

#include "../../core/compiler.hpp"
#include "../../core/entity.hpp"
#include "../../storage/store.hpp"
#include "pair.hpp"
#include "pairs.hpp"

namespace strata::detail {

/// Adds, updates and removes the component Pair in relations that have the option `queried`. In such a relation, every
/// source (an entity from which a pair leads to another entity) has this component, so that queries find it.
///
/// Invariants:
///   I8. If a relation has the option `queried`, exactly its sources have the component Pair, and the component
///       contains the first pair of its source.
///
/// Threads: any number of readers, or one writer.
class PairComponents {
 public:
  explicit PairComponents(Store& store) : store_(store) {}

  /// What the component Pair of a source is to contain: its list of targets, and its first pair. `number` is the number
  /// by which PairValues identifies the value of that pair.
  struct Shown {
    const PairLists::Head& targets;
    Entity source;
    Entity target;
    std::uint32_t number;
  };

  /// Returns: the pool of the component Pair of a relation; null if the relation does not have the option `queried`.
  SparsePool* pool_of(const Pairs& pairs) const noexcept {
    return pairs.options().queried ? store_.side().find(pairs.source_component()) : nullptr;
  }

  /// Gives a source the component Pair, if it does not have this component yet.
  /// Errors: std::bad_alloc; nothing has changed then.
  void add(const Pairs& pairs, const Shown& shown) {
    const SparsePool::Inserted inserted = pool_of(pairs)->insert(shown.source);
    if (!inserted.existed) write(pairs, inserted.value, shown);
  }
  /// Writes the component Pair of a source to `place`.
  void write(const Pairs& pairs, void* place, const Shown& shown) noexcept {
    if (pairs.component().is_tag()) {
      ::new (place) SourcePairs(shown.target, shown.targets);
    } else {
      ::new (place) SourcePairsWithValues(shown.target, shown.targets, pairs.value(shown.number));
    }
  }
  /// Updates the component Pair of an entity after the pairs of which it is the source have changed. If there are pairs
  /// left, and the entity has the component, writes the first pair to the component. If there is none left, removes the
  /// component.
  void update(const Pairs& pairs, Entity source) noexcept;
  /// Called after a pair was removed: updates the component Pair of its source. In a symmetric relation, updates that
  /// of its target, too.
  STRATA_NOINLINE void update_ends(const Pairs& pairs, Entity source, Entity target) noexcept;

  /// Returns: the first invariant that does not hold for a relation, as a sentence; empty when all do.
  std::string check(const Pairs& pairs) const;

 private:
  Store& store_;
};

}  // namespace strata::detail
