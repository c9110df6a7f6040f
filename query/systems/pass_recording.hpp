// PassRecording: a scope in which systems record commands while several threads visit their rows. At its end, the
// commands are put into the order of the rows.
#pragma once

#include <cstddef>
#include <vector>

#include "../../core/observer_list.hpp"
#include "../../core/slots.hpp"
#include "part_recorders.hpp"

namespace strata::detail {

/// An object of this class exists while rows of systems that record commands are visited. The rows are divided into
/// parts, and several threads may record commands at the same time, each for another part. If this object is destroyed
/// without a call of `finish`, because a system has thrown, all commands of the visit are discarded.
class PassRecording {
 public:
  /// Begins recording: reserves entity handles for each system in each part of the rows. `systems` are the recorders of
  /// the systems, and `parts` is the number of parts. Does nothing if there are no systems.
  /// Errors: std::bad_alloc.
  /// Contract: the caller has locked the store against structural changes, and unlocks it only when all threads have
  /// finished (see CommandBuffer::record_apart).
  PassRecording(Slots& slots, std::vector<PartRecorders*> systems, std::size_t parts);
  PassRecording(const PassRecording&) = delete;
  PassRecording& operator=(const PassRecording&) = delete;
  ~PassRecording();

  /// Ends recording: for each system, moves the commands that were recorded in all parts to the buffer of the system,
  /// in the order of the parts.
  /// Errors: std::bad_alloc; then some commands of the visit are lost, so the caller has to discard the buffers of all
  /// systems of the visit.
  void finish();

 private:
  void end(FirstError& error);

  Slots& slots_;
  std::vector<PartRecorders*> systems_;
  std::vector<ApartRecorder*> recorders_;  // Of all systems and parts; empty after `end`.
};

}  // namespace strata::detail
