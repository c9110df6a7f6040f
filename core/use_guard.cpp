#include "use_guard.hpp"

#if STRATA_ACCESS_GUARD

#include <cerrno>
#include <string>

namespace strata::detail {
namespace {

constinit thread_local const void* work_is_for = nullptr;  // Null: this thread works for itself.

/// Returns: an address that identifies the current thread. It is the same in all copies of the library in a
/// process, because they share the C library's `errno`.
const void* this_thread() noexcept {
  return &errno;
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

WorkScope::WorkScope(const void* for_thread) noexcept : outer_(work_is_for) {
  work_is_for = for_thread;
}

WorkScope::~WorkScope() {
  work_is_for = outer_;
}

const void* worked_for() noexcept {
  return work_is_for != nullptr ? work_is_for : this_thread();
}

}  // namespace strata::detail

#endif
