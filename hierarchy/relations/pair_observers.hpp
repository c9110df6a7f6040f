// PairObservers: the functions that are notified when pairs of one relation are added and removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "../../core/observer_list.hpp"

namespace strata::detail {

/// What happens to a pair.
enum class PairHappening : std::uint8_t { add, remove };

/// The functions that are notified of the pairs of one relation. They are called with the source as the entity, the
/// value of the pair (null if the relation has none) as `now`, and the address of the target as `old`.
class PairObservers {
 public:
  /// All functions are counted in `count`.
  PairObservers(std::pmr::memory_resource* memory, ObserverCount& count)
      : lists_{ObserverList(memory, &count), ObserverList(memory, &count)} {}

  ObserverList& list(PairHappening happening) { return lists_[static_cast<std::size_t>(happening)]; }

 private:
  ObserverList lists_[2];
};

}  // namespace strata::detail
