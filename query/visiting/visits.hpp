// Visits: the rows of a query batch by batch, and checks that need no values.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "../../core/compiler.hpp"
#include "../batches/child_batches.hpp"
#include "../batches/table_batches.hpp"
#include "../filtering/filtered_batches.hpp"
#include "../matching/direction.hpp"
#include "../matching/selection.hpp"
#include "iteration_report.hpp"

namespace strata::detail {

constexpr Order order_of(Direction direction) {
  return direction == Direction::down ? Order::down : Order::up;
}

/// Calls `visit(const Batch&)` for every batch of matching rows, with the general method. Not inlined,
/// because its batches take stack.
template <class Visit>
STRATA_NOINLINE void for_each_found_batch(const Matcher& matcher, Order order, Visit& visit) {
  Batch batch;
  if (matcher.uses_side_store()) {
    const Borrowed<FilteredBatches> batches(matcher.scratch(), matcher, order);
    while (batches->next(batch)) visit(std::as_const(batch));
  } else {
    for (TableBatches batches(matcher, order); batches.next(batch);) visit(std::as_const(batch));
  }
}

/// Calls `visit(const Batch&)`, or `visit(const BlockRows&)` if it takes those, for every batch of matching
/// rows. Refuses structural changes meanwhile.
template <class Visit>
STRATA_ALWAYS_INLINE inline void for_each_batch(const Matcher& matcher, Order order, Visit&& visit) {
  const Matcher::VisitLock lock(matcher);
  if (order == Order::any && matcher.only_columns()) {
    for_each_column_batch(matcher, visit);
  } else {
    for_each_found_batch(matcher, order, visit);
  }
}

/// Calls `visit(const Batch&)` for every batch of matching children. Not inlined, as above.
template <class Visit>
STRATA_NOINLINE void for_each_found_child_batch(const Matcher& matcher, RelatedChain children, Visit& visit) {
  Batch batch;
  for (ChildBatches batches(matcher, children); batches.next(batch);) visit(std::as_const(batch));
}

/// As for_each_batch, for the matching entities of a list of children.
template <class Visit>
void for_each_child_batch(const Matcher& matcher, RelatedChain children, Visit&& visit) {
  const Matcher::VisitLock lock(matcher);
  for_each_found_child_batch(matcher, children, visit);
}

/// Calls `visit(const BlockRun&)` for the matching children, if beginning and ending that visit costs almost
/// nothing. That matters because most families are small.
/// Returns: false if it costs more; nothing has been visited then.
template <class Visit>
STRATA_ALWAYS_INLINE inline bool try_visit_children(const Matcher& matcher, RelatedChain children,
                                                    Visit&& visit) {
  if (!matcher.is_ready()) [[unlikely]]
    return false;
  const ChangeGuard::ShortIteration lock(matcher.store().guard());
  if (!lock.is_held()) [[unlikely]]
    return false;
  const Matcher::Nested nested(matcher);
  for (ChildRuns runs(matcher, children); runs.next();) visit(runs.rows());
  return true;
}

/// Updates a query's matches and related data, and reports the iteration to the observer. A cascade of a
/// query that may write to the world may move rows first.
inline void start(Matcher& matcher, Selection selection, bool may_write, bool as_blocks = false) {
  if (may_write && selection.order != Order::any) matcher.begin_cascade();
  matcher.refresh();
  if (matcher.store().observer() != nullptr) [[unlikely]]
    report_iteration(matcher, selection, as_blocks);
  if (!selection.of_family) matcher.prepare();
}

std::size_t count_rows(const Matcher& matcher, Selection selection);
Entity find_first(const Matcher& matcher, Selection selection);

/// Returns: whether the query visits the entity; false when it is stale.
bool contains(const Matcher& matcher, Selection selection, Entity entity);

/// Updates the query's matches, too.
/// Contract: no term uses the side store, whose values are not in blocks.
void require_tables(Matcher& matcher);

[[noreturn]] void refuse_families();

/// Contract: the query has a relation that can list children.
inline void require_families(const Matcher& matcher) {
  if (matcher.relation() == nullptr || !matcher.relation()->knows_chains()) [[unlikely]]
    refuse_families();
}

}  // namespace strata::detail
