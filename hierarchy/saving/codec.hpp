// Codec: how the content of a saved world is compressed.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "../../core/values/byte_stream.hpp"

namespace strata {

/// A way to compress bytes, which a program gives to `save` and `load`. The library itself has none; see zstd_codec.
struct Codec {
  /// Writes the compressed bytes.
  /// Returns: false if they cannot be compressed; the content is then saved uncompressed, whatever was added to `to`.
  using Compress = bool (*)(std::span<const std::byte> from, ByteWriter& to);
  /// Decompresses `from`; the result fills all of `to`.
  /// Returns: false if the result has another size, or `from` is no result of `compress`.
  using Decompress = bool (*)(std::span<const std::byte> from, std::span<std::byte> to);

  std::string_view name;  ///< Written to files, to find the codec that they need.
  Compress compress;
  Decompress decompress;
};

}  // namespace strata

namespace strata::detail {

/// Writes bytes so that `read_compressed` reads them: compressed if that makes them fewer. The content is at most
/// kMostRatio times as large as what is written.
/// Errors: std::bad_alloc, and what the codec throws.
void write_compressed(const Codec& codec, std::span<const std::byte> content, ByteWriter& to);

/// Reads what `write_compressed` has written. Takes at most kMostRatio times as much memory as there are bytes, and at
/// most kMostContent.
/// Returns: false if the bytes are not valid.
/// Errors: std::bad_alloc, and what the codec throws.
bool read_compressed(const Codec& codec, std::span<const std::byte> from, PlainList<std::byte>& content);

inline constexpr std::size_t kMostRatio = 128;
inline constexpr std::size_t kMostContent = std::size_t{1} << 30;

}  // namespace strata::detail
