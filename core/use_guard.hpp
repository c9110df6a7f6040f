// UseGuard, UseScope: in checked builds (see STRATA_ACCESS_GUARD), find out that a thread changes an object while
// another thread uses it.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>

#include "compiler.hpp"
#include "contract.hpp"
#include "recording_owner.hpp"
#include "use_record.hpp"

namespace strata::detail {

/// Whether this is a checked build; see STRATA_ACCESS_GUARD.
inline constexpr bool kChecksUses = STRATA_ACCESS_GUARD != 0;

#if STRATA_ACCESS_GUARD

/// The guard of an object, such as a world. While the guard is enabled, it keeps a record of the threads that use the
/// object.
///
/// Threads: any number. `enable` and `disable` may only be called by one thread while no other one uses the object.
class UseGuard {
 public:
  UseGuard() = default;
  UseGuard(const UseGuard&) = delete;
  UseGuard& operator=(const UseGuard&) = delete;
  STRATA_API ~UseGuard();

  /// Begin (`enable`) or stop (`disable`) recording the uses of the object.
  /// Errors: std::bad_alloc in `enable`.
  STRATA_API void enable();
  void disable() noexcept { active_.store(nullptr, std::memory_order_release); }

  /// Returns: the record of uses; null while the guard is not enabled. Once made, the record lives as long as the
  /// guard.
  UseRecord* active() const noexcept { return active_.load(std::memory_order_acquire); }

 private:
  std::atomic<UseRecord*> active_{nullptr};
  UseRecord* record_ = nullptr;
};

/// A scope in which a thread uses an object. The use is recorded if the object's guard is enabled.
/// Contract: the use conflicts with no use by another thread (see UseRecord). Otherwise, the error message names both
/// uses.
class UseScope {
 public:
  UseScope(const UseGuard& guard, Use use, UseName name, CallSite at = {}) {
    if (UseRecord* const record = guard.active()) begin(*record, use, name, at);
  }
  /// Begins a use of the object, if its guard is enabled. In this case, calls `describe(use, name)`, which sets `use`
  /// to the kind of use and `name` to words for error messages. If the guard is not enabled, does nothing.
  template <class Describe>
  UseScope(const UseGuard& guard, const Describe& describe) {
    if (UseRecord* const record = guard.active()) {
      Use use = Use::read;
      UseName name;
      describe(use, name);
      begin(*record, use, name, {});
    }
  }
  /// Begins a use in which a thread records changes that are made later. The thread records them in a part of the
  /// object, such as the command buffer of a world. `owner` remembers which worker has recorded in this part. In error
  /// messages, `name.operation` names the recording, and `name.object` what is recorded. Has no effect if the object's
  /// guard is not enabled.
  /// Contract: in one call of an executor, two workers do not record in this part, not even one after the other.
  UseScope(const UseGuard& guard, RecordingOwner& owner, UseName name) {
    if (UseRecord* const record = guard.active()) begin_recording(*record, owner, name);
  }
  /// Begins a use of the object, if the object has a guard and the guard is enabled. `guard` is null if the object has
  /// none.
  UseScope(const UseGuard* guard, Use use, UseName name, CallSite at) {
    UseRecord* const record = guard != nullptr ? guard->active() : nullptr;
    if (record != nullptr) begin(*record, use, name, at);
  }
  UseScope(const UseScope&) = delete;
  UseScope& operator=(const UseScope&) = delete;
  ~UseScope() {
    if (entry_ != nullptr) record_->end(*entry_, use_);
  }

 private:
  STRATA_NOINLINE STRATA_API void begin(UseRecord& record, Use use, const UseName& name, CallSite at);
  STRATA_NOINLINE STRATA_API void begin_recording(UseRecord& record, RecordingOwner& owner,
                                                  const UseName& name);

  UseRecord* record_ = nullptr;
  UseRecord::Entry* entry_ = nullptr;  // Null: nothing is recorded.
  Use use_ = Use::read;
};

/// The type of the member with which an object checks that only one worker records into it: RecordingOwner in checked
/// builds, an empty class in other builds.
using CheckedOwner = RecordingOwner;

/// The work that the workers of an executor do in one call of Executor::parallel_for: `call` identifies that call, and
/// `for_thread` the thread that has made it.
struct Work {
  const void* for_thread = nullptr;
  ExecutorCall call;
};

/// Called by a thread that is about to call an executor.
/// Returns: the Work of that call, with a new ExecutorCall::number. Each worker passes it to a WorkScope.
Work begin_work() noexcept;

/// A scope in which this thread works for another thread: a worker of an executor works for the thread that has called
/// the executor. For every UseGuard, what this thread does in the scope counts as done by the other thread.
class WorkScope {
 public:
  STRATA_API explicit WorkScope(const Work& work) noexcept;
  WorkScope(const WorkScope&) = delete;
  WorkScope& operator=(const WorkScope&) = delete;
  STRATA_API ~WorkScope();

 private:
  const Work outer_;
};

/// What a visit of a query does, for UseScope: `use` tells whether the visit reads or changes values. If it changes
/// values, error messages name the component of the term with index `named_term`. If `use` is empty, the query's terms
/// decide: a term that writes a component is a change, and error messages name this component.
struct VisitUse {
  std::optional<Use> use;
  std::size_t named_term = 0;

  void set(Use visits_do, std::size_t named) {
    use = visits_do;
    named_term = named;
  }
};

/// A pointer to the UseGuard of a larger object, such as a world. A part of the larger object, such as its Resources,
/// has this pointer as a member, so that uses of the part are checked as uses of the larger object. Null if no guard
/// was set.
class UseGuardPointer {
 public:
  void set(const UseGuard& guard) noexcept { guard_ = &guard; }
  /// Return a scope that records that the larger object is read or changed (see UseScope); it has no effect if no guard
  /// was set.
  UseScope reading(const char* operation, CallSite at = {}) const {
    return {guard_, Use::read, {operation}, at};
  }
  UseScope changing(const char* operation) const { return {guard_, Use::change, {operation}, {}}; }

 private:
  const UseGuard* guard_ = nullptr;
};

#else

// In builds that are not checked, nothing is recorded, and these classes compile to no instructions.
class UseGuard {
 public:
  void enable() noexcept {}
  void disable() noexcept {}
  static constexpr UseRecord* active() noexcept { return nullptr; }
};

struct NoRecordingOwner {};
using CheckedOwner = NoRecordingOwner;

class UseScope {
 public:
  constexpr UseScope(const UseGuard&, Use, UseName) noexcept {}
  constexpr UseScope(const UseGuard&, Use, UseName, CallSite) noexcept {}
  constexpr UseScope(const UseGuard&, NoRecordingOwner, UseName) noexcept {}
  template <class Describe>
  constexpr UseScope(const UseGuard&, const Describe&) noexcept {}
  UseScope(const UseScope&) = delete;
  UseScope& operator=(const UseScope&) = delete;
  ~UseScope() {}  // Not trivial, so that no compiler or checker warns of unused scopes.
};

struct VisitUse {
  constexpr void set(Use, std::size_t) noexcept {}
};

class UseGuardPointer {
 public:
  constexpr void set(const UseGuard&) noexcept {}
  UseScope reading(const char*, CallSite = {}) const noexcept { return {UseGuard(), Use::read, {}}; }
  UseScope changing(const char*) const noexcept { return {UseGuard(), Use::change, {}}; }
};

struct Work {};
constexpr Work begin_work() noexcept {
  return {};
}

class [[maybe_unused]] WorkScope {
 public:
  constexpr explicit WorkScope(const Work&) noexcept {}
};

#endif

}  // namespace strata::detail
