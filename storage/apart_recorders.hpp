// ApartRecorder: a buffer in which one thread records commands while other threads record in other buffers.
#pragma once

#include <span>

#include "commands.hpp"
#include "reserved_handles.hpp"

namespace strata::detail {

/// A buffer that records commands apart from the world, that is, without changing anything in it (see
/// CommandBuffer::record_apart), and the handles for the entities whose creation the buffer records.
struct ApartRecorder {
  CommandBuffer* buffer = nullptr;
  ReservedHandles handles = {};
};

/// Lets several buffers record commands at the same time, each in one thread. Reserves handles for each buffer, so the
/// handles of new entities do not depend on the timing of the threads, but only on the position of their buffer in
/// `recorders`.
/// Errors: std::bad_alloc; the caller calls `end_apart` in this case, too.
/// Contract: the caller has begun an iteration or operation during which the world refuses structural changes, and ends
/// it only after `end_apart`; see CommandBuffer::record_apart.
void begin_apart(Slots& slots, std::span<ApartRecorder* const> recorders);

/// Ends the mode that `begin_apart` has begun, in which the buffers record apart from the world. Gives back the
/// reserved handles that were not used. Call this function after each call of `begin_apart`, even one that
/// threw. Then, before the commands of the buffers are applied, call ReservedHandles::issue_taken for each recorder,
/// because some new entities may have no slot (record of an entity index) yet.
void end_apart(Slots& slots, std::span<ApartRecorder* const> recorders) noexcept;

}  // namespace strata::detail
