// ChangeGuard: refuses structural changes of a store while a query iterates or while the library calls user
// code.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "../../core/compiler.hpp"
#include "../../core/contract.hpp"
#include "../../core/entity.hpp"
#include "../../core/use_guard.hpp"

namespace strata::detail {

/// Each thread has its own copy of this variable, so the address of the copy identifies the thread. Used instead of
/// std::this_thread::get_id, because taking an address needs no call.
inline constinit thread_local const char thread_mark = 0;

/// What has to be notified of a change. A greater value also stands for the smaller ones: `all` includes `tree` and
/// `toggles`. `toggles`: the record that says which components are switched off for which entities (see
/// ChangeGuard::mark_toggled). `tree`: data that depend on the hierarchy and are stored outside the tables, such as an
/// index of names (see TreeListener). `all`: the listener, to which a store reports all changes (see ChangeListener).
enum class Notified : std::uint8_t { nothing, toggles, tree, all };

/// Kinds of data that are stored outside the tables and have to be updated when the hierarchy changes; see
/// ChangeGuard::mark_tree_listened. `names`: an index of names. `relations`: links between entities other than the
/// parent. `states`: which entities are disabled, and which are prefabs (templates).
enum class TreeListener : std::uint8_t { names = 1, relations = 2, states = 4 };

/// The lock of a store against changes during iterations and user code. The guard counts the iterations of queries that
/// are under way, and marks operations during which user code runs. While any iteration or operation is under way,
/// beginning a structural change breaks a contract; the message names what is under way. A query may begin unless
/// values are being moved. The guard also records whether there is work to do when all iterations and operations have
/// ended: commands to apply, or removed values to destroy.
///
/// Threads: several threads may iterate and test the state of the guard; each iteration ends in the thread where it
/// began. Only the one writer makes other changes of the state, while no other thread uses the guard, so marking an
/// operation takes no locked instruction (atomic read-modify-write). Iterations in the thread that made the guard have
/// a counter of their own, so they take no locked instruction either: two locked instructions take longer than visiting
/// a few rows. In checked builds, `uses` finds threads that break these rules.
class ChangeGuard {
 public:
  /// Returns: the UseGuard of the store. In checked builds, a UseScope uses it to find threads that change the store
  /// while other threads change or read it; in other builds, it checks nothing.
  UseGuard& uses() const { return uses_; }

  /// Called when a structural change begins: checks that it may. Locks nothing, so the guard need not be told when the
  /// change ends. `operation` is the name of the change in messages. Commands (deferred changes) that were recorded
  /// before, such as those of an iteration that an exception has ended, are not applied when this change ends: they
  /// wait for World::flush or until later commands are applied.
  /// Returns: what has to be notified of the change; see `listened`, `tree_listened` and `toggled`.
  /// Contract: no query is iterating, and no operation that runs user code is under way. The message names `operation`
  /// and `entity`.
  STRATA_ALWAYS_INLINE Notified require_unlocked(const char* operation, Entity entity,
                                                 CallSite at = {}) const {
    Notified notified = Notified::nothing;
    if (const std::uint32_t state = now(); (state & (kLocks | kRecorded | kNotified | kToggled)) != 0)
        [[unlikely]] {
      const bool is_free = (state & (kLocks | kRecorded)) == 0;
      notified = is_free ? notified_in(state) : begin_change_slowly(operation, entity, at);
    }
    // In checked builds, checks that no other thread uses the store now. Needed for callers that have not made this
    // check themselves.
    const UseScope alone(uses_, Use::change, {operation}, at);
    operation_ = operation;
    return notified;
  }

  /// Called before a change that only replaces values. Such a change moves no row, so it is allowed while an iteration
  /// or operation is under way. If none is under way, makes sure that the end of this change does not apply commands
  /// that were recorded before it: they wait for World::flush or until later commands are applied.
  void begin_replacement() const {
    if (!locked()) take_recorded();
  }

