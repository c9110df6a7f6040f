// AccessGuard: in checked builds, finds threads that use a world at the same time although one of them changes it.
#pragma once

#include "../../core/compiler.hpp"
#include "../../core/contract.hpp"
#include "../../storage/store.hpp"

namespace strata {

/// Checks that a world has any number of readers or one writer; World::access_guard returns it. While it is enabled,
/// operations and visits are recorded by thread for as long as they last. One that begins while another thread changes
/// the world, and one that changes the world while another thread uses it, breaks a contract. The message names both,
/// and the refused one has done nothing. Those of one thread nest as ever, and the workers of an executor count as the
/// thread that has called it. If two conflicting ones begin at the same moment, both may be refused.
///
/// What counts as a change: structural changes, `set`, recording and applying commands, events, registering a
/// component, and visits by queries that write values. Everything else reads, `get` and `find` of a World that is not
/// const too. Not recorded are resources, what a program does with references, pointers and ranges that it was given,
/// and moving a world: `reading` and `changing` record work of the program's own.
///
/// It works in builds with STRATA_ACCESS_GUARD. In others, its functions do nothing. It stays with what the world
/// contains when the world is moved or swapped. A handle is as cheap to make as a pointer.
///
/// Contract: the world outlives it.
/// Threads: `enable` and `disable` while no other thread uses the world; the others any number at a time. At most 256
/// threads are recorded at a time, and others are not checked.
class AccessGuard {
 public:
  explicit AccessGuard(const detail::Store& store) : store_(&store) {}

  /// Checks from now on; scopes that have begun before are not recorded.
  /// Returns: whether this is a checked build; otherwise, nothing is ever refused.
  /// Errors: std::bad_alloc.
  bool enable() const {
    store_->guard().uses().enable();
    return detail::kChecksUses;
  }
  void disable() const noexcept { store_->guard().uses().disable(); }

  [[nodiscard]] bool enabled() const noexcept { return store_->guard().uses().active() != nullptr; }

  /// Return a scope in which this thread reads or changes the world, for example through pointers. `name` is the name
  /// for messages; it lives as long as the scope.
  ///     const auto drawing = world.access_guard().reading("the renderer");
  /// Contract: no other thread changes the world; for `changing`, none uses it. The scope ends on the same thread.
  [[nodiscard]] detail::UseScope reading(const char* name, CallSite at = {}) const {
    return {store_->guard().uses(), detail::Use::read, {name}, at};
  }
  [[nodiscard]] detail::UseScope changing(const char* name, CallSite at = {}) const {
    return {store_->guard().uses(), detail::Use::change, {name}, at};
  }

 private:
  const detail::Store* store_;
};

}  // namespace strata
