// QueryCosts: what the queries of a world have done to find and keep their plans.
#pragma once

#include <atomic>
#include <cstdint>

namespace strata {

/// Counted since the world was created, over all of its readers, those that are gone included.
struct QueryCosts {
  std::uint64_t archetypes_seen = 0;     ///< Looked at, once by each reader.
  std::uint64_t archetypes_matched = 0;  ///< Of those.
  std::uint64_t patches = 0;       ///< Blocks with rows for which it was found anew what they relate to.
  std::uint64_t patched_rows = 0;  ///< Those rows: some of a block, or all.
};

}  // namespace strata

namespace strata::detail {

/// Threads: readers may add at the same time. The sums do not order anything else.
class QueryCostCounters {
 public:
  void add(const QueryCosts& costs) noexcept {
    add_to(archetypes_seen_, costs.archetypes_seen);
    add_to(archetypes_matched_, costs.archetypes_matched);
    add_to(patches_, costs.patches);
    add_to(patched_rows_, costs.patched_rows);
  }

  QueryCosts total() const noexcept {
    return {archetypes_seen_.load(std::memory_order_relaxed),
            archetypes_matched_.load(std::memory_order_relaxed), patches_.load(std::memory_order_relaxed),
            patched_rows_.load(std::memory_order_relaxed)};
  }

 private:
  /// Most costs are none, and a test is cheaper than an addition that other threads see as one.
  static void add_to(std::atomic<std::uint64_t>& sum, std::uint64_t cost) noexcept {
    if (cost != 0) sum.fetch_add(cost, std::memory_order_relaxed);
  }

  std::atomic<std::uint64_t> archetypes_seen_{0};
  std::atomic<std::uint64_t> archetypes_matched_{0};
  std::atomic<std::uint64_t> patches_{0};
  std::atomic<std::uint64_t> patched_rows_{0};
};

}  // namespace strata::detail
