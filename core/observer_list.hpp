// ObserverList: functions that are notified of one kind of event, in the order in which they were added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory_resource>
#include <span>
#include <string>
#include <utility>

#include "compiler.hpp"
#include "entity.hpp"
#include "plain_list.hpp"

namespace strata::detail {

class ObserverList;

/// A function that an ObserverList calls. The list and a Subscription (with which the program ends the observer) refer
/// to the observer, which is destroyed when both references have ended.
struct Observer {
  /// Calls the function of an observer. What `now` and `old` point to depends on the kind of event.
  using Call = void (*)(Observer& observer, Entity entity, void* now, const void* old);

  Call call;
  void (*destroy)(Observer* observer) noexcept;
  ObserverList* list = nullptr;  ///< Null when the observer has ended: by its Subscription or with the list.
  std::uint32_t references = 0;
};

/// An Observer that contains the function to call.
template <class Function>
struct FunctionObserver : Observer {
  explicit FunctionObserver(Call how, Function what)
      : Observer{how, destroy_one}, function(std::move(what)) {}

  static void destroy_one(Observer* observer) noexcept { delete static_cast<FunctionObserver*>(observer); }

  Function function;
};

/// Keeps the first of several exceptions, to throw it when the work is done.
class FirstError {
 public:
  /// Calls `function` and keeps its exception, unless one is kept already. In a build without exceptions, only
  /// calls `function`.
  template <class Function>
  void catching(Function&& function) {
#if defined(__cpp_exceptions)
    try {
      function();
    } catch (...) {
      keep_current();
    }
#else
    function();
#endif
  }

  bool any() const noexcept {
    return error_ != nullptr;
  }

  /// Throws the exception that is kept, and keeps none from then on. Does nothing if none is kept.
  STRATA_API void rethrow();

 private:
  STRATA_API void keep_current() noexcept;

  std::exception_ptr error_;
};

/// Counts the observers of several lists together. Calls `any_changed` when the first observer is added to any of the
/// lists (with `any` true), and when the last observer of all lists is removed (with `any` false).
struct ObserverCount {
  void (*any_changed)(void* context, bool any) noexcept = nullptr;
  void* context = nullptr;
  std::uint32_t count = 0;

  void add(std::int32_t change) noexcept {
    const bool before = count != 0;
    count += static_cast<std::uint32_t>(change);
    if (before != (count != 0) && any_changed != nullptr) any_changed(context, count != 0);
  }
};

/// The observers of one kind of event, called in the order in which they were added. While observers are called, they
/// may add and end observers, themselves included: an observer that is added is not notified of the event under way,
/// and an observer that has ended is not notified of anything any more.
///
/// Invariants:
///   J1. Every observer in the list that has not ended points to this list by Observer::list.
///   J2. While no observers are being notified, no observer in the list has ended.
///   J3. If the list contains exactly one observer, and this observer has not ended, `only_` points to it; otherwise
///       `only_` is null.
///
/// Threads: each call counts as a change of the world: during the call, no other thread may use the world.
class ObserverList {
 public:
  /// If `count` is not null, it also counts the observers of this list.
  /// Contract: `count` is null or outlives the list.
  explicit ObserverList(std::pmr::memory_resource* memory, ObserverCount* count = nullptr)
      : observers_(memory), count_(count) {}
  ObserverList(const ObserverList&) = delete;
  ObserverList& operator=(const ObserverList&) = delete;
  STRATA_API ~ObserverList();

  /// Adds an observer. From then on, the list and the Subscriptions that refer to the observer share its ownership.
  /// Errors: std::bad_alloc; in that case, the observer is destroyed.
  /// Complexity: amortised O(1).
  STRATA_API void add(Observer* observer);

  /// Ends all observers: none is called any more. Also destroys them, except for those to which a Subscription refers.
  void end_all() noexcept;

