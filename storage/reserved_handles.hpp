// ReservedHandles: handles for entities whose creation is recorded while other threads work.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../core/compiler.hpp"
#include "../core/slots.hpp"

namespace strata::detail {

/// The handles that one recorder of commands may give to new entities, while other recorders and readers of the world
/// are at work in other threads: so that they change no slots, and so that which handle an entity gets does not depend
/// on time.
///
/// Several recorders work at the same time as follows. One thread calls `reserve` for each, and then `begin` for each:
/// some handles are reserved. A recorder that takes more gets handles of slots that do not exist yet; of `recorders`
/// that work together, the one at `position` gets every `recorders`-th of these. Then one thread calls `give_back` for
/// each, from the last to the first, and `issue_taken` for each.
///
/// Threads: `take` in one thread at a time; a writer of the slots for all other functions.
class ReservedHandles {
 public:
  /// Reserves handles: somewhat more than were taken the last times.
  /// Errors: std::bad_alloc; nothing is reserved then.
  STRATA_API void reserve(Slots& slots, std::uint32_t recorders);

  /// Handles are taken from now on.
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
  std::vector<Entity> beyond_;  // Those taken whose slots did not exist.
  std::uint32_t taken_ = 0;     // Of `reserved_`.
  std::uint32_t wanted_ = kFew;
  std::uint32_t next_ = 0;  // The index of the next one of `beyond_`.
  std::uint32_t step_ = 1;
  std::uint32_t generation_ = 1;
  std::uint32_t limit_ = 0;
};

}  // namespace strata::detail
