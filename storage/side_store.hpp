// SideStore: the sparse sets of a world, one per side-store component.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <vector>

#include "../core/registry.hpp"
#include "sparse_pool.hpp"

namespace strata {

/// Pools by component id. Adding to one or removing from it never touches a table.
class SideStore {
 public:
  SideStore(const Registry& registry, std::pmr::memory_resource* memory)
      : registry_(registry), memory_(memory), pools_(memory) {}
  SideStore(const SideStore&) = delete;
  SideStore& operator=(const SideStore&) = delete;
  ~SideStore();

  /// Returns: the component's pool, or null when it never had a member.
  SparsePool* find(ComponentId id) const noexcept {
    return to_index(id) < pools_.size() ? pools_[to_index(id)] : nullptr;
  }

  /// Returns: the component's pool, created if it is new.
  /// Errors: std::bad_alloc; nothing has changed then.
  SparsePool& get(ComponentId id) {
    SparsePool* pool = find(id);
    return pool != nullptr ? *pool : create(id);
  }

  /// Returns: one more than the highest component id that may have a pool.
  std::uint32_t size() const { return static_cast<std::uint32_t>(pools_.size()); }

  /// Removes the entity from every pool.
  /// Complexity: O(pools).
  void erase(Entity entity) noexcept;

  /// Removes every entity for which `leaves` is true from every pool.
  /// Complexity: O(members).
  template <class Leaves>
  void erase_if(Leaves leaves) noexcept {
    for (SparsePool* pool : pools_) {
      // From the back: what then fills a hole has been looked at and stays.
      for (std::uint32_t i = pool != nullptr ? pool->size() : 0; i-- > 0;) {
        if (leaves(pool->entities()[i])) pool->erase(pool->entities()[i]);
      }
    }
  }

  /// Calls `visit(const SparsePool&)` for every pool, in order of component id.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const SparsePool* pool : pools_) {
      if (pool != nullptr) visit(*pool);
    }
  }

  std::string check_invariants() const;

 private:
  SparsePool& create(ComponentId id);

  const Registry& registry_;
  std::pmr::memory_resource* memory_;
  std::pmr::vector<SparsePool*> pools_;  // By component id; null where there is none.
};

}  // namespace strata