  /// Checks that an operation that reads rows may begin. `operation` is its name in messages; null for a query.
  /// Contract: no values are being moved, because rows are incomplete during a move.
  void require_whole(const char* operation = nullptr) const {
    if ((state_.load(std::memory_order_relaxed) & kMoving) != 0) [[unlikely]]
      refuse_reading(operation);
  }

  /// Checks that all entities can be read, for an operation such as saving the world. Several threads may do this
  /// operation at the same time, and queries may iterate meanwhile. `operation` is its name in messages.
  /// Contract: no operation is under way that runs user code or moves values, because entities may be incomplete during
  /// such an operation.
  void require_readable(const char* operation) const {
    if ((state_.load(std::memory_order_relaxed) & (kOperation | kMoving)) != 0) [[unlikely]]
      refuse_reading(operation);
  }

  /// Returns: whether an iteration or operation is under way.
  bool locked() const { return (now() & kLocks) != 0; }
  /// Returns: whether an iteration is under way.
  bool iterating() const { return (now() & kIterations) != 0; }
  /// Returns: whether values are being moved.
  bool moving() const { return (state_.load(std::memory_order_relaxed) & kMoving) != 0; }

  /// Tests several conditions in one comparison, for fast paths. What `mark_dead`, `mark_tree_listened` and
  /// `mark_toggled` have recorded does not matter.
  /// Returns: true if no iteration or operation is under way, `has_recorded` is false, every component is in the
  /// storage (tables or sparse set) in which it was registered, and `listened` is false; otherwise false.
  bool undisturbed() const { return (now() & ~(kDead | kTreeListened | kToggled)) == 0; }

  /// Records whether changes are reported to a listener; see ChangeListener.
  void mark_listened(bool listened) const { set_to(kListened, listened); }
  /// Returns: whether changes are reported to a listener.
  bool listened() const { return (state_.load(std::memory_order_relaxed) & kListened) != 0; }

  /// Records whether there are data of the kind `listener`, such as an index of names by parent. Such data are stored
  /// outside the tables, and have to be updated when the hierarchy changes, but not when components or values change.
  void mark_tree_listened(TreeListener listener, bool listened) const {
    const auto bit = static_cast<std::uint8_t>(listener);
    tree_listeners_ = static_cast<std::uint8_t>(listened ? tree_listeners_ | bit : tree_listeners_ & ~bit);
    set_to(kTreeListened, tree_listeners_ != 0);
  }
  /// Returns: whether there are data of the kind `listener`, as recorded by `mark_tree_listened`.
  bool tree_listens(TreeListener listener) const {
    return (tree_listeners_ & static_cast<std::uint8_t>(listener)) != 0;
  }
  /// Returns: whether a change of the hierarchy has consequences: it has to be reported to the listener of the store,
  /// or data outside the tables (see TreeListener) have to be updated.
  bool tree_listened() const { return (state_.load(std::memory_order_relaxed) & kNotified) != 0; }

  /// Records whether any component is switched off for any entity; see toggles.hpp.
  void mark_toggled(bool toggled) const { set_to(kToggled, toggled); }
  /// Returns: whether any component is switched off for any entity, as recorded by `mark_toggled`.
  bool toggled() const { return (state_.load(std::memory_order_relaxed) & kToggled) != 0; }
  /// Returns: whether `listened` or `toggled` is true. Then the removal of a component has to be reported to the
  /// listener, or may have to update the record of switched-off components. Tests both at once.
  bool removal_notified() const {
    return (state_.load(std::memory_order_relaxed) & (kListened | kToggled)) != 0;
  }

  /// Returns: whether `has_pending` or `listened` is true. Tests both at once.
  bool has_pending_or_listened() const {
    return (state_.load(std::memory_order_relaxed) & (kPending | kListened)) != 0;
  }

  /// Returns: whether there is work to do when all iterations and operations have ended: recorded commands to
  /// apply, or removed values to destroy.
  bool has_pending() const { return (state_.load(std::memory_order_relaxed) & kPending) != 0; }

