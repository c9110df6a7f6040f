// StorageAdvisor: counts how a running program uses its components, and recommends a storage for each.
#pragma once

#include <cstdint>
#include <string>

#include "../../core/compiler.hpp"
#include "../../storage/observing/access_log.hpp"
#include "storage_advice.hpp"

namespace strata {

namespace detail {
class Store;
}  // namespace detail
class World;

/// Counts, while it is running, how often each component of a world is iterated, looked up, added and removed. From
/// these counts, it computes what the uses cost in tables and in the side store (sparse sets), and recommends the
/// cheaper storage for each component.
///
///     strata::StorageAdvisor advisor(world);
///     advisor.start();
///     for (int frame = 0; frame < 100; ++frame, advisor.next_frame()) run_systems(world);
///     advisor.stop();
///     std::cout << advisor.report();
///
/// These uses are counted, whether the component is given by its C++ type or by its id:
/// - queries that visit all of their entities: each, each_block and range-for, also by depth and on several threads
/// - get, find, has and set
/// - ancestors_with, for each ancestor
/// - add and remove; recorded additions and removals count once per entity, when the commands are applied
/// A read may be missing in the counts if its result is not used, or if the compiler merges it with the read before it.
///
/// These uses are not counted: visits of a part of the entities (propagate, changed, changed_subtrees, each_of, and
/// queries of pairs) and visits in the order of values (order_by); reads through an Accessor, and its changes of
/// side-store components; components of entities that are created, copied or destroyed; `Pool::clear`.
///
/// While no advisor runs, look-ups and additions by type cost nothing extra; removals, uses by id and starts of
/// iterations test one pointer. While an advisor runs, look-ups are many times slower. This does not affect the
/// estimates, which are computed from the counts and StorageAdvice::Costs, not from measured times.
///
/// Contract: the world outlives the StorageAdvisor.
/// Threads: `start`, `stop` and `advise` count as changes of the world: no other thread may use the world at the same
/// time. While the advisor runs, several threads may read the world; their uses are counted.
class StorageAdvisor {
 public:
  STRATA_API explicit StorageAdvisor(World& world, StorageAdvice::Costs costs = {});
  StorageAdvisor(const StorageAdvisor&) = delete;
  StorageAdvisor& operator=(const StorageAdvisor&) = delete;
  ~StorageAdvisor() { stop(); }

  /// Starts to count. New uses are added to the counts of earlier runs (from `start` to `stop`); `clear` sets the
  /// counts to 0.
  /// Contract: no advisor is running on this world, and no query iterates.
  STRATA_API void start();
  /// Stops counting, and keeps the counts.
  STRATA_API void stop() noexcept;
  /// Returns: whether uses are being counted.
  bool running() const { return running_; }

  /// Marks the end of a frame; does nothing if the advisor is not running. If frames were counted since the last
  /// `clear`, `advise` gives costs per frame instead of total costs.
  void next_frame() { frames_ += running_ ? 1 : 0; }

  /// Sets all counts to 0, including the number of frames.
  STRATA_API void clear() noexcept;

  /// Computes in which storage each component would cost least, from the counts of its uses and from the entities that
  /// the world has now. Call it while the world is in a typical state.
  /// Returns: for each component, its storage now, the recommended storage, the cost of its uses in the recommended
  /// storage, and how much more the uses would cost in the other storage.
  /// Errors: std::bad_alloc.
  /// Complexity: O(tables + members of sparse sets + components^2 * kinds of queries * archetypes).
  [[nodiscard]] STRATA_API StorageAdvice advise() const;

  /// Returns: the result of `advise` as text, a line for each component.
  /// Errors: std::bad_alloc.
  /// Complexity: that of `advise`.
  [[nodiscard]] std::string report() const { return describe(advise()); }

 private:
  detail::Store& store_;
  StorageAdvice::Costs costs_;
  detail::AccessLog log_;
  std::uint64_t frames_ = 0;
  bool running_ = false;
};

}  // namespace strata
