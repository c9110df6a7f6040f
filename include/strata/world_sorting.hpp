// WorldSorting: the facade of the order in which side-store components lie, which queries that they lead
// follow.
#pragma once

#include <cstddef>
#include <utility>

#include "../../storage/pool_sorting.hpp"
#include "world_hierarchy.hpp"

namespace strata {

/// The part of World that sorts pools of the side store; always a World.
///
/// An order is a comparison, less(const T&, const T&) or less(Entity, Entity), or a key to be compared by
/// `<`, key(const T&) or key(Entity). If it can take values, it is given values, which is faster. Keys that
/// are numbers are sorted by their bits.
///
/// Errors: std::bad_alloc, and what the order throws; the pool is as it was then.
/// Contract: T is stored in the side store; nothing is being iterated. The order makes no structural change,
/// which is refused, and changes no value of T.
class WorldSorting : public WorldHierarchy {
 public:
  /// Sorts in one of the ways of strata::sorting, by default stably.
  /// Invalidates: pointers to values of T.
  /// Complexity: O(n log n), or O(n) if sorted already; n entities that have T. See the ways.
  template <Component T, class Ordering, class Way = sorting::Stable>
  void sort(Ordering order, const Way& way = {}, CallSite at = {}) {
    change_order<T>("sort", at, [&](SparsePool& pool) { sort_pool<T>(pool, order, way); });
  }

  /// Goes on sorting where the last call has stopped, stably, forth and back through the pool: for values
  /// that change all the time, and an order that need not be exact in every frame. Entities may come and go
  /// in between. Give it an order of the same type each time; with another, it begins anew.
  /// Returns: whether all were found or put in order since the last one left; values that have changed behind
  /// the sweep are seen by the next.
  /// Invalidates: pointers to values of T.
  /// Complexity: at most `budget` comparisons and moves of values; fewer than 3 move nothing.
  template <Component T, class Ordering>
  bool sort_step(Ordering order, std::size_t budget, CallSite at = {}) {
    bool sorted = true;
    change_order<T>("sort_step", at,
                    [&](SparsePool& pool) { sorted = sort_pool_step<T>(pool, order, budget); });
    return sorted;
  }

  /// Puts the entities that have Other, too, first and in the order of its pool; the others keep theirs. A
  /// query of both then goes through both pools front to back.
  /// Contract: Other is stored in the side store, too.
  /// Invalidates: pointers to values of T.
  /// Complexity: O(entities that have T or Other).
  template <Component T, Component Other>
  void sort_like(CallSite at = {}) {
    const Store::Change change(store_, "sort_like", Entity(), at);
    const SparsePool* const other = pool_of<Other>("sort_like", at);
    SparsePool* const pool = pool_of<T>("sort_like", at);
    if (other == nullptr || pool == nullptr) return;
    const ChangeGuard::Operation under_way(store_.guard(), "sort_like");
    sort_pool_like(*pool, *other);
  }

  /// Puts ancestors before their descendants, level by level, stably.
  /// Invalidates: pointers to values of T.
  /// Complexity: O(n) for n entities that have T.
  template <Component T>
  void sort_by_depth(CallSite at = {}) {
    change_order<T>("sort_by_depth", at, [&](SparsePool& pool) {
      const auto depth = [this](Entity entity) { return hierarchy_.depth(entity); };
      sort_pool<void>(pool, depth);
    });
  }

 protected:
  using WorldHierarchy::WorldHierarchy;
  ~WorldSorting() = default;

 private:
  /// Returns: null when no entity has T.
  /// Contract: T is stored in the side store.
  template <Component T>
  SparsePool* pool_of(const char* operation, CallSite at) {
    const ComponentId id = store_.registry().id_of<T>();
    require_side_store(operation, id, at);
    return store_.side().find(id);
  }

  /// What the order records as commands is applied when the pool is sorted.
  template <Component T, class Change>
  void change_order(const char* operation, CallSite at, Change change) {
    const Store::Change end(store_, operation, Entity(), at);
    SparsePool* const pool = pool_of<T>(operation, at);
    if (pool == nullptr) return;
    const ChangeGuard::Operation under_way(store_.guard(), operation);
    change(*pool);
  }

  void require_side_store(const char* operation, ComponentId id, CallSite at) const;
};

}  // namespace strata
