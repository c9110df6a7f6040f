// NamedRows: visits those entities of a given list that match a query.
#pragma once

#include <array>
#include <span>

#include "../../core/compiler.hpp"
#include "../matching/visit_lock.hpp"
#include "gathered_rows.hpp"

namespace strata::detail {

/// Hands out those entities of a list that match a query, in the order of the list, as batches. Leaves out
/// stale entities, and hands out an entity each time that the list names it.
/// Contract: no structural change while this object is in use, and no change of the list.
class NamedRows {
 public:
  NamedRows(const Matcher& matcher, std::span<const Entity> entities)
      : slots_(matcher.store().slots()), rest_(entities), rows_(matcher) {}
  NamedRows(const NamedRows&) = delete;
  NamedRows& operator=(const NamedRows&) = delete;

  /// Fills `batch` with the next matching rows, at least one.
  /// Returns: false if no matching row is left.
  /// Errors: std::bad_alloc, when an `Up` term searches through many ancestors.
  /// Invalidates: the previous batch.
  STRATA_API bool next(Batch& batch);

 private:
  std::span<const Entity> next_run();

  const Slots& slots_;
  std::span<const Entity> rest_;  // The part of the list that was not visited yet.
  GatheredRows rows_;
  union {
    std::array<Entity, GatheredRows::kRun> alive_entities_;  // In a union: not initialised.
  };
};

/// Calls `visit(const Batch&)` for each batch that NamedRows hands out for the list `entities`: the rows of those that
/// match the query, in the order of the list. Structural changes are refused meanwhile. Not inlined, so that the Batch
/// takes no space on the caller's stack.
template <class Visit>
STRATA_NOINLINE void for_each_named_batch(const Matcher& matcher, std::span<const Entity> entities,
                                          Visit&& visit) {
  const Matcher::VisitLock lock(matcher);
  Batch batch;
  const Borrowed<NamedRows> rows(matcher.scratch(), matcher, entities);
  while (rows->next(batch)) visit(std::as_const(batch));
}

}  // namespace strata::detail
