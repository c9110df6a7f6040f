// AccessGuard: in builds with STRATA_ACCESS_GUARD, finds threads that use a world while another thread changes it.
#pragma once

#include "../../core/compiler.hpp"
#include "../../core/contract.hpp"
#include "../../storage/store.hpp"

namespace strata {

/// Checks that a world has any number of readers or one writer at a time. World::access_guard returns an AccessGuard.
/// While the check is enabled, each operation of the world and each visit of rows by a query is recorded, with its
/// thread, for as long as it lasts. An operation or visit that begins while another thread changes the world breaks a
/// contract, and so does a change that begins while another thread uses the world. The message names both operations,
/// and the refused operation has changed nothing. The check does not restrict how one thread nests its operations. The
/// worker threads of an executor (which runs functions on several threads) count as the thread that has called the
/// executor. If two conflicting operations begin at the same moment, both may be refused.
///
/// Workers of an executor must not share an object that records, such as World::commands, because the order of the
/// recorded commands would depend on time. If two workers record into the same object during one call of the executor,
/// the second command is refused, even if the first worker is not recording at that moment. The message names both
/// commands. Workers may record in these ways: with `query.par(executor).recording(world.commands())`, with a Recorder
/// for each worker, and with the Commands that systems receive.
///
/// What counts as a change: structural changes, `set`, recording and applying commands, events, registering a
/// component, giving the world a resource or removing one, and visits by queries that write values. All other
/// operations count as reading, also `get` and `find` of a World or Resources that is not const. Some uses are not
/// recorded: use of references, pointers and ranges that a function has returned (a value that a system gets as
/// Resource is such a reference), and moving a world. A program can record such a use with `reading` or `changing`.
///
/// The check works in builds with STRATA_ACCESS_GUARD. In other builds, the functions of this class do nothing. If a
/// World is moved or swapped, its AccessGuards check the World that has its contents from then on. An AccessGuard is as
/// cheap to make and copy as a pointer.
///
/// Contract: the world outlives the AccessGuard.
/// Threads: `enable` and `disable` while no other thread uses the world; the other functions by any number of threads
/// at a time. The uses of at most 256 threads are recorded at a time. The uses of further threads are not checked,
/// except that two workers may not record into the same object.
class AccessGuard {
 public:
  explicit AccessGuard(const detail::Store& store) : store_(&store) {}

  /// Enables the check. Operations that began before this call are not recorded, nor are uses for which `reading` or
  /// `changing` returned an object before this call.
  /// Returns: whether this is a build with STRATA_ACCESS_GUARD; in other builds, nothing is ever refused.
  /// Errors: std::bad_alloc.
  bool enable() const {
    store_->guard().uses().enable();
    return detail::kChecksUses;
  }
  void disable() const noexcept { store_->guard().uses().disable(); }

  [[nodiscard]] bool enabled() const noexcept { return store_->guard().uses().active() != nullptr; }

  /// Return an object that, as long as it exists, records that this thread reads or changes the world, for example
  /// through pointers. Messages show `name`; the string lives at least as long as the object.
  ///     const auto drawing = world.access_guard().reading("the renderer");
  /// Contract: as long as an object of `reading` exists, no other thread changes the world; as long as an object of
  /// `changing` exists, no other thread uses the world. The thread that made the object also destroys it.
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
