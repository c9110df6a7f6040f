// PairComponents: the components Pair of the sources of relations that are queried.
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

/// Keeps the component Pair of each source of a relation with the option `queried`, by which queries find it.
///
/// Invariants:
///   I8. If a relation is queried, exactly its sources have the component Pair, which leads to the first pair.
///
/// Threads: any number of readers, or one writer.
class PairComponents {
 public:
  explicit PairComponents(Store& store) : store_(store) {}

  /// What the component Pair of a source contains: its first pair.
  struct Shown {
    const PairLists::Head& targets;
    Entity source;
    Entity target;
    std::uint32_t number;
  };

  /// Returns: the pool of the component Pair of a relation; null if it is not queried.
  SparsePool* pool_of(const Pairs& pairs) const noexcept {
    return pairs.options().queried ? store_.side().find(pairs.source_component()) : nullptr;
  }

  /// Gives a source the component Pair, if it does not have it.
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
  /// Makes the component Pair of an entity lead to its first pair; removes it if there is none.
  void update(const Pairs& pairs, Entity source) noexcept;
  /// Updates the components Pair of the ends of a pair that was removed.
  STRATA_NOINLINE void update_ends(const Pairs& pairs, Entity source, Entity target) noexcept;

  /// Returns: the first invariant that does not hold for a relation, as a sentence; empty when all do.
  std::string check(const Pairs& pairs) const;

 private:
  Store& store_;
};

}  // namespace strata::detail
