#include "side_store.hpp"

namespace strata {

SideStore::~SideStore() {
  std::pmr::polymorphic_allocator<> allocator(memory_);
  for (SparsePool* pool : pools_) {
    if (pool != nullptr) allocator.delete_object(pool);
  }
}

SparsePool& SideStore::create(ComponentId id) {
  if (to_index(id) >= pools_.size()) pools_.resize(to_index(id) + 1, nullptr);
  std::pmr::polymorphic_allocator<> allocator(memory_);
  return *(pools_[to_index(id)] = allocator.new_object<SparsePool>(id, registry_[id], memory_));
}

void SideStore::erase(Entity entity) noexcept {
  for (SparsePool* pool : pools_) {
    if (pool != nullptr && pool->size() != 0) pool->erase(entity);
  }
}

std::string SideStore::check_invariants() const {
  for (const SparsePool* pool : pools_) {
    if (pool == nullptr) continue;
    if (std::string complaint = pool->check_invariants(); !complaint.empty()) {
      return "pool of \"" + pool->component().name + "\": " + complaint;
    }
  }
  return "";
}

}  // namespace strata
