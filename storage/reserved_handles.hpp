// ReservedHandles: handles for new entities whose creation is recorded as commands by several threads at the same time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../core/slots.hpp"

namespace strata::detail {

/// The handles that one recorder (a CommandBuffer) may give to new entities while other threads record commands and
/// read the world. Taking a handle does not access the slots (the records that the world has for entity indices). The
/// handle that an entity gets does not depend on the timing of the threads.
///
/// Several recorders work at the same time as follows. One thread calls `reserve` for each of them, and then `begin`
/// for each. A recorder that takes more handles than were reserved gets handles of slots that do not exist yet. If
/// there are n recorders, each gets every n-th of these slots, beginning at its `position`. At the end, one thread
/// calls `give_back` for each recorder, and then `issue_taken` for each. `give_back` is called for the last recorder
/// first and for the first recorder last: in this way, handles that were not taken return to the list of free slots in
/// their old order.
///
/// Threads: one thread at a time calls `take`. The other functions access the slots, so only the one writer of the
/// slots may call them.
class ReservedHandles {
 public:
  /// `few` is the least number of handles to reserve, if there are few recorders. If it is 0, none are reserved until
  /// the recorder has taken some.
  explicit ReservedHandles(std::uint32_t few) : few_(few) {}
  ReservedHandles() : ReservedHandles(kFew) {}

  /// Reserves handles for this recorder, at most `share`, so that there are enough slots for all recorders. `recorders`
  /// is the number of recorders. Usually reserves somewhat more handles than this recorder took in earlier phases (a
  /// phase lasts from `begin` to `give_back`). If the world is so near its limit that it can make fewer than kNear new
  /// slots per recorder, reserves more: kNear handles, or kFew if the argument `few` of the constructor is 0, or `share`
  /// if that is less.
  /// Returns: the number of reserved handles.
  /// Errors: std::bad_alloc; nothing is reserved then.
  /// Contract: at least `share` slots are free or can still be made.
  std::uint32_t reserve(Slots& slots, std::uint32_t recorders, std::uint32_t share);

  /// Begins a phase in which `take` may be called; `give_back` ends it. `position` is the number of this recorder, from
  /// 0 to `recorders` - 1.
  void begin(const Slots& slots, std::uint32_t position, std::uint32_t recorders) noexcept;

  /// Returns: a handle for one new entity: one of the reserved handles or, if all of them were taken, that of a slot
  /// that does not exist yet.
  /// Errors: std::bad_alloc.
  /// Contract: the world has a slot left for the entity (see WorldOptions::max_entities).
  Entity take();

  /// Ends the phase that `begin` has begun: gives the handles that were reserved but not taken back to `slots`.
  void give_back(Slots& slots) noexcept;

  /// Creates slots for those taken handles that have none yet. The new slots have no rows until the recorded commands
  /// create the entities (see Slots::reserve_at).
  /// Errors: std::bad_alloc; taken handles whose slots could not be created never become valid.
  void issue_taken(Slots& slots);

 private:
  // The least number of handles to reserve for a recorder that was made without the argument `few`.
  static constexpr std::uint32_t kFew = 16;
  // If there are many recorders, the least number for each is smaller: about this number divided by the number of
  // recorders.
  static constexpr std::uint32_t kFewTogether = 256;
  // When the reserved handles of a recorder are used up, `take` gives it handles of new slots, but never of slots that
  // destroyed entities have left free: only `reserve` takes these. So when the world can make few new slots, `take` may
  // soon find none, although slots are free. Few means: fewer than kNear for each recorder. In this case, `reserve`
  // reserves kNear handles for each recorder that usually takes some, or as many as its `share` allows.
  static constexpr std::uint32_t kNear = 65'536;

  std::vector<Entity> reserved_;
  std::vector<Entity> beyond_;  // Taken handles whose slots do not exist yet.
  std::uint32_t taken_ = 0;     // How many handles of `reserved_` were taken.
  std::uint32_t wanted_ = 0;
  std::uint32_t few_;        // The argument of the constructor.
  std::uint32_t least_ = 0;  // The least number of handles that `reserve` reserves.
  std::uint32_t next_ = 0;   // The slot index of the next handle to add to `beyond_`.
  std::uint32_t step_ = 1;
  std::uint32_t generation_ = 1;
  std::uint32_t limit_ = 0;
};

}  // namespace strata::detail