  /// Returns: whether there is an observer to notify.
  bool any() const noexcept { return active_ != 0; }
  /// Returns: the only observer; null if there are several or none.
  Observer* only() const noexcept { return only_; }
  std::uint32_t size() const noexcept { return active_; }

  /// Calls all observers with these arguments. The first of their exceptions is kept in `error`.
  /// Complexity: O(observers).
  STRATA_ALWAYS_INLINE void notify(Entity entity, void* now, const void* old, FirstError& error) {
    if (Observer* const called = only_; called != nullptr) [[likely]] {
      notify_one(*called, entity, now, old, error);
    } else if (any()) {
      notify_all(entity, now, old, error);
    }
  }
  /// Does what `notify` does, but only for a list with one observer. `called` is that observer, as returned by
  /// `only`.
  STRATA_ALWAYS_INLINE void notify_one(Observer& called, Entity entity, void* now, const void* old,
                                       FirstError& error) {
    const Notification notification(*this);
    error.catching([&] { called.call(called, entity, now, old); });
  }

  /// Calls each observer for all of these entities. `values` is the address of the first entity's value, and each
  /// further value lies `stride` bytes behind the one before. For a tag, `values` is null and `stride` is 0.
  /// Complexity: O(observers * entities).
  STRATA_API void notify_each(std::span<const Entity> entities, std::byte* values, std::size_t stride,
                              FirstError& error);

  /// Calls `ask(Observer&)` for the observers in turn until a call returns false. Used for events that an observer can
  /// stop.
  /// Returns: whether all calls have returned true.
  template <class Ask>
  bool ask(Ask ask) {
    const Notification notification(*this);
    for (std::size_t next = 0; Observer* const observer = notification.take(next);) {
      if (!ask(*observer)) return false;
    }
    return true;
  }

  /// Ends an observer of this list: it is not called any more.
  STRATA_API void end(Observer& observer) noexcept;

  /// A scope in which the observers of the list are called one by one: `take` returns one after the other. While the
  /// scope exists, observers that end (are unsubscribed) stay in the list. `take` skips them, and does not return
  /// observers that were added since the scope began.
  class Notification {
   public:
    explicit Notification(ObserverList& notified) : list_(notified), count_(notified.observers_.size()) {
      ++list_.notifying_;
    }
    Notification(const Notification&) = delete;
    Notification& operator=(const Notification&) = delete;
    STRATA_ALWAYS_INLINE ~Notification() {
      if (--list_.notifying_ == 0 && list_.ended_ != 0) list_.remove_ended();
    }

    /// Returns: the first observer from index `next` on that has not ended (been unsubscribed); null if there is
    /// none. Sets `next` to the index from which the following call has to search.
    STRATA_ALWAYS_INLINE Observer* take(std::size_t& next) const noexcept {
      while (next < count_) {
        Observer* const observer = list_.observers_[next++];
        if (observer->list != nullptr) return observer;
      }
      return nullptr;
    }

   private:
    ObserverList& list_;
    const std::size_t count_;
  };

  /// Returns: whether observers are being called or removed. The list must not be destroyed while they are.
  bool busy() const noexcept { return notifying_ != 0; }

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  std::string check_invariants() const;

 private:
  STRATA_NOINLINE void notify_all(Entity entity, void* now, const void* old, FirstError& error);
  STRATA_NOINLINE STRATA_API void remove_ended() noexcept;
  Observer* find_only() const noexcept;

  PlainList<Observer*> observers_;
  ObserverCount* count_;
  Observer* only_ = nullptr;     // See J3.
  std::uint32_t active_ = 0;     // The number of observers that have not ended.
  std::uint32_t ended_ = 0;      // The number of ended observers that are still in the list.
  std::uint32_t notifying_ = 0;  // The depth of nested notifications and removals under way.
};

/// Ends one reference to an observer: the reference of its list or of its Subscription. When the last reference
/// ends, the observer is destroyed.
STRATA_API void release(Observer* observer) noexcept;

}  // namespace strata::detail
