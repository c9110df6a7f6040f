// MoveLog: a log of the entities whose rows have moved or whose parents have changed, for a reader that caches the
// positions of rows.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>

#include "../../core/memory_use.hpp"
#include "../../core/plain_list.hpp"

namespace strata::detail {

/// A list of the entities whose rows have moved or that have got another parent; see RowChanges. An entry is the slot
/// index of an entity (Entity::index). New entities are not recorded. The log has one reader, which reads the entries
/// and then clears the log. Recording never allocates. When there is no room for an entry, the log overflows: its
/// entries are dropped, and the reader has to compute all of its data again.
class MoveLog {
 public:
  explicit MoveLog(std::pmr::memory_resource* memory) : entries_(memory) {}

  /// Makes room for at least `entities` / 8 entries, where `entities` is the number of entity slots in the world. So
  /// the log overflows only after many rows have moved.
  /// Errors: std::bad_alloc; nothing has changed then.
  STRATA_API void reserve(std::size_t entities);

  /// Frees unused memory. Keeps the recorded entries, and room for as many entries as `reserve(entities)` asks for.
  /// Errors: std::bad_alloc; the entries are unchanged then.
  void shrink(std::size_t entities);

  MemoryUse memory_use() const { return memory_use_of(entries_); }

  /// Appends the slot index of an entity. If the log is full, marks it as overflowed instead.
  void record(std::uint32_t index) noexcept {
    // `overflowed_` is not checked here. If the log has overflowed, the new entry does no harm, because `entries`
    // returns no entry until `clear`.
    if (entries_.full()) [[unlikely]] {
      overflowed_ = true;
    } else {
      entries_.append(index);
    }
  }

  /// Marks the log as overflowed: any row may have moved, so the reader has to compute all of its data again.
  void overflow() noexcept { overflowed_ = true; }

  bool empty() const { return entries_.empty() && !overflowed_; }

  /// Returns: whether the log has overflowed since the last `clear`. If it has, entries are missing.
  bool overflowed() const { return overflowed_; }
  /// Returns: the recorded slot indices; an empty span if the log has overflowed since the last `clear`.
  std::span<const std::uint32_t> entries() const {
    return overflowed_ ? std::span<const std::uint32_t>()
                       : std::span<const std::uint32_t>(entries_.data(), entries_.size());
  }

  void clear() noexcept {
    entries_.clear();
    overflowed_ = false;
  }

 private:
  static constexpr std::size_t kLeast = 256;

  PlainList<std::uint32_t> entries_;
  bool overflowed_ = false;
};

}  // namespace strata::detail
