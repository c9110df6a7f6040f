// hash_bytes: a hash of bytes that is the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace strata::detail {

/// Returns: the XXH64 hash of some bytes.
/// Source: "xxHash fast digest algorithm", version 0.1.1, by Y. Collet (github.com/Cyan4973/xxHash,
/// doc/xxhash_spec.md).
std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0) noexcept;

}  // namespace strata::detail
