// Pool: the order of the entities that have a component of the side store, and what concerns all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "../../storage/sorting/pool_sorting.hpp"
#include "detail/world_parts.hpp"

namespace strata {
namespace detail {

/// Contract: the component is stored in the side store; the message names it and the operation.
void require_side_store(const char* operation, std::string_view name, Storage storage, CallSite at);

}  // namespace detail

/// The pool of one component of the side store: the entities that have it, in an order that queries led by the pool
/// follow. Made by World::pool; a value that is cheap to make or to keep.
///
/// An order is a comparison, less(const T&, const T&) or less(Entity, Entity), or a key to be compared by
/// `<`, key(const T&) or key(Entity). If it can take values, it is given values, which is faster. Keys that
/// are numbers are sorted by their bits. An order makes no structural change, which is refused, and changes no value of
/// T; what it records as commands is applied when the pool is sorted.
///
/// Errors: std::bad_alloc, and what an order throws; the pool is as it was then.
/// Contract: T is stored in the side store when a call is made; nothing is being iterated. The world outlives the pool.
/// Threads: a writer of the world.
template <Component T>
class Pool {
 public:
  explicit Pool(detail::WorldParts& parts) : parts_(&parts) {}

  /// Returns: how many entities have T.
  /// Complexity: O(1).
  [[nodiscard]] std::size_t size(CallSite at = {}) const {
    const detail::SparsePool* const pool = find("size", at);
    return pool != nullptr ? pool->size() : 0;
  }

  /// Sorts in one of the ways of strata::sorting, by default stably.
  /// Invalidates: pointers to values of T.
  /// Complexity: O(n log n), or O(n) if sorted already; n entities that have T. See the ways.
  template <class Ordering, class Way = sorting::Stable>
  void sort(Ordering order, const Way& way = {}, CallSite at = {}) {
    change_order("sort", at, [&](detail::SparsePool& pool) { detail::sort_pool<T>(pool, order, way); });
  }

  /// Goes on sorting where the last call has stopped, stably, forth and back through the pool: for values
  /// that change all the time, and an order that need not be exact in every frame. Entities may come and go
  /// in between. Give it an order of the same type each time; with another, it begins anew.
  /// Returns: whether all were found or put in order since the last one left; values that have changed behind
  /// the sweep are seen by the next.
  /// Invalidates: pointers to values of T.
  /// Complexity: at most `budget` comparisons and moves of values; fewer than 3 move nothing.
  template <class Ordering>
  bool sort_step(Ordering order, std::size_t budget, CallSite at = {}) {
    bool sorted = true;
    change_order("sort_step", at,
                 [&](detail::SparsePool& pool) { sorted = detail::sort_pool_step<T>(pool, order, budget); });
    return sorted;
  }

  /// Puts the entities that have Other, too, first and in the order of its pool; the others keep theirs. A
  /// query of both then goes through both pools front to back.
  /// Contract: Other is stored in the side store, too.
  /// Invalidates: pointers to values of T.
  /// Complexity: O(entities that have T or Other).
  template <Component Other>
  void sort_like(CallSite at = {}) {
    const detail::SparsePool* const other = Pool<Other>(*parts_).find("sort_like", at);
    change_order("sort_like", at, [&](detail::SparsePool& pool) {
      if (other != nullptr) detail::sort_pool_like(pool, *other);
    });
  }

  /// Puts ancestors before their descendants, level by level, stably.
  /// Invalidates: pointers to values of T.
  /// Complexity: O(n) for n entities that have T.
  void sort_by_depth(CallSite at = {}) {
    change_order("sort_by_depth", at, [&](detail::SparsePool& pool) {
      const auto depth = [this](Entity entity) { return parts_->hierarchy.depth(entity); };
      detail::sort_pool<void>(pool, depth);
    });
  }

  /// Removes T, such as a mark, from all entities that have it.
  /// Returns: how many did.
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

  /// Moves values into the holes that others left, where `pool_options_of<T>` asks for `Removal::stable`: they
  /// then take as few pages as they can.
  /// Returns: how many values were moved.
  /// Invalidates: pointers to values of T.
  /// Complexity: O(entities that have T + holes).
  std::size_t compact(CallSite at = {}) {
    const detail::Store::Change change(parts_->store, "compact", Entity(), at);
    detail::SparsePool* const pool = find("compact", at);
    return pool != nullptr ? pool->compact() : 0;
  }

 private:
  template <Component Other>
  friend class Pool;

  /// Returns: the pool; null when no entity ever had T.
  /// Contract: T is stored in the side store.
  detail::SparsePool* find(const char* operation, CallSite at) const {
    detail::require_side_store(operation, name_of<T>, parts_->template storage<T>(), at);
    return parts_->store.side().find(parts_->store.registry().template find_or_unknown<T>());
  }

  /// The end of the change applies what the order has recorded.
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
