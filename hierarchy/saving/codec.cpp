#include "codec.hpp"

#include <algorithm>

namespace strata::detail {
namespace {

// `write_compressed` writes uncompressed content as a byte 0 and the content. It writes compressed content as a byte 1,
// the size of the content, the size of the compressed bytes, and the compressed bytes. If the content is more than
// kMostRatio times as large as the compressed bytes, zeros are appended to the compressed bytes, because a reader
// refuses a greater ratio.
constexpr std::size_t kLeastContent = 128;  // Content with fewer bytes is not compressed.
constexpr std::size_t kSizesBytes = 1 + 8 + 8;

}  // namespace

void write_compressed(const Codec& codec, std::span<const std::byte> content, ByteWriter& to) {
  if (content.size() >= kLeastContent && content.size() <= kMostContent) {
    ByteWriter compressed;
    const bool is_compressed = codec.compress(content, compressed);
    const std::size_t least = (content.size() + kMostRatio - 1) / kMostRatio;
    const std::size_t size = compressed.written().size();
    if (is_compressed && std::max(size, least) + kSizesBytes < content.size()) {
      to.write(std::uint8_t{1});
      to.write(std::uint64_t{content.size()});
      to.write(std::uint64_t{size});
      to.write_bytes(compressed.written().data(), size);
      for (std::size_t i = size; i < least; ++i) to.write(std::uint8_t{0});
      return;
    }
  }
  to.write(std::uint8_t{0});
  to.write_bytes(content.data(), content.size());
}

bool read_compressed(const Codec& codec, std::span<const std::byte> from, PlainList<std::byte>& content) {
  ByteReader reader(from);
  const auto how = reader.read<std::uint8_t>();
  content.clear();
  if (how == 0) {
    if (reader.failed()) return false;
    if (reader.left() == 0) return true;
    content.reserve(reader.left());
    content.append(from.data() + 1, reader.left());
    return true;
  }
  const auto size = reader.read<std::uint64_t>();
  const auto compressed = reader.read<std::uint64_t>();
  if (how != 1 || reader.failed() || size > kMostContent || compressed > reader.left()) return false;
  if (size > reader.left() * kMostRatio) return false;
  const std::size_t count = static_cast<std::size_t>(size);
  content.reserve(count);
  std::byte* const to = content.append_unset(count);
  return codec.decompress(from.subspan(kSizesBytes, static_cast<std::size_t>(compressed)), {to, count});
}

}  // namespace strata::detail
