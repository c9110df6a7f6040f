// PassRecording: lets systems record commands while several threads visit their rows.
#pragma once

#include <cstddef>
#include <vector>

#include "../../core/observer_list.hpp"
#include "../../core/slots.hpp"
#include "part_recorders.hpp"

namespace strata::detail {

/// The scope of a visit in which systems record commands: those of different parts of the rows at the same time. If the
/// scope ends without a call of `finish`, because a system has thrown, all commands of the visit are discarded.
class PassRecording {
 public:
  /// Begins the scope: reserves handles for each part of each system. Does nothing if there are no systems.
  /// Errors: std::bad_alloc.
  /// Contract: that of CommandBuffer::record_apart.
  PassRecording(Slots& slots, std::vector<PartRecorders*> systems, std::size_t parts);
  PassRecording(const PassRecording&) = delete;
  PassRecording& operator=(const PassRecording&) = delete;
  ~PassRecording();

  /// Ends the scope: moves the commands of each system to its own buffer, in the order of the parts.
  /// Errors: std::bad_alloc; systems may lack commands of the visit then, so all of their commands are to be discarded.
  void finish();

 private:
  void end(FirstError& error);

  Slots& slots_;
  std::vector<PartRecorders*> systems_;
  std::vector<ApartRecorder*> recorders_;  // Of all systems and parts; empty after the end.
};

}  // namespace strata::detail
