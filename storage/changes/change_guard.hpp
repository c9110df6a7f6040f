// ChangeGuard: what is under way in a store, and what may therefore not begin.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "../../core/contract.hpp"
#include "../../core/entity.hpp"

namespace strata::detail {

/// Each thread has one, whose address tells it from the others: std::this_thread::get_id is a call.
inline constinit thread_local const char thread_mark = 0;

/// Counts iterations and marks operations during which user code runs. While either is under way, no structural change
/// may begin: a contract, whose message names what is under way. A query may begin unless values are being moved.
///
/// Threads: iterations may begin in several threads, and each ends in the thread where it began. All else is for the one
/// writer, which is alone then, so that marking an operation takes no locked instruction. Nor does an iteration in the
/// thread that made the guard: it has a count of its own, because two locked instructions take longer than visiting a
/// handful of rows.
class ChangeGuard {
 public:
  /// Begins a structural change: what was recorded before is not applied when it ends.
  /// Contract: nothing is under way; the message names the operation that is refused, and its entity.
  void require_unlocked(const char* operation, Entity entity, CallSite at = {}) const {
    if ((now() & (kLocks | kRecorded)) != 0) [[unlikely]]
      begin_change_slowly(operation, entity, at);
    operation_ = operation;
  }

  /// Begins a change that is no structural one: as above, but it may be made while something is under way.
  void begin_replacement() const {
    if (!locked()) take_recorded();
  }

  /// Contract: no values are being moved: their rows are not whole.
  void require_whole() const {
    if ((state_.load(std::memory_order_relaxed) & kMoving) != 0) [[unlikely]]
      refuse_query();
  }

  bool locked() const { return (now() & kLocks) != 0; }
  bool iterating() const { return (now() & kIterations) != 0; }

  /// Returns: whether nothing is under way or left by something that ended by an exception, and every component is stored as
  /// it was registered: one question for all.
  bool undisturbed() const { return (now() & ~kDead) == 0; }

  /// Returns: whether something is to be done when nothing is under way any more.
  bool has_pending() const { return (state_.load(std::memory_order_relaxed) & kPending) != 0; }

  // What is under way.

  /// Returns: the name of the operation that has begun last.
  const char* operation() const { return operation_; }

  /// Returns: what is, as part of a sentence: "a query is iterating".
  std::string under_way() const;

  /// Iterations nest.
  /// Returns: whether it is in the count of the thread that made the guard, for `end_iteration`.
  /// Contract: as `require_whole`.
  [[nodiscard]] bool begin_iteration() const {
    const std::uint32_t before = state_.load(std::memory_order_relaxed);
    const bool is_own = &thread_mark == own_thread_;
    if (is_own) [[likely]] {
      add_to_own(1);
    } else {
      state_.fetch_add(1, std::memory_order_relaxed);
    }
    if ((before & (kMoving | kRecorded)) != 0) [[unlikely]]
      begin_iteration_slowly(before, is_own);
    return is_own;
  }
  void end_iteration(bool is_own) const {
    if (is_own) [[likely]]
      return add_to_own(-1u);
    state_.fetch_sub(1, std::memory_order_relaxed);
  }

  /// Begins an iteration if that takes no more than counting it: in the thread that made the guard, with nothing to be
  /// looked at before.
  /// Returns: whether it has begun. `end_own_iteration` ends it.
  [[nodiscard]] bool try_begin_own_iteration() const {
    const bool is_own = &thread_mark == own_thread_;
    if (!is_own || (state_.load(std::memory_order_relaxed) & (kMoving | kRecorded)) != 0) return false;
    add_to_own(1);
    return true;
  }
  void end_own_iteration() const { add_to_own(-1u); }

  /// Refuses structural changes while it lives, in the name of an operation. Operations nest.
  class Operation {
   public:
    Operation(const ChangeGuard& guard, const char* name) : Operation(guard, name, kOperation) {}
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;
    ~Operation() {
      if (!was_set_) guard_.clear(bit_);
      guard_.operation_ = outer_;
    }

