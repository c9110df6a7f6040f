// QueryCosts: how much work the queries of a world did to find matching archetypes and the rows of parents.
#pragma once

#include <atomic>
#include <cstdint>

namespace strata::detail {

/// How much work queries did besides visiting rows: finding matching archetypes, and updating caches of the places of
/// related rows. For example, a query that reads values of parents caches, for each block of rows, where the rows of
/// the parents are. It updates these caches after rows have moved. All numbers are summed over all queries of a world,
/// including destroyed ones.
struct QueryCosts {
  std::uint64_t archetypes_seen = 0;     ///< The number of archetypes that were checked, once for each query.
  std::uint64_t archetypes_matched = 0;  ///< The number of checked archetypes that matched.
  std::uint64_t patches = 0;             ///< How often the cache of a block was updated.
  std::uint64_t patched_rows = 0;        ///< The number of rows whose related row these updates looked up.
};

/// The counters of one world, to which its queries add their costs.
///
/// Threads: several readers may add at the same time. Adding does not synchronise other data between
/// threads.
class QueryCostCounters {
 public:
  /// Adds the costs of one step of a query (checking new archetypes, or updating caches) to the sums.
  void add(const QueryCosts& costs) noexcept {
    add_to(archetypes_seen_, costs.archetypes_seen);
    add_to(archetypes_matched_, costs.archetypes_matched);
    add_to(patches_, costs.patches);
    add_to(patched_rows_, costs.patched_rows);
  }

  /// Returns: the sums of all added costs.
  QueryCosts total() const noexcept {
    return {archetypes_seen_.load(std::memory_order_relaxed),
            archetypes_matched_.load(std::memory_order_relaxed), patches_.load(std::memory_order_relaxed),
            patched_rows_.load(std::memory_order_relaxed)};
  }

 private:
  /// Adds a cost to one sum. Most costs are 0, and a test is cheaper than an atomic addition.
  static void add_to(std::atomic<std::uint64_t>& sum, std::uint64_t cost) noexcept {
    if (cost != 0) sum.fetch_add(cost, std::memory_order_relaxed);
  }

  std::atomic<std::uint64_t> archetypes_seen_{0};
  std::atomic<std::uint64_t> archetypes_matched_{0};
  std::atomic<std::uint64_t> patches_{0};
  std::atomic<std::uint64_t> patched_rows_{0};
};

}  // namespace strata::detail
