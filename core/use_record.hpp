// UseRecord: which threads use an object at the moment, and for what.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiler.hpp"

namespace strata::detail {

/// What a thread does with an object.
enum class Use : std::uint8_t { read, change };

/// The name of a use in messages: an operation, such as "add" or "a query that writes ", and what it works on. Both
/// texts live as long as the object that is used, or longer.
struct UseName {
  const char* operation = "";
  const char* object = "";

  /// Returns: the name, without template arguments that some compilers add to names of functions.
  std::string text() const {
    const std::string_view all = operation;
    return std::string(all.substr(0, all.find('<'))) + object;
  }
};

/// A thread, and the thread for which it works: the same thread or, for a worker of an executor, the thread that called
/// the executor. Uses by threads that work for the same thread do not conflict with each other.
struct UserThread {
  const void* thread;
  const void* works_for;
};

/// Records, by thread, which uses of an object are under way. Any number of threads may read at a time. While a thread
/// changes the object, no other thread may use it. Exception: threads with the same UserThread::works_for do not
/// conflict with each other. Uses of one thread may nest; the record keeps the names of its outermost use and of its
/// outermost change.
///
/// If two threads begin conflicting uses at the same time, at least one of them notices the conflict: each thread first
/// writes its own entry and then reads the entries of other threads, in one order for all threads
/// (std::memory_order_seq_cst).
///
/// Invariants:
///   U4. An entry without an owner has no uses.
///   U5. No two entries have the same owner.
///   U6. Entries above the highest one that was ever taken have no owner.
///
/// Threads: any number at a time. A use ends on the thread on which it began. `check_invariants` may only be called
/// while no thread begins or ends a use.
class UseRecord {
 private:
  struct Name {
    std::atomic<const char*> operation{""};
    std::atomic<const char*> object{""};

    void set(UseName name);
    UseName get() const;
  };

 public:
  /// The most threads that are recorded at a time. Uses by further threads are not recorded.
  static constexpr std::size_t kMostThreads = 256;

  /// The uses by one thread.
  class alignas(64) Entry {
   private:
    friend class UseRecord;
    std::atomic<const void*> owner_{nullptr};  // The thread; null: the entry is free.
    std::atomic<const void*> works_for_{nullptr};
    // From the lowest bits on: the number of reads under way (16 bits), the number of changes under way (16 bits), and
    // how often `state_` was written (32 bits). If another thread reads `state_`, then the names below, and then the
    // same `state_` again, these are the names of the uses that `state_` counts.
    std::atomic<std::uint64_t> state_{0};
    Name first_;   // The outermost use.
    Name change_;  // The outermost change.
  };

  UseRecord() = default;
  UseRecord(const UseRecord&) = delete;
  UseRecord& operator=(const UseRecord&) = delete;

  /// What `begin` returns: where the use was recorded, or with which use of another thread it conflicts. Has neither if
  /// there was no free entry for the thread (see kMostThreads).
  struct Begun {
    Entry* entry = nullptr;             ///< The entry to pass to `end`; null if nothing was recorded.
    std::optional<UseName> conflict{};  ///< The use of the other thread; nullopt if there is no conflict.
  };

  /// Records that a use by a thread begins, unless it conflicts with a use of another thread that is under way. If
  /// kMostThreads other threads are recorded already, neither records the use nor looks for conflicts.
  /// Complexity: O(threads that use the object).
  Begun begin(UserThread user, Use use, UseName name);
  /// Ends a use that `begin` has recorded.
  void end(Entry& entry, Use use) noexcept;

  /// Returns: a sentence about the first invariant that is violated; empty if all hold.
  std::string check_invariants() const;

 private:
  Entry* find(UserThread user);
  Entry* take(UserThread user);
  std::optional<UseName> find_conflict(const Entry& own, Use use) const;

  std::array<Entry, kMostThreads> entries_;
  std::atomic<std::size_t> taken_{0};  // All entries that were ever taken have an index below this.
};

}  // namespace strata::detail
