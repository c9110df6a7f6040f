// Visits: calls a function for all rows that match a query, or for the matching children of one entity; counts and
// finds entities.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../../core/compiler.hpp"
#include "../batches/child_runs.hpp"
#include "../batches/table_batches.hpp"
#include "../filtering/found_batches.hpp"
#include "../matching/direction.hpp"
#include "../matching/selection.hpp"
#include "../matching/visit_lock.hpp"
#include "iteration_report.hpp"

namespace strata::detail {

constexpr Order order_of(Direction direction) {
  return direction == Direction::down ? Order::down : Order::up;
}

/// Calls `visit(const Batch&)` for every batch of matching rows of the selection. This function serves every query and
/// selection; for_each_batch has a faster way for simple queries. Not inlined, so that its local variables take no
/// stack of the caller.
/// Contract: the caller has locked the store against structural changes (see Matcher::VisitLock).
template <class Visit>
STRATA_NOINLINE void for_each_found_batch(const Matcher& matcher, const Selection& selection, Visit& visit) {
  Batch batch;
  for (FoundBatches batches(matcher, selection); batches.next(batch);) visit(std::as_const(batch));
}

/// Calls `visit` with every batch of matching rows of the selection. The batches are of the type BlockRows under three
/// conditions: `visit` takes a BlockRows, the order is Order::any, and all values are in columns of the entities' own
/// blocks. Otherwise the batches are of the type Batch. During the visit, the store refuses structural changes.
/// Contract: the selection is restricted neither to the children of an entity nor to entities with pairs.
template <class Visit>
STRATA_ALWAYS_INLINE inline void for_each_batch(const Matcher& matcher, const Selection& selection,
                                                Visit&& visit) {
  const Matcher::VisitLock lock(matcher);
  if (selection.order == Order::any && matcher.only_columns()) {
    for_each_column_batch(matcher, visit);
  } else {
    for_each_found_batch(matcher, selection, visit);
  }
}

/// Calls `visit(const Batch&)` for every batch of matching rows of a selection that is restricted to the children of an
/// entity or to entities with pairs. During the visit, the store refuses structural changes.
template <class Visit>
void for_each_related_batch(const Matcher& matcher, const Selection& selection, Visit&& visit) {
  const Matcher::VisitLock lock(matcher);
  for_each_found_batch(matcher, selection, visit);
}

/// A fast way to visit children, for simple cases: calls `visit(const BlockRun&)` for the matching entities in a list
/// of children. It matters because most entities have few children, so that preparing a visit takes longer than the
/// visit. Visits nothing if the visit needs preparation (see Matcher::is_ready), or if locking the store against
/// structural changes is not cheap (see ChangeGuard::ShortIteration), for example because recorded commands have to be
/// applied when the store is unlocked.
/// Returns: whether the children were visited; if not, `visit` was not called.
template <class Visit>
STRATA_ALWAYS_INLINE inline bool try_visit_children(const Matcher& matcher, RelatedChain children,
                                                    Visit&& visit) {
  if (!matcher.is_ready()) [[unlikely]]
    return false;
  const ChangeGuard::ShortIteration lock(matcher.store().guard(), matcher.describe_use());
  if (!lock.is_held()) [[unlikely]]
    return false;
  const Matcher::Nested nested(matcher);
  for (ChildRuns runs(matcher, children); runs.next();) visit(runs.rows());
  return true;
}

/// Prepares a query for an iteration: updates its matches, and reports the iteration to the store's AccessObserver, if
/// it has one. With Scope::all, also updates the cached locations of parents' rows. If `may_write` is true and the
/// visit is by depth, first calls Matcher::begin_cascade, which may move rows into the order of their parents' rows.
/// `as_blocks` is for the report: true if the visiting function receives blocks, false if it receives rows.
inline void start(Matcher& matcher, Selection selection, bool may_write, bool as_blocks = false) {
  if (may_write && selection.order != Order::any) matcher.begin_cascade();
  matcher.refresh();
  if (matcher.store().observer() != nullptr) [[unlikely]]
    report_iteration(matcher, selection, as_blocks);
  if (selection.scope == Scope::all) matcher.prepare();
}

STRATA_API std::size_t count_rows(const Matcher& matcher, Selection selection);
STRATA_API Entity find_first(const Matcher& matcher, Selection selection);

/// Returns: whether the depth of the entity is one of `depths`.
/// Contract: the entity is alive.
bool lies_within(const Matcher& matcher, Depths depths, Entity entity);

/// Returns: whether the query visits the entity in this selection; false if the entity is stale.
bool contains(const Matcher& matcher, Selection selection, Entity entity);

/// Checks the contract of `each_block`: no term tests or reads a component of the visited entity that is stored in the
/// side store (sparse sets), because a visiting function receives values of whole blocks of tables. First updates the
/// query's matches.
STRATA_API void require_tables(Matcher& matcher);

/// Checks that the terms of a system's query declare that the system reads a component. They do if the component is
/// tracked (see Tracking) and a term names it, even a term that only tests for it, such as With. Called for visits that
/// read more of the component than the terms hand out: its values (`order_by`), or the times of writes (`changed`).
/// Not called by `order_by` for a term that hands out the values: such a term declares the read without tracking.
/// `operation` and `component` are names for the message; `id` is the id of the component.
STRATA_API void require_declared(const Matcher& matcher, const char* operation, std::string_view component,
                                 ComponentId id);

[[noreturn]] STRATA_API void refuse_families();
[[noreturn]] STRATA_API void refuse_pairs();

/// Returns: the reader of the pairs (links between entities) of all relations.
/// Contract: the query was made by a World, which gives its queries access to relations.
inline const PairReader& require_pairs(const Matcher& matcher) {
  const PairReader* const pairs = matcher.relation() != nullptr ? matcher.relation()->pairs() : nullptr;
  if (pairs == nullptr) [[unlikely]]
    refuse_pairs();
  return *pairs;
}
/// Checks that the query can find pairs (links between entities) of a relation.
/// Returns: the reader of the pairs of all relations.
/// Contract: the query was made by a World, which gives its queries access to relations; `relation` is the id of a
/// relation (see PairReader::knows).
STRATA_API const PairReader& require_relation(const Matcher& matcher, ComponentId relation);

/// Checks the contract of visits of the children of an entity: the query has access to a hierarchy (Matcher::relation
/// is not null), and this hierarchy can list children (see Relation::knows_chains).
inline void require_families(const Matcher& matcher) {
  if (matcher.relation() == nullptr || !matcher.relation()->knows_chains()) [[unlikely]]
    refuse_families();
}

}  // namespace strata::detail
