#include "recording_owner.hpp"

#include <thread>

#include "rollback.hpp"

namespace strata::detail {

const char* RecordingOwner::find_other(const ExecutorCall& call, const void* thread,
                                       const char* what) noexcept {
  while (is_busy_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  const Rollback free([&] { is_busy_.clear(std::memory_order_release); });
  const bool is_in_call = call.numbered_by != nullptr;
  if (is_in_call && call == call_ && thread != thread_) return what_;
  call_ = call;
  thread_ = thread;
  what_ = what;
  return nullptr;
}

}  // namespace strata::detail
