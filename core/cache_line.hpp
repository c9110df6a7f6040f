// The size of a cache line, for what is aligned to it.
#pragma once

#include <cstddef>

namespace strata::detail {

/// In bytes, of the processors that are common; a wrong guess costs time alone.
inline constexpr std::size_t kCacheLine = 64;

}  // namespace strata::detail
