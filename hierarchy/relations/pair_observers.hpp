// PairObservers: the functions that are notified when pairs of one relation are added and removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "../../core/observer_list.hpp"

namespace strata::detail {

/// What happens to a pair.
enum class PairHappening : std::uint8_t { add, remove };

/// The functions that are notified when pairs of one relation are added or removed. They are called with the parameters
/// of Observer::Call, which have these meanings: `entity` is the source of the pair, `now` is the address of its value
/// (null if the relation has no values), and `old` is the address of the target.
class PairObservers {
 public:
  /// `count` counts the functions in both lists (one for added and one for removed pairs), together with those of other
  /// lists that were given the same object. The lists keep a pointer to it.
  PairObservers(std::pmr::memory_resource* memory, ObserverCount& count)
      : lists_{ObserverList(memory, &count), ObserverList(memory, &count)} {}

  ObserverList& list(PairHappening happening) { return lists_[static_cast<std::size_t>(happening)]; }

 private:
  ObserverList lists_[2];
};

}  // namespace strata::detail
