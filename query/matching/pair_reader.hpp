// PairReader: the interface through which queries read the pairs of relations. A pair links a source entity to a target
// entity.
#pragma once

#include <span>
#include <vector>

#include "../../core/component.hpp"
#include "../../core/entity.hpp"
#include "../../core/registry.hpp"
#include "runtime_term.hpp"
#include "walk_memo.hpp"

namespace strata::detail {

/// Returns: the id of the relation R: kChildOf for ChildOf, otherwise the id of the component R, even if R was not
/// registered as a relation (see PairReader::knows). Registry::kUnknown if R is not registered as a component.
template <class R>
ComponentId find_relation(const Registry& registry) {
  if constexpr (std::is_same_v<R, strata::ChildOf>) {
    return kChildOf;
  } else {
    return registry.find_or_unknown<R>();
  }
}

/// The target of a pair, and a pointer to the value of the pair; null if pairs of the relation have no value.
struct PairTarget {
  Entity target;
  const void* value;
};

/// The interface through which queries read the pairs of relations. A pair of a relation links a source entity to a
/// target entity, and may have a value. A relation is identified by its id: the id of a component, or kChildOf. If
/// `knows` is false for an id, the functions below find no pairs for this id.
///
/// Threads: any number of readers.
class PairReader {
 public:
  PairReader() = default;
  PairReader(const PairReader&) = delete;
  PairReader& operator=(const PairReader&) = delete;
  virtual ~PairReader() = default;

  /// Returns: whether `relation` is the id of a relation.
  virtual bool knows(ComponentId relation) const = 0;
  /// Returns: whether the relation allows each entity at most one target; also true if `knows` is false for this id.
  virtual bool is_exclusive(ComponentId relation) const = 0;
  /// Returns: whether there is a pair from `source` to `target`; false if one of these entities is stale.
  virtual bool has(ComponentId relation, Entity source, Entity target) const = 0;
  /// Returns: the entities that have a pair to `target`, in the order of Relations::sources. The span may point into
  /// `buffer`, which is empty before the call.
  /// Errors: std::bad_alloc.
  /// Invalidates: the span, by any change of the relation.
  /// Complexity: O(result) for the relation ChildOf, otherwise O(1).
  virtual std::span<const Entity> list_sources(ComponentId relation, Entity target,
                                               std::vector<Entity>& buffer) const = 0;
  /// Replaces the contents of `targets` by the targets and values of all pairs of `source`, in the order of
  /// Relations::targets.
  /// Errors: std::bad_alloc.
  /// Complexity: O(pairs of `source`).
  virtual void list_targets(ComponentId relation, Entity source, std::vector<PairTarget>& targets) const = 0;
  /// Writes to `values`, for each row, a pointer to the value of component `id` on the nearest entity that has the
  /// component; null if there is none. The search goes from the row's entity to the entity's target, then to the target
  /// of that target, and so on. In a cycle, the nearest entity may be the row's entity itself. `memo` keeps the results
  /// of long searches for later calls. Searches through ancestors may use the same memo and keep their results under
  /// `id`, so this function keeps its results under another id, `key`.
  /// Errors: std::bad_alloc.
  /// Contract: `is_exclusive` returns true for `relation`. This includes ids for which `knows` returns false. For
  /// these, all pointers are null.
  /// Complexity: O(rows + entities that are reached) for all calls with one memo and key together.
  virtual void find_nearest(ComponentId relation, std::span<const Entity> rows, ComponentId id,
                            ComponentId key, WalkMemo& memo, const void** values) const = 0;
};

}  // namespace strata::detail
