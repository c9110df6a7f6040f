// Functions that write the sentences with which StorageAdvisor explains the storage that it recommends.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "../storage_advice.hpp"

namespace strata::detail {

/// Returns: the name of a type without namespaces: "Position" for "game::Position".
std::string unqualified(std::string_view name);

/// Returns: a duration, given in nanoseconds, as text with a suitable unit: "12 ns", "3.4 us", "1.2 ms".
std::string in_time(double ns);

/// Returns: a share between 0 and 1 as a percentage: "61 %".
std::string in_percent(double share);

/// Why StorageAdvisor keeps a component in its present storage (tables or sparse sets) without considering the other
/// one: the component was used too little, its changes are tracked, queries visit it by `each_block`, or only the
/// library adds and removes it. `no`: the other storage was considered.
enum class Kept : std::uint8_t { no, too_few_uses, tracked, visited_in_blocks, of_library };

/// Returns: the sentences for StorageAdvice::Component::reason: how the component is used, and what that means for its
/// storage. `frames` is the number of counted frames; 0 if no frames were counted.
/// Contract: all members of `advice` except `reason` are set.
std::string reason_for(const StorageAdvice::Component& advice, Kept kept, std::uint64_t frames);

}  // namespace strata::detail
