#include "pool_sorting.hpp"

namespace strata::detail {

void sort_pool_like(SparsePool& pool, const SparsePool& other) {
  if (pool.size() == 0) return;
  if (&pool == &other) return pool.set_arranged();
  constexpr std::uint32_t kTaken = SparsePool::kAbsent;
  PoolArranger arranger(pool);
  const ScratchArray<std::uint32_t> order(pool.size(), arranger.memory());
  const ScratchArray<std::uint32_t> rest(pool.size(), arranger.memory());
  for (std::uint32_t i = 0; i < pool.size(); ++i) rest[i] = i;
  std::uint32_t count = 0;
  for (const Entity entity : other.entities()) {
    const std::uint32_t position = pool.position_of(entity);
    if (position == SparsePool::kAbsent) continue;
    order[count++] = position;
    rest[position] = kTaken;
  }
  for (std::uint32_t i = 0; i < pool.size(); ++i) {
    if (rest[i] != kTaken) order[count++] = i;
  }
  arranger.arrange({order.data(), count});
  pool.set_arranged();
}

}  // namespace strata::detail
