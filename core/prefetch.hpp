// prefetch: loads memory into the cache that is going to be written soon.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strata::detail {

/// How far ahead of a stream of writes its memory is prefetched, in bytes. The processor detects such a
/// stream by itself, but starts anew on every page.
inline constexpr std::size_t kWriteAhead = 512;

/// Prefetches the cache line `ahead` bytes after `at`, which need not exist.
inline void prefetch_for_write(const void* at, std::size_t ahead = kWriteAhead) {
  // As an integer: a pointer must not leave its array.
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(at) + ahead), 1);
}

}  // namespace strata::detail
