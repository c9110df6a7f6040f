// AccessLog: counts how often the components of a store are used, while this object is the store's AccessObserver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "../../core/compiler.hpp"
#include "access_observer.hpp"

namespace strata::detail {

/// How often one component was looked up, added and removed.
struct AccessCounts {
  std::uint64_t found = 0;     ///< Look-ups (get, find, has, set) of entities that have the component.
  std::uint64_t missed = 0;    ///< Look-ups of entities that do not have the component or are stale.
  std::uint64_t added = 0;     ///< Additions to entities that did not have the component.
  std::uint64_t replaced = 0;  ///< Additions to entities that had the component.
  std::uint64_t removed = 0;   ///< Removals from entities that had the component.

  // The sizes of the entities' rows in bytes and in columns, without the component itself, summed over all additions
  // and removals that `changes` counts. These sums tell what the component costs in table storage: there, each addition
  // or removal moves such a row to another table.
  std::uint64_t changed_bytes = 0;
  std::uint64_t changed_columns = 0;

  /// Returns: the number of look-ups of the component, both in entities that have it and in others.
  std::uint64_t look_ups() const { return found + missed; }
  /// Returns: the number of additions and removals that changed the set of components of an entity.
  std::uint64_t changes() const { return added + removed; }
};

/// Counts of the iterations of all queries that have equal terms and visit rows in the same way.
struct IterationCounts {
  std::vector<ComponentAccess> terms;  ///< The terms that each of these queries has.
  Visited visited = Visited::rows;
  std::uint64_t iterations = 0;  ///< The number of iterations.
  std::uint64_t rows = 0;        ///< The number of matching rows, summed over all iterations.
  std::uint64_t tables = 0;      ///< Non-empty tables of the matching archetypes, summed over all iterations.

  /// Returns: whether one of the terms uses the component.
  bool has_term_of(ComponentId id) const;
};

/// Counts how each component of a store is used, and how often each kind of query iterates, while this object is the
/// observer of the store. StorageAdvisor, which recommends a storage for each component, evaluates these counts.
///
/// Threads: several readers may report uses at the same time.
class AccessLog final : public AccessObserver {
 public:
  AccessLog() = default;
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;
  STRATA_API ~AccessLog();

  void looked_up(ComponentId id, bool found) noexcept override;
  void added(ComponentId id, Place row, bool had) noexcept override;
  void removed(ComponentId id, Place row, bool had) noexcept override;
  void iterated(const Iteration& iteration) override;

  /// Returns: the counts of one component; all 0 if no use of it was counted.
  /// Contract: no other thread reports a use during the call. `iterations`, `lost` and `clear` have the same contract.
  AccessCounts counts_of(ComponentId id) const;
  /// Returns: the counts of iterations. Each entry is for all queries that have equal terms and visit rows in
  /// the same way (see Visited).
  const std::vector<IterationCounts>& iterations() const { return iterations_; }

  /// Returns: the number of uses that were not counted because no memory was available.
  std::uint64_t lost() const { return lost_; }

  /// Sets the counts of all components and `lost` to 0, and empties `iterations`. Frees the memory for counts of
  /// components.
  /// Contract: no other thread reports a use during the call.
  void clear() noexcept;

 private:
  static constexpr std::size_t kPerPage = 64;
  /// The counts of kPerPage adjacent component ids. A page is allocated by a non-throwing `new`, because most functions
  /// that report uses are noexcept.
  struct Page {
    AccessCounts counts[kPerPage];
    Page* next = nullptr;
  };

  AccessCounts* find_counts(ComponentId id) noexcept;
  void count_change(ComponentId id, Place row, std::uint64_t AccessCounts::*which, bool moves) noexcept;

  mutable std::mutex mutex_;
  Page first_;
  std::vector<IterationCounts> iterations_;
  std::size_t recent_ = 0;  // The entry used last, which is tried first: queries often repeat.
  std::uint64_t lost_ = 0;
};

}  // namespace strata::detail
