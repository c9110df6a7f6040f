// zstd_codec: compresses saved worlds with zstd. A program that includes this header has to link libzstd. The library
// itself does not use libzstd.
#pragma once

#include <zstd.h>

#include <cstddef>
#include <span>
#include <vector>

#include "../saving.hpp"

namespace strata {
namespace detail {

inline bool compress_with_zstd(std::span<const std::byte> from, ByteWriter& to) {
  std::vector<std::byte> bytes(ZSTD_compressBound(from.size()));
  const std::size_t size =
      ZSTD_compress(bytes.data(), bytes.size(), from.data(), from.size(), ZSTD_defaultCLevel());
  if (ZSTD_isError(size) != 0) return false;
  to.write_bytes(bytes.data(), size);
  return true;
}

inline bool decompress_with_zstd(std::span<const std::byte> from, std::span<std::byte> to) {
  return ZSTD_decompress(to.data(), to.size(), from.data(), from.size()) == to.size();
}

}  // namespace detail

/// The codec that compresses and decompresses with zstd, at the default level of zstd:
/// `save(world, out, {.codec = &zstd_codec})`. Debian's package of zstd is libzstd-dev.
inline constexpr Codec zstd_codec = {
    .name = "zstd", .compress = detail::compress_with_zstd, .decompress = detail::decompress_with_zstd};

}  // namespace strata