  /// Returns: the name of the innermost Operation that is under way. If no Operation is under way, the name that was
  /// passed to `require_unlocked` last.
  const char* operation() const { return operation_; }

  /// Returns: what is under way, as part of a message: the operation, such as "destroy is under way", or else
  /// "a query is iterating". Only meaningful while `locked()` is true.
  std::string under_way() const;

  /// Begins an iteration; iterations nest. If no other iteration and no operation is under way, makes sure that the end
  /// of this iteration does not apply commands that were recorded before it: they wait for World::flush or until later
  /// commands are applied.
  /// Returns: whether this thread made the guard. If it did, the iteration is counted in a separate counter, which no
  /// other thread writes. The caller passes the result to `end_iteration`.
  /// Contract: no values are being moved.
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
  /// Ends an iteration. `is_own` is the result of the call of `begin_iteration` that began it.
  void end_iteration(bool is_own) const {
    if (is_own) [[likely]]
      return add_to_own(-1u);
    state_.fetch_sub(1, std::memory_order_relaxed);
  }

  /// Begins an iteration if this thread made the guard, no values are being moved and no commands are recorded; this
  /// takes no locked instruction. Otherwise does nothing.
  /// Returns: whether the iteration has begun. If it has, the caller ends it by `end_own_iteration`.
  [[nodiscard]] bool try_begin_own_iteration() const {
    const bool is_own = &thread_mark == own_thread_;
    if (!is_own || (state_.load(std::memory_order_relaxed) & (kMoving | kRecorded)) != 0) return false;
    add_to_own(1);
    return true;
  }
  /// Ends an iteration that `try_begin_own_iteration` has begun.
  void end_own_iteration() const { add_to_own(-1u); }

  /// The scope of one iteration: during its lifetime, structural changes are refused. Iterations nest.
  class Iteration {
   public:
    explicit Iteration(const ChangeGuard& guard)
        : use_(guard.uses(), Use::read, {"an iteration"}), guard_(guard), is_own_(guard.begin_iteration()) {}
    /// `describe` is a function that tells UseScope whether the iteration reads or changes values. In checked builds, a
    /// UseScope finds conflicting uses by several threads.
    template <class Describe>
    Iteration(const ChangeGuard& guard, const Describe& describe)
        : use_(guard.uses(), describe), guard_(guard), is_own_(guard.begin_iteration()) {}
    Iteration(const Iteration&) = delete;
    Iteration& operator=(const Iteration&) = delete;
    ~Iteration() { guard_.end_iteration(is_own_); }

   private:
    STRATA_NO_UNIQUE_ADDRESS UseScope use_;
    const ChangeGuard& guard_;
    bool is_own_;
  };
  /// The scope of an iteration over a few rows, cheaper than Iteration. The constructor calls
  /// `try_begin_own_iteration`, which may fail. If it fails, `is_held` is false, and the caller uses an Iteration
  /// instead.
  class ShortIteration {
   public:
    template <class Describe>
    ShortIteration(const ChangeGuard& guard, const Describe& describe)
        : use_(guard.uses(), describe), guard_(guard), is_held_(guard.try_begin_own_iteration()) {}
    ShortIteration(const ShortIteration&) = delete;
    ShortIteration& operator=(const ShortIteration&) = delete;
    ~ShortIteration() {
      if (is_held_) guard_.end_own_iteration();
    }

    /// Returns: whether the constructor has begun an iteration, which then lasts until the destructor.
    bool is_held() const { return is_held_; }

   private:
    STRATA_NO_UNIQUE_ADDRESS UseScope use_;
    const ChangeGuard& guard_;
    const bool is_held_;
  };

