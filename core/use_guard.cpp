#include "use_guard.hpp"

#if STRATA_ACCESS_GUARD

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <string>
#include <utility>

namespace strata::detail {
namespace {

constinit thread_local Work current_work;  // If `for_thread` is null, this thread works for itself.

/// The number of calls of executors that have begun, on all threads together. Each call gets its own number from this
/// counter. A thread's address, with a count for each thread, would not identify a call, because a later thread may get
/// the same address.
constinit std::atomic<std::uint64_t> calls{0};

/// Returns: an address that identifies the current thread. It is the same in all copies of the library in a
/// process, because they share the C library's `errno`.
const void* this_thread() noexcept {
  return &errno;
}

/// Returns: an address that identifies the thread for which this thread works; see WorkScope. Outside of a WorkScope,
/// it identifies this thread itself.
const void* worked_for() noexcept {
  return current_work.for_thread != nullptr ? current_work.for_thread : this_thread();
}

}  // namespace

UseGuard::~UseGuard() {
  delete record_;
}

void UseGuard::enable() {
  if (record_ == nullptr) record_ = new UseRecord;
  active_.store(record_, std::memory_order_release);
}

void UseScope::begin(UseRecord& record, Use use, const UseName& name, CallSite at) {
  const UseRecord::Begun begun = record.begin({this_thread(), worked_for()}, use, name);
  STRATA_EXPECTS_AT(
      at, !begun.conflict,
      name.text() + " while " + begun.conflict->text() +
          " is under way on another thread: one thread at a time changes a world, and none reads it "
          "meanwhile; let one of them wait until the other has ended");
  record_ = &record;
  entry_ = begun.entry;
  use_ = use;
}

void UseScope::begin_recording(UseRecord& record, RecordingOwner& owner, const UseName& name) {
  const char* const other = owner.find_other(current_work.call, this_thread(), name.object);
  STRATA_EXPECTS(
      other == nullptr,
      name.text() + " on one worker of an executor, and " + name.operation + other +
          " on another worker in the same call: only one thread records into an object; visit with "
          "query.par(executor).recording(world.commands()), or give each worker a recorder of its own");
  begin(record, Use::change, {name.operation}, {});
}

Work begin_work() noexcept {
  return {worked_for(), {&calls, calls.fetch_add(1, std::memory_order_relaxed) + 1}};
}

WorkScope::WorkScope(const Work& work) noexcept : outer_(std::exchange(current_work, work)) {}

WorkScope::~WorkScope() {
  current_work = outer_;
}

}  // namespace strata::detail

#endif
