// UseGuard, UseScope: in checked builds, find out that a thread changes an object while another one uses it.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>

#include "compiler.hpp"
#include "contract.hpp"
#include "use_record.hpp"

namespace strata::detail {

/// Whether this is a checked build; see STRATA_ACCESS_GUARD.
inline constexpr bool kChecksUses = STRATA_ACCESS_GUARD != 0;

#if STRATA_ACCESS_GUARD

/// While the guard is enabled, keeps a record of the threads that use an object.
///
/// Threads: any number. `enable` and `disable` may only be called by one thread while no other one uses the object.
class UseGuard {
 public:
  UseGuard() = default;
  UseGuard(const UseGuard&) = delete;
  UseGuard& operator=(const UseGuard&) = delete;
  STRATA_API ~UseGuard();

  /// Errors: std::bad_alloc.
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
/// Contract: the use conflicts with no use by another thread. Otherwise, the error message names both uses.
class UseScope {
 public:
  UseScope(const UseGuard& guard, Use use, UseName name, CallSite at = {}) {
    if (UseRecord* const record = guard.active()) begin(*record, use, name, at);
  }
  /// As above. The call `describe(use, name)` sets the use and its name; it is only made if the guard is enabled.
  template <class Describe>
  UseScope(const UseGuard& guard, const Describe& describe) {
    if (UseRecord* const record = guard.active()) {
      Use use = Use::read;
      UseName name;
      describe(use, name);
      begin(*record, use, name, {});
    }
  }
  /// As the first constructor, but without effect if `guard` is null.
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

  UseRecord* record_ = nullptr;
  UseRecord::Entry* entry_ = nullptr;  // Null: nothing is recorded.
  Use use_ = Use::read;
};

/// A scope in which this thread works for another one: what this thread does in it counts as done by the other thread.
class WorkScope {
 public:
  STRATA_API explicit WorkScope(const void* for_thread) noexcept;
  WorkScope(const WorkScope&) = delete;
  WorkScope& operator=(const WorkScope&) = delete;
  STRATA_API ~WorkScope();

 private:
  const void* outer_;
};

/// Whether visits of a query read or change values, for queries in which this does not follow from the roles of the
/// terms. If it follows from the roles, `use` is empty. If visits change values, `named_term` is the index of the term
/// that is named in error messages.
struct VisitUse {
  std::optional<Use> use;
  std::size_t named_term = 0;

  void set(Use visits_do, std::size_t named) {
    use = visits_do;
    named_term = named;
  }
};

/// A pointer to a UseGuard, or null. It is for an object that is a part of a larger object, whose uses the guard
/// checks.
class UseGuardPointer {
 public:
  void set(const UseGuard& guard) noexcept { guard_ = &guard; }
  /// Returns: the scope of a change (see UseScope); it has no effect if no guard was set.
  UseScope changing(const char* operation) const { return {guard_, Use::change, {operation}, {}}; }

 private:
  const UseGuard* guard_ = nullptr;
};

/// Returns: an address that identifies the thread for which this thread works; see WorkScope. Outside of a WorkScope,
/// it identifies this thread itself.
STRATA_API const void* worked_for() noexcept;

#else

// In builds that are not checked, nothing is recorded, and these classes compile to no instructions.
class UseGuard {
 public:
  void enable() noexcept {}
  void disable() noexcept {}
  static constexpr UseRecord* active() noexcept { return nullptr; }
};

class UseScope {
 public:
  constexpr UseScope(const UseGuard&, Use, UseName) noexcept {}
  constexpr UseScope(const UseGuard&, Use, UseName, CallSite) noexcept {}
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
  UseScope changing(const char*) const noexcept { return {UseGuard(), Use::change, {}}; }
};

class [[maybe_unused]] WorkScope {
 public:
  constexpr explicit WorkScope(const void*) noexcept {}
};

constexpr const void* worked_for() noexcept {
  return nullptr;
}

#endif

}  // namespace strata::detail
