// Recorder: records calls in functions that several threads run, so that one thread can make the calls later.
#pragma once

#include <memory_resource>
#include <type_traits>
#include <utility>

#include "../../core/compiler.hpp"
#include "../../core/entity.hpp"

namespace strata {

namespace detail {

/// Whether a call of a function of Target changes nothing at once, but records a change that is applied later. True for
/// Commands (a specialisation), false for other types. ParallelQuery::recording makes the calls that a Recorder has
/// recorded when all rows of the query have been visited. If `only_records` is true, it makes them before the iteration
/// of that query ends, and the changes that they record are applied when it ends. If false, it makes them after the
/// iteration has ended, because they may change the world.
template <class Target>
inline constexpr bool only_records = false;

/// A list of functions to call later, each with one argument: a reference to the same object, the target. The list owns
/// the functions.
class RecordedCalls {
 public:
  RecordedCalls() = default;
  RecordedCalls(const RecordedCalls&) = delete;
  RecordedCalls& operator=(const RecordedCalls&) = delete;
  STRATA_API ~RecordedCalls();

  /// Appends a call of `function(Target&)`.
  /// Errors: std::bad_alloc, and what copying or moving the function throws; in both cases, nothing is appended.
  template <class Target, class Function>
  void append(Function&& function) {
    using Stored = Recorded<Target, std::decay_t<Function>>;
    void* const memory = memory_.allocate(sizeof(Stored), alignof(Stored));
    Call* const call = ::new (memory) Stored(std::forward<Function>(function));
    (last_ != nullptr ? last_->next : first_) = call;
    last_ = call;
  }

  /// Makes the calls in the order in which they were appended. They stay in the list.
  /// Errors: what a call throws; the calls after that one are not made.
  STRATA_API void make_all(void* target);

 private:
  struct Call {
    using Make = void (*)(Call& call, void* target);
    using Destroy = void (*)(Call& call) noexcept;
    Call(Make how, Destroy end) : make(how), destroy(end) {}
    Call* next = nullptr;
    Make make;
    Destroy destroy;
  };
  template <class Target, class Function>
  struct Recorded : Call {
    template <class From>  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): no Recorded is copied.
    explicit Recorded(From&& from)
        : Call([](Call& call,
                  void* target) { static_cast<Recorded&>(call).function(*static_cast<Target*>(target)); },
               [](Call& call) noexcept { static_cast<Recorded&>(call).~Recorded(); }),
          function(std::forward<From>(from)) {}
    Function function;
  };

  std::pmr::monotonic_buffer_resource memory_{std::pmr::new_delete_resource()};
  Call* first_ = nullptr;
  Call* last_ = nullptr;
};

}  // namespace detail

/// Records calls to an object, the target, such as the Commands of a world, from functions that several threads call.
/// The recorded calls are made when all rows have been visited, on the thread that began the visit, in the order of the
/// rows. So the order does not depend on which worker visited a row, or when.
/// `query.par(executor).recording(world.commands())` makes recorders; any object may be the target, such as a World or
/// its Events.
///
/// Threads: one at a time. Each task of a visit (rows that one worker visits) has a recorder of its own, so no other
/// thread uses the recorder that a function receives.
template <class Target>
class Recorder {
 public:
  /// Records a call of `function(target)`. The function is moved or copied; it must not refer to objects that no longer
  /// exist when it is called.
  /// Errors: std::bad_alloc; if that is thrown, nothing is recorded.
  template <class Function>
  void defer(Function&& function) {
    static_assert(std::is_invocable_v<std::decay_t<Function>&, Target&>,
                  "defer needs a function that takes the target that was passed to recording");
    calls_.template append<Target>(std::forward<Function>(function));
  }

  /// These functions record calls of the functions of the target that have the same names. `create` cannot return the
  /// handle of the new entity, because the entity is only made by the recorded call. Use `defer` for calls that need
  /// the handle.
  template <class... Values>
  void create(Values... values) {
    defer([... values = std::move(values)](Target& target) mutable {
      (void)target.create(std::move(values)...);
    });
  }
  void destroy(Entity entity) {
    defer([entity](auto& target) { target.destroy(entity); });
  }
  template <class T>
  void add(Entity entity, T value = T{}) {
    defer(
        [entity, value = std::move(value)](Target& target) mutable { target.add(entity, std::move(value)); });
  }
  template <class T>
  void remove(Entity entity) {
    defer([entity](Target& target) { target.template remove<T>(entity); });
  }
  void set_parent(Entity child, Entity parent) {
    defer([child, parent](auto& target) { (void)target.set_parent(child, parent); });
  }
  template <class Event>
  void queue(Event event, Entity entity = {}) {
    defer([event = std::move(event), entity](Target& target) mutable {
      target.queue(std::move(event), entity);
    });
  }

  /// Makes the recorded calls with `target`, in the order in which they were recorded. The library calls this function
  /// after the visit; programs do not call it.
  void make_all(Target& target) { calls_.make_all(&target); }

 private:
  detail::RecordedCalls calls_;
};

}  // namespace strata
