// Codec: functions that compress and decompress the contents of saved worlds. The program supplies them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "../../core/values/byte_stream.hpp"

namespace strata {

/// A way to compress bytes, which a program gives to `save` and `load`. The library itself has none; see zstd_codec.
struct Codec {
  /// Compresses `from`, and writes the result to `to`.
  /// Returns: false if the bytes cannot be compressed. They are saved uncompressed then, and the bytes in `to` are not
  /// used.
  using Compress = bool (*)(std::span<const std::byte> from, ByteWriter& to);
  /// Decompresses `from`; the result fills all of `to`.
  /// Returns: false if the result has a size other than that of `to`, or if `from` is no result of `compress`.
  using Decompress = bool (*)(std::span<const std::byte> from, std::span<std::byte> to);

  std::string_view name;  ///< Written to the file, to tell which codec loading it needs.
  Compress compress;
  Decompress decompress;
};

}  // namespace strata

namespace strata::detail {

/// Writes `content` in the form that `read_compressed` reads: compressed if that takes fewer bytes, unless
/// `content` is short or larger than kMostContent. `read_compressed` refuses content that is more than kMostRatio times
/// as large as its compressed form. So this function writes at least one byte for each kMostRatio bytes of `content`.
/// Errors: std::bad_alloc, and what the codec throws.
void write_compressed(const Codec& codec, std::span<const std::byte> content, ByteWriter& to);

/// Reads what `write_compressed` has written, and decompresses it to `content`. Refuses compressed content that has,
/// according to `from`, more than kMostContent bytes or more than kMostRatio times the bytes of `from`.
/// Returns: false if the content is refused or `from` is not valid. `content` must not be used then.
/// Errors: std::bad_alloc, and what the codec throws.
bool read_compressed(const Codec& codec, std::span<const std::byte> from, PlainList<std::byte>& content);

/// A reader refuses content that is more than this many times as large as its compressed form, so that a small damaged
/// file cannot make it allocate much memory.
inline constexpr std::size_t kMostRatio = 128;
/// The greatest size of content, in bytes, that is compressed. A reader refuses compressed content that is larger.
inline constexpr std::size_t kMostContent = std::size_t{1} << 30;

}  // namespace strata::detail
