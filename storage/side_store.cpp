#include "side_store.hpp"

#include "../core/reserve.hpp"

namespace strata {

SideStore::~SideStore() {
  std::pmr::polymorphic_allocator<> allocator(memory_);
  for (SparsePool* pool : numbered_) allocator.delete_object(pool);
}

SparsePool& SideStore::create(ComponentId id) {
  const auto number = static_cast<std::uint32_t>(numbered_.size());
  const ComponentDescription& component = registry_[id];
  if (to_index(id) >= pools_.size()) pools_.resize(to_index(id) + 1, nullptr);
  detail::reserve_one(numbered_);
  joined_.expect_pools(number + 1);
  std::pmr::polymorphic_allocator<> allocator(memory_);
  SparsePool* const pool = allocator.new_object<SparsePool>(id, component, joined_, number, memory_);
  numbered_.push_back(pool);
  return *(pools_[to_index(id)] = pool);
}

std::size_t SideStore::erase(Entity entity) noexcept {
  std::size_t asked = 0;
  joined_.take(entity.index(), [&](std::uint32_t number) {
    numbered_[number]->erase(entity);
    ++asked;
  });
  return asked;
}

MemoryUse SideStore::memory_use() const noexcept {
  MemoryUse use = joined_.memory_use() + detail::memory_use_of(pools_) + detail::memory_use_of(numbered_);
  for (const SparsePool* pool : numbered_) use += pool->memory_use();
  return use;
}

std::string SideStore::check_invariants() const {
  for (const SparsePool* pool : pools_) {
    if (pool == nullptr) continue;
    if (std::string complaint = pool->check_invariants(); !complaint.empty()) return complaint;
  }
  return joined_.check_invariants();
}

}  // namespace strata
