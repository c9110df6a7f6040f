// Pool: the entities that have a certain component of the side store (sparse sets), for sorting and clearing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "../../core/compiler.hpp"
#include "../../storage/sorting/pool_sorting.hpp"
#include "detail/world_parts.hpp"

namespace strata {
namespace detail {

/// Checks the contract of an operation on a pool: the component is stored in the side store (sparse sets), that is,
/// `storage` is Storage::sparse. `operation` and `name` are the names of the operation and the component, for the
/// message.
STRATA_API void require_side_store(const char* operation, std::string_view name, Storage storage,
                                   CallSite at);

}  // namespace detail

/// The pool of one component in the side store (sparse sets): the entities that have the component, in an order that
/// sorting changes. A query that iterates the pool visits the entities in this order. World::pool makes a Pool object,
/// which is cheap to make and may be kept.
///
/// `sort` and `sort_step` take a function that determines the order. It is one of these; the forms that take values are
/// faster:
/// - a comparison: less(const T&, const T&) or less(Entity, Entity)
/// - a key function: key(const T&) or key(Entity); its results are compared by `<`
/// The function must not change values of T, and structural changes in it are refused. Commands that the function
/// records are applied after the pool has been sorted.
///
/// Errors: std::bad_alloc, and exceptions of the function that determines the order; the pool is unchanged then.
/// Contract: T is stored in the side store at the time of a call, and no query iterates. The world outlives the Pool.
/// Threads: each call but `size` counts as a change of the world: no other thread may use the world at the same time.
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

  /// Sorts the entities of the pool. `order` is a comparison or a key function (see Pool). `way` is one of
  /// the algorithms in strata::sorting; the default is stable.
  /// Invalidates: pointers to values of T.
  /// Complexity: O(n log n) for n entities that have T, O(n) if already sorted; see strata::sorting.
  template <class Ordering, class Way = sorting::Stable>
  void sort(Ordering order, const Way& way = {}, CallSite at = {}) {
    change_order("sort", at, [&](detail::SparsePool& pool) { detail::sort_pool<T>(pool, order, way); });
  }

  /// Does a part of the work of sorting; the next call continues the work. This is meant for values that change all the
  /// time and do not have to be exactly ordered in every frame. The sort is stable: equal entities keep their order.
  /// The passes of the sort over the pool go alternately forward and backward. Entities may be added and removed
  /// between calls. Pass an `order` of the same type in each call; with another type, the sort starts again.
  /// Returns: true if this call has completed a pass over the whole pool that leaves all entities in order; false if
  /// the budget ended before. A value that changes after the pass has reached it is noticed only by the next pass.
  /// Invalidates: pointers to values of T.
  /// Complexity: at most `budget` comparisons and moves of values, counted together; a budget below 3 moves nothing.
  template <class Ordering>
  bool sort_step(Ordering order, std::size_t budget, CallSite at = {}) {
    bool sorted = true;
    change_order("sort_step", at,
                 [&](detail::SparsePool& pool) { sorted = detail::sort_pool_step<T>(pool, order, budget); });
    return sorted;
  }

  /// Moves the entities that also have the component Other to the front of T's pool, in the order of Other's pool. The
  /// other entities keep their order. A query of both components then reads both pools front to back.
  /// Contract: Other is also stored in the side store (sparse sets).
  /// Invalidates: pointers to values of T.
  /// Complexity: O(entities that have T or Other).
  template <Component Other>
  void sort_like(CallSite at = {}) {
    const detail::SparsePool* const other = Pool<Other>(*parts_).find("sort_like", at);
    change_order("sort_like", at, [&](detail::SparsePool& pool) {
      if (other != nullptr) detail::sort_pool_like(pool, *other);
    });
  }

  /// Sorts the entities of the pool by their depth in the hierarchy, roots first. Entities of one depth keep their
  /// order.
  /// Invalidates: pointers to values of T.
  /// Complexity: O(n) for n entities that have T.
  void sort_by_depth(CallSite at = {}) {
    change_order("sort_by_depth", at, [&](detail::SparsePool& pool) {
      const auto depth = [this](Entity entity) { return parts_->hierarchy.depth(entity); };
      detail::sort_pool<void>(pool, depth);
    });
  }

  /// Removes T from all entities that have it. This is useful for a component that marks entities for one frame and is
  /// added to others in the next one.
  /// Returns: the number of entities that had T.
  /// Invalidates: pointers to values of T.
  /// Complexity: O(entities that have T).
  std::size_t clear(CallSite at = {}) {
    parts_->store.require_unlocked("clear", Entity(), at);
    detail::SparsePool* const pool = find("clear", at);
    return pool != nullptr ? detail::clear_pool(parts_->store, *pool) : 0;
  }

  /// Moves values into gaps that removals have left in memory, so that the values take as few pages as possible. Only
  /// pools with Removal::stable (see pool_options_of) have gaps; for other pools, the call does nothing.
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

  /// Returns: the pool of T in the side store (sparse sets); null if it has not been created yet, so that no
  /// entity has T. `operation` is the name of the caller's operation, for messages.
  /// Contract: T is stored in the side store.
  detail::SparsePool* find(const char* operation, CallSite at) const {
    detail::require_side_store(operation, name_of<T>, parts_->template storage<T>(), at);
    return parts_->store.side().find(parts_->store.registry().template find_or_unknown<T>());
  }

  /// Calls `change(pool)`, which changes the order of the pool. The call counts as a structural change. Does nothing if
  /// the pool has not been created yet. Commands that user code records in `change` are applied at the end.
  template <class Change>
  void change_order(const char* operation, CallSite at, Change change) {
    const detail::Store::Change end(parts_->store, operation, Entity(), at);
    detail::SparsePool* const pool = find(operation, at);
    if (pool == nullptr) return;
    const detail::ChangeGuard::Operation under_way(parts_->store.guard(), operation);
    const detail::SparsePool::Hold hold(*pool);  // The order may be determined by user code.
    change(*pool);
  }

  detail::WorldParts* parts_;
};

}  // namespace strata