  /// The scope of an operation that runs user code. While an Operation exists, structural changes are refused; messages
  /// give the operation's `name`. Operations may be nested.
  class Operation {
   public:
    Operation(const ChangeGuard& guard, const char* name) : Operation(guard, name, kOperation) {}
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;
    STRATA_ALWAYS_INLINE ~Operation() {
      if (!was_set_) guard_.clear(bit_);
      guard_.operation_ = outer_;
    }

   protected:
    Operation(const ChangeGuard& guard, const char* name, std::uint32_t bit)
        : use_(guard.uses(), Use::change, {name}),
          guard_(guard),
          outer_(guard.operation_),
          bit_(bit),
          was_set_(guard.set(bit)) {
      guard.operation_ = name;
    }

   private:
    STRATA_NO_UNIQUE_ADDRESS UseScope use_;
    const ChangeGuard& guard_;
    const char* outer_;
    std::uint32_t bit_;
    bool was_set_;
  };

  /// Returns: whether an Operation is under way.
  bool in_operation() const { return (state_.load(std::memory_order_relaxed) & kOperation) != 0; }

  /// The scope of a named operation that runs user code, for callers that know that no Operation is under way. It does
  /// less than Operation: when it ends, no mark of an outer Operation has to be restored. In checked builds, it does
  /// not check that no other thread uses the store (see UseScope).
  /// Contract: `in_operation` is false.
  class FirstOperation {
   public:
    STRATA_ALWAYS_INLINE FirstOperation(const ChangeGuard& guard, const char* name)
        : guard_(guard), outer_(guard.operation_) {
      guard.set(kOperation);
      guard.operation_ = name;
    }
    FirstOperation(const FirstOperation&) = delete;
    FirstOperation& operator=(const FirstOperation&) = delete;
    STRATA_ALWAYS_INLINE ~FirstOperation() {
      guard_.clear(kOperation);
      guard_.operation_ = outer_;
    }

   private:
    const ChangeGuard& guard_;
    const char* outer_;
  };

  /// The scope of a move of values. During its lifetime, structural changes and queries are refused, because rows are
  /// incomplete. A refusal names the operation that began last before the move, because the move is a part of it.
  class Moving : public Operation {
   public:
    explicit Moving(const ChangeGuard& guard) : Operation(guard, guard.operation_, kMoving) {}
  };

  /// Contains a Moving scope if the move of values may run user code (`runs_code`). Otherwise does nothing: only user
  /// code could begin a change or a query during the move.
  class MovingIf {
   public:
    MovingIf(const ChangeGuard& guard, bool runs_code) : MovingIf(&guard, runs_code) {}
    /// Does nothing if `runs_code` is false or `guard` is null.
    MovingIf(const ChangeGuard* guard, bool runs_code) {
      if (runs_code && guard != nullptr) moving_.emplace(*guard);
    }

   private:
    std::optional<Moving> moving_;
  };

  /// Records that there is a new command to apply when the iterations and operations under way have ended. Does nothing
  /// if none is under way. In that case, and if an exception ends the iterations and operations, the command waits for
  /// World::flush or until later commands are applied.
  void mark_recorded() const {
    if (locked()) state_.fetch_or(kRecorded, std::memory_order_relaxed);
  }
  /// Returns: whether there are commands to apply when the iterations and operations under way have ended.
  bool has_recorded() const { return (state_.load(std::memory_order_relaxed) & kRecorded) != 0; }
  /// Clears the mark that `mark_recorded` sets. The commands themselves stay recorded.
  /// Returns: whether the mark was set, that is, whether there were commands to apply.
  bool take_recorded() const { return set_to(kRecorded, false); }

  /// Records that there are removed values to destroy at the end of the current change.
  void mark_dead() const { set(kDead); }
  /// Forgets what `mark_dead` has recorded.
  /// Returns: whether there were values to destroy.
  bool take_dead() const { return set_to(kDead, false); }

