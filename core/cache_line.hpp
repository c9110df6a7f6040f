// The size of a cache line, for alignment.
#pragma once

#include <cstddef>

namespace strata::detail {

/// The size of a cache line on common processors, in bytes. If a processor's lines have another size, that
/// only costs time.
inline constexpr std::size_t kCacheLine = 64;

}  // namespace strata::detail