   protected:
    Operation(const ChangeGuard& guard, const char* name, std::uint32_t bit)
        : guard_(guard), outer_(guard.operation_), bit_(bit), was_set_(guard.set(bit)) {
      guard.operation_ = name;
    }

   private:
    const ChangeGuard& guard_;
    const char* outer_;
    std::uint32_t bit_;
    bool was_set_;
  };

  /// The same while values are being moved, which refuses queries, too. It keeps the name of the operation.
  class Moving : public Operation {
   public:
    explicit Moving(const ChangeGuard& guard) : Operation(guard, guard.operation_, kMoving) {}
  };

  /// The same where values may not run any code when they are moved: for those, it does nothing.
  class MovingIf {
   public:
    MovingIf(const ChangeGuard& guard, bool runs_code) : MovingIf(&guard, runs_code) {}
    /// Null: nothing is guarded.
    MovingIf(const ChangeGuard* guard, bool runs_code) {
      if (runs_code && guard != nullptr) moving_.emplace(*guard);
    }

   private:
    std::optional<Moving> moving_;
  };

  // What is to be done later.

  /// Notes that a command has been recorded: one that is recorded while something is under way is applied when that ends,
  /// unless it ends by an exception.
  void note_recorded() const {
    if (locked()) state_.fetch_or(kRecorded, std::memory_order_relaxed);
  }
  /// Returns: whether a command has been recorded while something was under way, since the last call.
  bool take_recorded() const { return set_to(kRecorded, false); }

  /// Notes that values wait to be destroyed when the change that ends them is complete.
  void note_dead() const { set(kDead); }
  /// Returns: whether there are such values, since the last call.
  bool take_dead() const { return set_to(kDead, false); }

  /// Notes whether components have been moved to another storage.
  void note_storages(bool moved) const { set_to(kComponentsMoved, moved); }
  bool knows_moved_components() const {
    return (state_.load(std::memory_order_relaxed) & kComponentsMoved) != 0;
  }

 private:
  static constexpr std::uint32_t kIterations = (1u << 24) - 1;  // Their number.
  static constexpr std::uint32_t kOperation = 1u << 24;
  static constexpr std::uint32_t kMoving = 1u << 25;
  static constexpr std::uint32_t kLocks = kIterations | kOperation | kMoving;
  static constexpr std::uint32_t kRecorded = 1u << 26;
  static constexpr std::uint32_t kDead = 1u << 27;
  static constexpr std::uint32_t kPending = kRecorded | kDead;
  static constexpr std::uint32_t kComponentsMoved = 1u << 31;

  /// Returns: all that is under way, of iterations no more than that there are some.
  std::uint32_t now() const {
    return state_.load(std::memory_order_relaxed) | own_iterations_.load(std::memory_order_relaxed);
  }

  /// Only one thread writes this count: it needs no read-modify-write.
  void add_to_own(std::uint32_t change) const {
    own_iterations_.store(own_iterations_.load(std::memory_order_relaxed) + change,
                          std::memory_order_relaxed);
  }

  /// Returns: whether the bit was set before.
  bool set_to(std::uint32_t bit, bool value) const {
    const std::uint32_t before = state_.load(std::memory_order_relaxed);
    state_.store(value ? before | bit : before & ~bit, std::memory_order_relaxed);
    return (before & bit) != 0;
  }
  bool set(std::uint32_t bit) const { return set_to(bit, true); }
  void clear(std::uint32_t bit) const { set_to(bit, false); }

  [[gnu::noinline]] void begin_iteration_slowly(std::uint32_t before, bool is_own) const;
  [[gnu::noinline]] void begin_change_slowly(const char* operation, Entity entity, CallSite at) const;
  [[noreturn]] void refuse_change(const char* operation, Entity entity, CallSite at) const;
  [[noreturn, gnu::noinline]] void refuse_query() const;

  mutable std::atomic<std::uint32_t> state_{0};           // Iterations in other threads, and the bits above.
  mutable std::atomic<std::uint32_t> own_iterations_{0};  // In the thread that made the guard.
  const void* own_thread_ = &thread_mark;
  mutable const char* operation_ = "";  // The one that has begun last.
};

}  // namespace strata::detail
