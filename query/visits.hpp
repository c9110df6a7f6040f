// Visits: a query's rows batch by batch, and what can be asked of them without their values.
#pragma once

#include <cstdint>
#include <utility>

#include "filtered_batches.hpp"
#include "iteration_note.hpp"
#include "table_batches.hpp"

namespace strata {

/// The direction of a cascade: `down` visits parents before children, `up` children before parents.
enum class Direction : std::uint8_t { down, up };
inline constexpr Direction down = Direction::down;
inline constexpr Direction up = Direction::up;

constexpr Order order_of(Direction direction) {
  return direction == Direction::down ? Order::down : Order::up;
}

namespace detail {

/// Calls `visit(const Batch&)` for every batch of matching rows, with structural changes refused meanwhile.
template <class Visit>
void for_each_batch(const Matcher& matcher, Selection selection, Visit&& visit) {
  const Store::IterationLock lock(matcher.store());
  if (selection.order == Order::any && !matcher.has_related() && !gathers(matcher, selection)) {
    return for_each_column_batch(matcher, visit);
  }
  Batch batch;
  if (gathers(matcher, selection)) {
    for (FilteredBatches batches(matcher, selection); batches.next(batch);) visit(std::as_const(batch));
  } else {
    for (TableBatches batches(matcher, selection.order); batches.next(batch);) visit(std::as_const(batch));
  }
}

/// Brings a query up to date with the archetypes and what its terms relate to, and tells whoever observes.
inline void start(Matcher& matcher, Selection selection, bool as_blocks = false) {
  matcher.refresh();
  if (matcher.store().observer() != nullptr) [[unlikely]]
    note_iteration(matcher, selection, as_blocks);
  if (!selection.of_family) matcher.prepare();
}

std::size_t count_rows(const Matcher& matcher, Selection selection);
Entity find_first(const Matcher& matcher, Selection selection);

/// Returns: whether the entity is among the rows; false when it is stale.
bool contains(const Matcher& matcher, Selection selection, Entity entity);

/// Brings a query up to date, too.
/// Contract: no term asks the side store, whose values are in no blocks.
void expect_tables(Matcher& matcher);

/// Contract: the query has a relation, which knows children.
void expect_families(const Matcher& matcher);

}  // namespace detail
}  // namespace strata
