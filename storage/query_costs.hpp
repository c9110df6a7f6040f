// QueryCosts: what the queries of a world have done to find and keep their plans.
#pragma once

#include <atomic>
#include <cstdint>

namespace strata {

/// Counted since the world was created, over all of its readers, those that are gone included.
struct QueryCosts {
  std::uint64_t archetypes_seen = 0;     ///< Looked at, once by each reader.
  std::uint64_t archetypes_matched = 0;  ///< Of those.
  std::uint64_t patches = 0;             ///< Blocks in which it was found anew what rows relate to.
  std::uint64_t patched_rows = 0;        ///< Rows of those blocks.
};

/// Threads: readers may add at the same time. The sums do not order anything else.
class QueryCostCounters {
 public:
  void add(const QueryCosts& costs) noexcept {
    archetypes_seen_.fetch_add(costs.archetypes_seen, std::memory_order_relaxed);
    archetypes_matched_.fetch_add(costs.archetypes_matched, std::memory_order_relaxed);
    patches_.fetch_add(costs.patches, std::memory_order_relaxed);
    patched_rows_.fetch_add(costs.patched_rows, std::memory_order_relaxed);
  }

  QueryCosts total() const noexcept {
    return {archetypes_seen_.load(std::memory_order_relaxed),
            archetypes_matched_.load(std::memory_order_relaxed), patches_.load(std::memory_order_relaxed),
            patched_rows_.load(std::memory_order_relaxed)};
  }

 private:
  std::atomic<std::uint64_t> archetypes_seen_{0};
  std::atomic<std::uint64_t> archetypes_matched_{0};
  std::atomic<std::uint64_t> patches_{0};
  std::atomic<std::uint64_t> patched_rows_{0};
};

}  // namespace strata
