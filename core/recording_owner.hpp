// RecordingOwner: detects a bug: two workers record into the same object, such as a command buffer, in one parallel
// call of an executor.
#pragma once

#include <atomic>
#include <cstdint>

namespace strata::detail {

/// Identifies one call of an executor, that is, of Executor::parallel_for, in which workers do tasks. `numbered_by` is
/// null on a thread that works for no such call.
struct ExecutorCall {
  const void* numbered_by =
      nullptr;  ///< The counter that `number` is from; each copy of the library in a process has one.
  std::uint64_t number = 0;

  friend bool operator==(const ExecutorCall&, const ExecutorCall&) = default;
};

/// Remembers which worker of an executor has recorded into an object, and in which call of the executor. In one call,
/// only one worker may record into the object. A second worker is noticed even if the first one has finished recording
/// before, because in another run of the program, both might record at the same time.
///
/// Threads: any number at a time.
class RecordingOwner {
 public:
  RecordingOwner() = default;
  RecordingOwner(const RecordingOwner&) = delete;
  RecordingOwner& operator=(const RecordingOwner&) = delete;

  /// Stores that `thread` records into the object during `call`, a call of an executor. `what` names what the thread
  /// records, for the error message if another worker records later. The text has to live as long as the program.
  /// Returns: the `what` of another worker that has recorded in the same call; in this case, nothing is stored. Null if
  /// no other worker has recorded in this call, or if the thread works for no call of an executor.
  const char* find_other(const ExecutorCall& call, const void* thread, const char* what) noexcept;

 private:
  std::atomic_flag is_busy_;  // Set while a thread uses the following members.
  ExecutorCall call_;         // The last call of an executor in which a thread has recorded.
  const void* thread_ = nullptr;
  const char* what_ = "";
};

}  // namespace strata::detail
