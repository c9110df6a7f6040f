// The sentences in which a recommended layout is explained.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "../storage_advice.hpp"

namespace strata::detail {

/// Returns: a type's name without namespaces.
std::string unqualified(std::string_view name);

/// Returns: "12 ns", "3.4 us", "1.2 ms".
std::string in_time(double ns);

/// Returns: "61 %".
std::string in_percent(double share);

/// What kept a component from being weighed.
enum class Kept : std::uint8_t { no, too_few_uses, tracked, visited_in_blocks };

/// Returns: why, of an advice of which all else is known. `frames` is 0 where none were counted.
std::string reason_for(const ComponentAdvice& advice, Kept kept, std::uint64_t frames);

}  // namespace strata::detail
