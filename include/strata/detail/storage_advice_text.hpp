// The sentences that explain a recommended storage.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "../storage_advice.hpp"

namespace strata::detail {

/// Returns: the name of a type without namespaces.
std::string unqualified(std::string_view name);

/// Returns: a duration in nanoseconds as text with a suitable unit: "12 ns", "3.4 us", "1.2 ms".
std::string in_time(double ns);

/// Returns: a share between 0 and 1 as text: "61 %".
std::string in_percent(double share);

/// Why a component was not considered for the other storage; `no` if it was considered.
enum class Kept : std::uint8_t { no, too_few_uses, tracked, visited_in_blocks };

/// Returns: the sentence for StorageAdvice::Component::reason. The other members of `advice` are set.
/// `frames` is 0 if no frames were counted.
std::string reason_for(const StorageAdvice::Component& advice, Kept kept, std::uint64_t frames);

}  // namespace strata::detail
