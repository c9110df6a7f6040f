// OccupancyLog: a log of the archetypes that were created, got their first row, or lost their last one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>

#include "../../core/memory_use.hpp"
#include "../../core/plain_list.hpp"

namespace strata::detail {

/// A list of ids of archetypes, with one entry each time an archetype is created, gets its first row or loses its last
/// one. The log also has an entry for each call of Archetypes::mark_storage_moved, for example when a component moves
/// to another storage. A reader, such as a query, remembers how far it has read, so it learns of changes without
/// checking all archetypes. Recording never allocates: if the log is full, all its entries are removed first. A reader
/// that had not read all of them has to check all archetypes once. This is rare, because the log has room for at least
/// as many entries as there are archetypes.
///
/// Threads: any number of readers, or one writer.
class OccupancyLog {
 public:
  explicit OccupancyLog(std::pmr::memory_resource* memory) : entries_(memory) {}

  /// Gives the log room for at least `archetypes` entries, so that `record` can be called. `archetypes` is the number
  /// of archetypes, including one that is about to be created.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(std::size_t archetypes);

  /// Appends the id of an archetype. If the log is full, drops all earlier entries first.
  /// Contract: `reserve` was called before, at least once.
  void record(std::uint32_t archetype) noexcept {
    if (known_ == entries_.size()) known_ = 0;
    entries_[known_++] = archetype;
    ++end_;
  }

  /// Returns: the number of entries recorded so far, dropped ones included. A reader remembers it as the
  /// number of the next entry to read.
  std::uint64_t end() const { return end_; }

  /// Returns: whether the log still contains all entries from number `first` on; entries are numbered from 0.
  bool reaches(std::uint64_t first) const { return end_ - first <= known_; }

  /// Returns: the entries from number `first` on; entries are numbered from 0.
  /// Contract: the log still contains them; see `reaches`.
  std::span<const std::uint32_t> since(std::uint64_t first) const {
    return {entries_.data() + (known_ - (end_ - first)), end_ - first};
  }

  MemoryUse memory_use() const { return {known_ * sizeof(std::uint32_t), memory_use_of(entries_).reserved}; }

 private:
  static constexpr std::size_t kLeast = 64;

  PlainList<std::uint32_t> entries_;  // The first `known_` elements are the entries.
  std::size_t known_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace strata::detail
