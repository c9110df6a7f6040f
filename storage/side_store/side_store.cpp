#include "side_store.hpp"

#include "../../core/compiler.hpp"
#include "../../core/reserve.hpp"
#include "../../core/rollback.hpp"

namespace strata::detail {

SideStore::~SideStore() {
  std::pmr::polymorphic_allocator<> allocator(memory_);
  for (SparsePool* pool : numbered_) allocator.delete_object(pool);
}

SparsePool& SideStore::create(ComponentId id) {
  const auto number = static_cast<std::uint32_t>(numbered_.size());
  const ComponentInfo& component = registry_[id];
  if (to_index(id) >= pools_.size()) pools_.resize(to_index(id) + 1, nullptr);
  reserve_one(numbered_);
  joined_.reserve_pools(number + 1);
  std::pmr::polymorphic_allocator<> allocator(memory_);
  Memberships* const joined = number > kFewPools ? &joined_ : nullptr;
  SparsePool* const pool =
      allocator.new_object<SparsePool>(id, component, joined, number, memory_, waits_ ? &dead_ : nullptr);
  numbered_.push_back(pool);
  Rollback forget([&] {
    numbered_.pop_back();
    allocator.delete_object(pool);
  });
  if (numbered_.size() == kFewPools + 1) begin_recording();
  forget.dismiss();
  return *(pools_[to_index(id)] = pool);
}

/// Makes all pools record their members in `joined_` (see Memberships), and from then on each entity that joins them.
/// Called when the number of pools exceeds kFewPools for the first time.
/// Errors: std::bad_alloc; nothing is recorded then.
void SideStore::begin_recording() {
  Rollback forget([&] { joined_.reset(); });
  for (const SparsePool* pool : numbered_) pool->hold_pages(joined_);
  forget.dismiss();
  for (SparsePool* pool : numbered_) pool->begin_recording(joined_);
}

namespace {

/// Removes an entity from a pool. Not inlined, so that the code of a loop over all pools stays short. Most pools in
/// such a loop do not contain the entity, so the call is rare.
STRATA_NOINLINE void erase_member(SparsePool& pool, Entity entity) noexcept {
  pool.erase(entity);
}

}  // namespace

std::size_t SideStore::erase_from_pools(Entity entity) noexcept {
  if (records()) return erase_from_joined(entity);
  // Erasing a member moves the value of the pool's last member to the position that becomes free. The move may run user
  // code that makes another pool, so the number of pools is read in each step.
  for (std::size_t number = 0; number < numbered_.size(); ++number) {
    if (numbered_[number]->contains(entity)) erase_member(*numbered_[number], entity);
  }
  return numbered_.size();
}

std::size_t SideStore::erase_from_joined(Entity entity) noexcept {
  std::size_t asked = 0;
  joined_.take(entity.index(), [&](std::uint32_t number) {
    numbered_[number]->erase(entity);
    ++asked;
  });
  return asked;
}

MemoryUse SideStore::memory_use() const noexcept {
  MemoryUse use = joined_.memory_use() + memory_use_of(pools_) + memory_use_of(numbered_);
  for (const SparsePool* pool : numbered_) use += pool->memory_use();
  return use;
}

std::string SideStore::check_invariants() const {
  for (const SparsePool* pool : pools_) {
    if (pool == nullptr) continue;
    if (pool->records() != records()) return "D1: only some of the pools record their members";
    if (std::string complaint = pool->check_invariants(); !complaint.empty()) return complaint;
  }
  if (!records() && joined_.memory_use().used != 0) return "D1: memberships are recorded of few pools";
  return joined_.check_invariants();
}

}  // namespace strata::detail
