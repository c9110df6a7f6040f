// AccessLog: counts how the components of a store are used while it observes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "access_observer.hpp"

namespace strata {

/// How often one component was looked up, added and removed.
struct AccessCounts {
  std::uint64_t found = 0;     ///< Look-ups of entities that have it: get, find, has, set.
  std::uint64_t missed = 0;    ///< Look-ups of others.
  std::uint64_t added = 0;     ///< To entities that did not have it.
  std::uint64_t replaced = 0;  ///< Given to entities that had it.
  std::uint64_t removed = 0;   ///< From entities that had it.

  // Of the rows of all entities to which it was added or from which it was removed: what a change moves if
  // the component lives in tables, its own value not counted.
  std::uint64_t changed_bytes = 0;
  std::uint64_t changed_columns = 0;

  std::uint64_t look_ups() const { return found + missed; }
  std::uint64_t changes() const { return added + removed; }
};

}  // namespace strata

namespace strata::detail {

/// All iterations that asked the same.
struct IterationCounts {
  std::vector<AskedOf> asked;
  Visited visited = Visited::rows;
  std::uint64_t iterations = 0;
  std::uint64_t rows = 0;    ///< That matched, in all of them together.
  std::uint64_t tables = 0;  ///< With rows, of the matched archetypes, in all of them together.

  bool asks_of(ComponentId id) const;
};

/// Threads: readers may tell it of uses at the same time.
class AccessLog final : public AccessObserver {
 public:
  AccessLog() = default;
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;
  ~AccessLog();

  void looked_up(ComponentId id, bool found) noexcept override;
  void added(ComponentId id, Place row, bool had) noexcept override;
  void removed(ComponentId id, Place row, bool had) noexcept override;
  void iterated(const Iteration& iteration) override;

  /// Contract: no use is recorded meanwhile; this goes for the two functions below as well.
  AccessCounts counts_of(ComponentId id) const;
  const std::vector<IterationCounts>& iterations() const { return iterations_; }

  /// Returns: how many uses could not be counted, because memory ran out.
  std::uint64_t lost() const { return lost_; }

  void clear() noexcept;

 private:
  static constexpr std::size_t kPerPage = 64;
  /// Pages never move, and asking for one does not throw: uses are told of where nothing may fail.
  struct Page {
    AccessCounts counts[kPerPage];
    Page* next = nullptr;
  };

  AccessCounts* find_counts(ComponentId id) noexcept;
  void count_change(ComponentId id, Place row, std::uint64_t AccessCounts::*which, bool moves) noexcept;

  mutable std::mutex mutex_;
  Page first_;
  std::vector<IterationCounts> iterations_;
  std::size_t recent_ = 0;  // Found last: the same query is often run again and again.
  std::uint64_t lost_ = 0;
};

}  // namespace strata::detail
