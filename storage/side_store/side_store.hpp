// SideStore: the sparse sets (pools) of a world, one for each component with Storage::sparse.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>

#include "../../core/compiler.hpp"
#include "../../core/memory_use.hpp"
#include "../../core/plain_list.hpp"
#include "../../core/registry.hpp"
#include "memberships.hpp"
#include "pool_removal.hpp"

namespace strata::detail {

/// Owns the pools of a world: for each component with Storage::sparse, the sparse set of the entities that have it,
/// with their values. Insertions and removals never touch a table. If there are at most kFewPools pools, destroying an
/// entity looks the entity up in all of them. If there are more, each insertion is also recorded in Memberships, and
/// destroying an entity visits only the pools that the entity has joined. The record makes insertions slightly slower.
///
/// Invariants:
///   D1. With more than kFewPools pools, all pools record their members in Memberships. Otherwise, no pool does, and no
///       bit is set in Memberships.
class SideStore {
 public:
  /// Up to this number of pools, visiting all pools is cheaper than recording which pools each entity has joined.
  static constexpr std::uint32_t kFewPools = 8;

  /// `guard` is the lock of the store, which refuses structural changes while user code runs. If it is given, removed
  /// values that have a destructor are kept until `destroy_dead`, and the guard is notified that there are such values
  /// (ChangeGuard::mark_dead). If it is null, removed values are destroyed at once.
  SideStore(const Registry& registry, std::pmr::memory_resource* memory, const ChangeGuard* guard = nullptr)
      : registry_(registry),
        memory_(memory),
        joined_(memory),
        pools_(memory),
        numbered_(memory),
        dead_{guard != nullptr ? *guard : own_guard_},
        waits_(guard != nullptr) {}
  SideStore(const SideStore&) = delete;
  SideStore& operator=(const SideStore&) = delete;
  ~SideStore();

  /// Returns: the component's pool; null when `get` has not created one yet.
  SparsePool* find(ComponentId id) const noexcept {
    return to_index(id) < pools_.size() ? pools_[to_index(id)] : nullptr;
  }

  /// Returns: the component's pool. Creates the pool if the component has none yet.
  /// Errors: std::bad_alloc; nothing has changed then.
  SparsePool& get(ComponentId id) {
    SparsePool* pool = find(id);
    return pool != nullptr ? *pool : create(id);
  }

  /// Returns: a number that is greater than the id of every component that has a pool. A loop that calls `find` for all
  /// ids may end there.
  std::uint32_t size() const { return static_cast<std::uint32_t>(pools_.size()); }

  /// Removes an entity from every pool.
  /// Returns: the number of pools in which the entity was looked up. If there are at most kFewPools pools, these are
  /// all pools. Otherwise, these are the pools that the entity has joined, even if it is no longer a member.
  /// Contract: no other entity with the same index is a member of a pool.
  /// Complexity: O(pools) up to kFewPools pools; otherwise O(pools that the entity has joined + pools / 64).
  std::size_t erase(Entity entity) noexcept { return numbered_.empty() ? 0 : erase_from_pools(entity); }

  /// Prepares `copy`, a copy of one of the pools, for being exchanged with that pool (see SparsePool::swap). The copy
  /// may have been made before the pools began to record their members in Memberships. In this case, makes the copy
  /// record its members, too.
  /// Errors: std::bad_alloc; the copy can only be destroyed then.
  void record(SparsePool& copy) {
    if (!records() || copy.records()) return;
    copy.hold_pages(joined_);
    copy.begin_recording(joined_);
  }

  /// Removes from every pool the members for which `leaves(Entity)` is true, with their values. If Memberships records
  /// the pools that each entity has joined, also resets the bits of these members there.
  /// Complexity: O(members of all pools + pools).
  template <class Leaves>
  void erase_if(Leaves leaves) noexcept {
    for (std::uint32_t number = 0; number < numbered_.size(); ++number) {
      SparsePool& pool = *numbered_[number];
      // The loop goes from the last member to the first. An erased member is replaced by the last member of the pool,
      // which has already been checked.
      for (std::uint32_t i = pool.size(); i-- > 0;) {
        const Entity entity = pool.entities()[i];
        if (!leaves(entity)) continue;
        pool.erase(entity);
        if (records()) joined_.remove(entity.index(), Memberships::Mark(number));
      }
    }
  }

  /// Removes all members from all pools; SparsePool::clear says when their values are destroyed. Does not reset bits in
  /// Memberships (the record of the pools that each entity has joined), so bits of the removed members may stay set.
  void clear() noexcept {
    for (SparsePool* pool : numbered_) pool->clear();
  }

  /// Destroys the values of removed members, which the pools have kept until now.
  void destroy_dead() noexcept {
    while (dead_.first != nullptr) {
      SparsePool& pool = *dead_.first;
      dead_.first = pool.destroy_dead();
    }
  }

  /// Frees those pages of Memberships (the record of the pools that each entity has joined) that no pool needs. Meant
  /// to be called after the pools have freed their unused pages.
  void shrink_memberships() noexcept { joined_.shrink(); }

  /// Returns: the memory of all pools and of Memberships, the record of the pools that each entity has joined.
  MemoryUse memory_use() const noexcept;

  /// Calls `visit(const SparsePool&)` for every pool, in order of component id.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < pools_.size(); ++i) {  // `visit` may make a pool.
      const SparsePool* const pool = pools_[i];
      if (pool != nullptr) visit(*pool);
    }
  }

  std::string check_invariants() const;

 private:
  std::size_t erase_from_pools(Entity entity) noexcept;
  std::size_t erase_from_joined(Entity entity) noexcept;
  STRATA_API SparsePool& create(ComponentId id);
  void begin_recording();
  bool records() const noexcept { return numbered_.size() > kFewPools; }

  const Registry& registry_;
  std::pmr::memory_resource* memory_;
  Memberships joined_;               // Has no pages while there are at most kFewPools pools.
  PlainList<SparsePool*> pools_;     // By component id; null if there is no pool.
  PlainList<SparsePool*> numbered_;  // The pools, by their number in Memberships.
  ChangeGuard own_guard_;
  DeadValues dead_;
  bool waits_;
};

}  // namespace strata::detail
