// RecordingOwner: notices that several workers of an executor record into one object, such as a command buffer.
#pragma once

#include <atomic>
#include <cstdint>

namespace strata::detail {

/// A call of an executor, in which workers do tasks. `numbered_by` is null outside of such calls.
struct ExecutorCall {
  const void* numbered_by =
      nullptr;  ///< What counts the calls: each copy of the library in a process has its own.
  std::uint64_t number = 0;

  friend bool operator==(const ExecutorCall&, const ExecutorCall&) = default;
};

/// Remembers which worker of an executor has recorded into an object, and in which call of the executor. In one call,
/// only one worker may record into the object. A second worker is noticed even if the first one has ended its recording
/// by then: which of them is first depends on time, and so the next time both may record at the same moment.
///
/// Threads: any number at a time.
class RecordingOwner {
 public:
  RecordingOwner() = default;
  RecordingOwner(const RecordingOwner&) = delete;
  RecordingOwner& operator=(const RecordingOwner&) = delete;

  /// Notes that a thread records, in a call of an executor. `what` names what it records, for messages about other
  /// workers; the text lives as long as the program.
  /// Returns: what another worker has recorded in the same call; null if there is none. Then the thread owns the object
  /// during the call.
  const char* find_other(const ExecutorCall& call, const void* thread, const char* what) noexcept;

 private:
  std::atomic_flag is_busy_;  // Set while a thread uses the following members.
  ExecutorCall call_;         // The last call of an executor in which a thread has recorded.
  const void* thread_ = nullptr;
  const char* what_ = "";
};

}  // namespace strata::detail
