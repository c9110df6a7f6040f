// prefetch: asks for memory that is going to be written soon.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strata::detail {

/// How far ahead of a stream of writes its memory is asked for, in bytes: the processor sees such a stream by
/// itself, but starts anew with every page.
inline constexpr std::size_t kWriteAhead = 512;

/// Asks for the line `ahead` bytes behind `at`, which need not exist.
inline void prefetch_for_write(const void* at, std::size_t ahead = kWriteAhead) {
  // As an integer: a pointer may not leave its array.
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(at) + ahead), 1);
}

}  // namespace strata::detail
