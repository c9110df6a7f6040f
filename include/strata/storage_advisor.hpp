// StorageAdvisor: watches how a running program uses its components, and says which would better live elsewhere.
#pragma once

#include <cstdint>
#include <string>

#include "../../storage/observing/access_log.hpp"
#include "storage_advice.hpp"
#include "storage_costs.hpp"

namespace strata {

namespace detail {
class Store;
}  // namespace detail
class World;

/// Counts, while it is running, how often each component of a world is iterated, looked up, added and
/// removed, and weighs what that costs in tables against what it would cost in the side store.
///
///     strata::StorageAdvisor advisor(world);
///     advisor.start();
///     for (int frame = 0; frame < 100; ++frame, advisor.next_frame()) run_systems(world);
///     advisor.stop();
///     std::cout << advisor.report();
///
/// It counts queries, `each_block` among them; get, find, has and set, and ancestors_with for each ancestor; add and
/// remove, also as commands, once per entity when they are applied; all of them by type or by id. A read whose result
/// is not used, or that the compiler merges with the one before, may be counted less often. It does not count partial
/// updates (`propagate` of a cascade); reads through an Accessor, and its changes of side-store components; components
/// of entities that are created, copied or destroyed; and `Pool::clear`.
///
/// While no advisor runs, look-ups and additions by type take not one instruction more; removals, uses by id and starts
/// of iterations test one pointer. While one runs, look-ups are many times slower. That does not affect the estimates,
/// which are counts weighed by StorageCosts.
///
/// Contract: the world outlives it.
/// Threads: `start`, `stop` and `advise` are a writer's; while it runs, several readers are counted.
class StorageAdvisor {
 public:
  explicit StorageAdvisor(World& world, StorageCosts costs = {});
  StorageAdvisor(const StorageAdvisor&) = delete;
  StorageAdvisor& operator=(const StorageAdvisor&) = delete;
  ~StorageAdvisor() { stop(); }

  /// Counts from now on, in addition to what was counted before.
  /// Contract: no advisor is running on this world, no query iterates.
  void start();
  /// Counts no more, and keeps what was counted.
  void stop() noexcept;
  /// Returns: whether uses are being counted.
  bool running() const { return running_; }

  /// Says that a frame has ended, so that figures are per frame.
  void next_frame() { frames_ += running_ ? 1 : 0; }

  /// Forgets what was counted.
  void clear() noexcept;

  /// Weighs what was counted, with the entities that the world has now: ask while it is in a typical state.
  /// Errors: std::bad_alloc.
  /// Complexity: O(tables + members of the side store + components^2 * kinds of queries * archetypes).
  [[nodiscard]] StorageAdvice advise() const;

  /// Returns: the advice in words.
  /// Errors, Complexity: as `advise`.
  [[nodiscard]] std::string report() const { return describe(advise()); }

 private:
  detail::Store& store_;
  StorageCosts costs_;
  detail::AccessLog log_;
  std::uint64_t frames_ = 0;
  bool running_ = false;
};

}  // namespace strata
