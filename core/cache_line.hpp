// The size of a cache line, for alignment.
#pragma once

#include <cstddef>

namespace strata::detail {

/// In bytes, on common processors. A wrong value only costs time.
inline constexpr std::size_t kCacheLine = 64;

}  // namespace strata::detail
