// Saved worlds that are changed by a test: their checksums.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "../../core/values/hash.hpp"

namespace strata::test {

/// Writes the checksums of all chunks anew, so that what is wrong inside of them is read.
inline void repair_chunks(std::string& bytes) {
  for (std::size_t at = 12; at + 20 <= bytes.size();) {
    std::uint32_t tag = 0;
    std::uint64_t size = 0;
    std::memcpy(&tag, bytes.data() + at, 4);
    std::memcpy(&size, bytes.data() + at + 4, 8);
    if (size > bytes.size() - at - 20) return;
    const auto content = std::as_bytes(std::span(bytes)).subspan(at + 20, size);
    const std::uint64_t hash = detail::hash_bytes(content, tag);
    std::memcpy(bytes.data() + at + 12, &hash, 8);
    at += 20 + size;
  }
}

}  // namespace strata::test
