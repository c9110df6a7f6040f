// prefetch_write_ahead: loads memory into the cache shortly before it is written.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compiler.hpp"

namespace strata::detail {

/// The distance in bytes between the address that a loop writes to and the address that it prefetches. Processors also
/// prefetch on their own when memory is written in order, but they stop at the end of each page of memory, and need
/// some writes to the next page until they prefetch again. Prefetches by the loop fill this gap.
inline constexpr std::size_t kWriteAhead = 512;

/// Loads the cache line that is `ahead` bytes after `at` into the cache, for writing. That address may lie
/// outside of any allocation.
inline void prefetch_write_ahead(const void* at, std::size_t ahead = kWriteAhead) {
  // The address is computed as an integer, because a pointer must not leave its array.
  prefetch_to_write(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(at) + ahead));
}

}  // namespace strata::detail
