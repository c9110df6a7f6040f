// PairComponents: adds the component Pair, by which queries find entities with targets in a relation, to an entity with
// its first target. Updates the component when the targets change, and removes it with the last one.
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

  /// What the component Pair of `source` contains: `targets`, the list of all targets of `source`, and the first pair
  /// in this list. That pair leads to `target`, and its value is the one with the number `number` (see PairValues).
  struct Shown {
    const PairLists::Head& targets;
    Entity source;
    Entity target;
    std::uint32_t number;
  };

  /// Returns: the pool (sparse set) of the component Pair of a relation; null if the relation does not have the option
  /// `queried`.
  SparsePool* pool_of(const Pairs& pairs) const noexcept {
    return pairs.options().queried ? store_.side().find(pairs.source_component()) : nullptr;
  }

  /// Gives the entity `shown.source` the component Pair with the contents `shown`. Does nothing if the entity has the
  /// component already.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: the relation has the option `queried`.
  void add(const Pairs& pairs, const Shown& shown) {
    const SparsePool::Inserted inserted = pool_of(pairs)->insert(shown.source);
    if (!inserted.existed) write(pairs, inserted.value, shown);
  }
  /// Writes the component Pair of the source `shown.source` to the memory at `place`, with the contents `shown`.
  void write(const Pairs& pairs, void* place, const Shown& shown) noexcept {
    if (pairs.component().is_tag()) {
      ::new (place) SourcePairs(shown.target, shown.targets);
    } else {
      ::new (place) SourcePairsWithValues(shown.target, shown.targets, pairs.value(shown.number));
    }
  }
  /// Updates the component Pair of an entity after the pairs of which the entity is the source have changed. If pairs
  /// are left, writes the first one to the component. (An entity that was destroyed may have lost the component
  /// already; then nothing is written.) If no pair is left, removes the component.
  void update(const Pairs& pairs, Entity source) noexcept;
  /// Called after a pair was removed: updates the component Pair of the source. In a symmetric relation, in which each
  /// pair has a reverse pair, also updates the component Pair of the target.
  STRATA_NOINLINE void update_ends(const Pairs& pairs, Entity source, Entity target) noexcept;

  /// Returns: a sentence about the first invariant that does not hold for a relation; an empty string if all hold.
  std::string check(const Pairs& pairs) const;

 private:
  Store& store_;
};

}  // namespace strata::detail
