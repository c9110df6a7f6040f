// ReservedHandles: handles for entities whose creation is recorded while other threads work.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../core/compiler.hpp"
#include "../core/slots.hpp"

namespace strata::detail {

/// The handles that one recorder of commands may give to new entities while other threads record commands and read the
/// world. Taking a handle changes no slot, and which handle an entity gets does not depend on the timing of the
/// threads.
///
/// Several recorders work at the same time as follows. One thread calls `reserve` for each of them, and then `begin`
/// for each. A recorder that takes more handles than were reserved gets handles of slots that do not exist yet: of
/// `recorders` that work together, the one at `position` gets every `recorders`-th of these slots. At the end, one
/// thread calls `give_back` for each recorder, from the last to the first, and then `issue_taken` for each.
///
/// Threads: one thread at a time calls `take`; all other functions change the slots, so only their one writer may call
/// them.
class ReservedHandles {
 public:
  /// Reserves handles: somewhat more than were taken the last times.
  /// Errors: std::bad_alloc; nothing is reserved then.
  STRATA_API void reserve(Slots& slots, std::uint32_t recorders);

  /// Begins the phase in which `take` may be called.
  STRATA_API void begin(const Slots& slots, std::uint32_t position, std::uint32_t recorders) noexcept;

  /// Returns: the next handle.
  /// Errors: std::bad_alloc.
  /// Contract: the index of the handle is below the limit of the slots.
  STRATA_API Entity take();

  /// Gives back the handles that were reserved and not taken.
  STRATA_API void give_back(Slots& slots) noexcept;

  /// Reserves the slots of taken handles that did not exist.
  /// Errors: std::bad_alloc; those handles that are not reserved then are never valid.
  STRATA_API void issue_taken(Slots& slots);

 private:
  static constexpr std::uint32_t kFew = 16;
  static constexpr std::uint32_t kNear = 65'536;  // The limit of the slots is near.

  std::vector<Entity> reserved_;
  std::vector<Entity> beyond_;  // Taken handles whose slots did not exist.
  std::uint32_t taken_ = 0;     // How many of `reserved_` were taken.
  std::uint32_t wanted_ = kFew;
  std::uint32_t next_ = 0;  // The index of the next one of `beyond_`.
  std::uint32_t step_ = 1;
  std::uint32_t generation_ = 1;
  std::uint32_t limit_ = 0;
};

}  // namespace strata::detail
