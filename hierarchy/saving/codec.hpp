// Codec: how the content of a saved world is compressed, if it is.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "../../core/values/byte_stream.hpp"

namespace strata {

/// A way to compress bytes, which a program gives to `save` and `load`. The library itself has none; see zstd_codec.
struct Codec {
  /// Writes the compressed bytes.
  /// Returns: false if they cannot be compressed; `to` is written as it is then, whatever was added.
  using Compress = bool (*)(std::span<const std::byte> from, ByteWriter& to);
  /// Fills all of `to` with what was compressed.
  /// Returns: false if the bytes are not so many, or are no compressed ones.
  using Decompress = bool (*)(std::span<const std::byte> from, std::span<std::byte> to);

  std::string_view name;  ///< Known to files: which codec they need.
  Compress compress;
  Decompress decompress;
};

}  // namespace strata

namespace strata::detail {

/// Writes bytes so that `read_compressed` reads them: compressed if that makes them fewer. No more than kMostRatio
/// times as many are ever made of what is written.
/// Errors: std::bad_alloc, and what the codec throws.
void write_compressed(const Codec& codec, std::span<const std::byte> content, ByteWriter& to);

/// Reads what `write_compressed` has written. Takes no more memory than kMostRatio times the bytes, and kMostContent.
/// Returns: false if the bytes make no sense.
/// Errors: std::bad_alloc, and what the codec throws.
bool read_compressed(const Codec& codec, std::span<const std::byte> from, PlainList<std::byte>& content);

inline constexpr std::size_t kMostRatio = 128;
inline constexpr std::size_t kMostContent = std::size_t{1} << 30;

}  // namespace strata::detail