  /// Records whether any component is in another storage (tables or sparse set) than the one in which it was
  /// registered.
  void mark_storages(bool moved) const { set_to(kComponentsMoved, moved); }
  /// Returns: whether any component is in another storage (tables or sparse set) than the one in which it was
  /// registered.
  bool knows_moved_components() const {
    return (state_.load(std::memory_order_relaxed) & kComponentsMoved) != 0;
  }

 private:
  static constexpr std::uint32_t kIterations = (1u << 24) - 1;  // Mask of the bits that count iterations.
  static constexpr std::uint32_t kOperation = 1u << 24;
  static constexpr std::uint32_t kMoving = 1u << 25;
  static constexpr std::uint32_t kLocks = kIterations | kOperation | kMoving;
  static constexpr std::uint32_t kRecorded = 1u << 26;
  static constexpr std::uint32_t kDead = 1u << 27;
  static constexpr std::uint32_t kListened = 1u << 28;
  static constexpr std::uint32_t kTreeListened = 1u << 29;
  static constexpr std::uint32_t kToggled = 1u << 30;
  static constexpr std::uint32_t kNotified = kListened | kTreeListened;
  static constexpr std::uint32_t kPending = kRecorded | kDead;
  static constexpr std::uint32_t kComponentsMoved = 1u << 31;

  /// Returns: the bits of `state_`, combined by OR with `own_iterations_`. Both have a count of iterations in the bits
  /// kIterations: `state_` counts those of other threads, and `own_iterations_` those of the thread that made the
  /// guard. The OR of these two counts is not their sum, but it is 0 exactly if both are 0. So it tells whether any
  /// iteration is under way.
  std::uint32_t now() const {
    return state_.load(std::memory_order_relaxed) | own_iterations_.load(std::memory_order_relaxed);
  }

  /// Returns: what has to be notified of a change that begins while `state_` has the value `state`.
  static Notified notified_in(std::uint32_t state) {
    if ((state & kListened) != 0) return Notified::all;
    if ((state & kTreeListened) != 0) return Notified::tree;
    return (state & kToggled) != 0 ? Notified::toggles : Notified::nothing;
  }

  /// Adds to the count of iterations in the thread that made the guard. Only that thread writes this count, so a load
  /// and a store suffice: no atomic read-modify-write is needed.
  void add_to_own(std::uint32_t change) const {
    own_iterations_.store(own_iterations_.load(std::memory_order_relaxed) + change,
                          std::memory_order_relaxed);
  }

  /// Sets one bit of `state_` if `value` is true; otherwise clears it. `bit` is a mask, such as kToggled.
  /// Returns: whether the bit was set before.
  bool set_to(std::uint32_t bit, bool value) const {
    const std::uint32_t before = state_.load(std::memory_order_relaxed);
    state_.store(value ? before | bit : before & ~bit, std::memory_order_relaxed);
    return (before & bit) != 0;
  }
  bool set(std::uint32_t bit) const { return set_to(bit, true); }
  void clear(std::uint32_t bit) const { set_to(bit, false); }

  STRATA_NOINLINE STRATA_API void begin_iteration_slowly(std::uint32_t before, bool is_own) const;
  STRATA_NOINLINE STRATA_API Notified begin_change_slowly(const char* operation, Entity entity,
                                                          CallSite at) const;
  [[noreturn]] void refuse_change(const char* operation, Entity entity, CallSite at) const;
  /// `operation` is null for a query.
  [[noreturn]] STRATA_NOINLINE STRATA_API void refuse_reading(const char* operation) const;

  mutable std::atomic<std::uint32_t> state_{0};           // Flags; the iterations of other threads.
  mutable std::atomic<std::uint32_t> own_iterations_{0};  // The iterations of the guard's own thread.
  const void* own_thread_ = &thread_mark;
  mutable const char* operation_ = "";       // The name that `operation` returns.
  mutable std::uint8_t tree_listeners_ = 0;  // One bit for each TreeListener; see `mark_tree_listened`.
  STRATA_NO_UNIQUE_ADDRESS mutable UseGuard uses_;
};

}  // namespace strata::detail
