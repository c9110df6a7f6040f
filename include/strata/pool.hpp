// Pool: operations on all entities that have a component of the side store, and their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "../../storage/sorting/pool_sorting.hpp"
#include "detail/world_parts.hpp"

namespace strata {
namespace detail {

/// Checks that a component is stored in the side store; otherwise a contract is broken. The message names the
/// component and the operation.
void require_side_store(const char* operation, std::string_view name, Storage storage, CallSite at);

}  // namespace detail

/// The pool of one component in the side store: the entities that have it, in an order that sorting changes.
/// A query that iterates the pool visits the entities in this order. World::pool makes a Pool, which is cheap
/// to make and may be kept.
///
/// The sort functions take an order function: a comparison or a key function. A comparison is less(const T&,
/// const T&) or less(Entity, Entity). A key function is key(const T&) or key(Entity); its results are
/// compared by `<`. A function that accepts values and entities is called with values, which is faster. An
/// order function must not change values of T or make structural changes; the latter are refused. Commands
/// that it records are applied when the pool is sorted.
///
/// Errors: std::bad_alloc, and exceptions of an order function; the pool is unchanged then.
/// Contract: T is stored in the side store at the time of a call, and no query iterates. The world outlives
/// the pool.
/// Threads: a writer of the world.
template <Component T>
class Pool {
 public:
  explicit Pool(detail::WorldParts& parts) : parts_(&parts) {}

  /// Returns: the number of entities that have T.
  /// Complexity: O(1).
  [[nodiscard]] std::size_t size(CallSite at = {}) const {
    const detail::SparsePool* const pool = find("size", at);
    return pool != nullptr ? pool->size() : 0;
  }

  /// Sorts the entities of the pool by an order function (see Pool). `way` is one of the algorithms in
  /// strata::sorting; the default is stable.
  /// Invalidates: pointers to values of T.
  /// Complexity: O(n log n) for n entities that have T, O(n) if already sorted; see strata::sorting.
  template <class Ordering, class Way = sorting::Stable>
  void sort(Ordering order, const Way& way = {}, CallSite at = {}) {
    change_order("sort", at, [&](detail::SparsePool& pool) { detail::sort_pool<T>(pool, order, way); });
  }

  /// Sorts in parts: each call continues where the last one stopped, in alternating forward and backward
  /// sweeps; stable. For values that change all the time and do not have to be exactly ordered in every
  /// frame. Entities may come and go between calls. Use an order function of the same type in each call;
  /// another type starts anew.
  /// Returns: whether the last sweep completed with all entities in order. Changes that a sweep has already
  /// passed are seen by the next sweep.
  /// Invalidates: pointers to values of T.
  /// Complexity: at most `budget` comparisons and moves of values; fewer than 3 move nothing.
  template <class Ordering>
  bool sort_step(Ordering order, std::size_t budget, CallSite at = {}) {
    bool sorted = true;
    change_order("sort_step", at,
                 [&](detail::SparsePool& pool) { sorted = detail::sort_pool_step<T>(pool, order, budget); });
    return sorted;
  }

  /// Moves the entities that also have Other to the front, in the order of Other's pool. The others keep
  /// their order. A query of both components then visits both pools front to back.
  /// Contract: Other is also stored in the side store.
  /// Invalidates: pointers to values of T.
  /// Complexity: O(entities that have T or Other).
  template <Component Other>
  void sort_like(CallSite at = {}) {
    const detail::SparsePool* const other = Pool<Other>(*parts_).find("sort_like", at);
    change_order("sort_like", at, [&](detail::SparsePool& pool) {
      if (other != nullptr) detail::sort_pool_like(pool, *other);
    });
  }

  /// Sorts ancestors before their descendants, level by level; stable.
  /// Invalidates: pointers to values of T.
  /// Complexity: O(n) for n entities that have T.
  void sort_by_depth(CallSite at = {}) {
    change_order("sort_by_depth", at, [&](detail::SparsePool& pool) {
      const auto depth = [this](Entity entity) { return parts_->hierarchy.depth(entity); };
      detail::sort_pool<void>(pool, depth);
    });
  }

  /// Removes T from all entities that have it; useful for marks.
  /// Returns: the number of these entities.
  /// Invalidates: pointers to values of T.
  /// Complexity: O(entities that have T).
  std::size_t clear(CallSite at = {}) {
    const detail::Store::Change change(parts_->store, "clear", Entity(), at);
    detail::SparsePool* const pool = find("clear", at);
    if (pool == nullptr) return 0;
    const std::size_t members = pool->size();
    pool->clear();
    return members;
  }

  /// Moves values into gaps that removals have left, so that they take as few pages as possible. Only has an
  /// effect if `pool_options_of<T>` asks for `Removal::stable`.
  /// Returns: the number of moved values.
  /// Invalidates: pointers to values of T.
  /// Complexity: O(entities that have T + gaps).
  std::size_t compact(CallSite at = {}) {
    const detail::Store::Change change(parts_->store, "compact", Entity(), at);
    detail::SparsePool* const pool = find("compact", at);
    return pool != nullptr ? pool->compact() : 0;
  }

 private:
  template <Component Other>
  friend class Pool;

  /// Returns: the pool of T in the side store; null when no entity ever had T.
  /// Contract: T is stored in the side store.
  detail::SparsePool* find(const char* operation, CallSite at) const {
    detail::require_side_store(operation, name_of<T>, parts_->template storage<T>(), at);
    return parts_->store.side().find(parts_->store.registry().template find_or_unknown<T>());
  }

  /// Calls `change(pool)` as a structural change; does nothing if no entity ever had T. Commands that the
  /// order function records are applied at the end.
  template <class Change>
  void change_order(const char* operation, CallSite at, Change change) {
    const detail::Store::Change end(parts_->store, operation, Entity(), at);
    detail::SparsePool* const pool = find(operation, at);
    if (pool == nullptr) return;
    const detail::ChangeGuard::Operation under_way(parts_->store.guard(), operation);
    change(*pool);
  }

  detail::WorldParts* parts_;
};

}  // namespace strata
