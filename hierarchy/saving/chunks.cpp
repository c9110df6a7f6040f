#include "chunks.hpp"

#include <algorithm>
#include <istream>
#include <ostream>
#include <utility>

#include "../../core/values/hash.hpp"

namespace strata::detail {
namespace {

constexpr std::size_t kHeadBytes = 4 + 8 + 8;  // Tag, size and hash of a chunk.

std::uint64_t hash_of_content(std::uint32_t tag, std::span<const std::byte> content) {
  return hash_bytes(content, tag);
}

std::uint32_t number_of(std::string_view tag) {
  return ByteReader(std::as_bytes(std::span(tag))).read<std::uint32_t>();
}

/// Returns: an iterator to the tag in kChunkTags; the end iterator if the tag is not one of these.
auto find_tag(std::uint32_t tag) {
  return std::find_if(kChunkTags.begin(), kChunkTags.end(),
                      [&](std::string_view known) { return number_of(known) == tag; });
}

void write_to(std::ostream& out, std::span<const std::byte> bytes) {
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

ChunkWriter::ChunkWriter(std::ostream& out, std::pmr::memory_resource* memory, const Codec* codec)
    : out_(out), codec_(codec), content_(memory), compressed_(memory) {
  ByteWriter head(memory);
  head.write_bytes(kMagic.data(), kMagic.size());
  head.write(kFormatVersion);
  write_to(out_, head.written());
  position_ = head.written().size();
  if (codec != nullptr) write_content(number_of(kCodecTag), std::as_bytes(std::span(codec->name)));
}

void ChunkWriter::write(ChunkKind kind) {
  const std::uint32_t tag = number_of(kChunkTags[static_cast<std::size_t>(kind)]);
  if (codec_ != nullptr) {
    write_compressed(*codec_, content_.written(), compressed_);
    write_content(tag, compressed_.written());
    compressed_.clear();
  } else {
    write_content(tag, content_.written());
  }
  content_.clear();
}

void ChunkWriter::write_content(std::uint32_t tag, std::span<const std::byte> content) {
  ByteWriter head;
  head.write(tag);
  head.write(std::uint64_t{content.size()});
  head.write(hash_of_content(tag, content));
  write_to(out_, head.written());
  write_to(out_, content);
  position_ += kHeadBytes + content.size();
}

ChunkReader::ChunkReader(std::istream& in, std::pmr::memory_resource* memory, const Codec* codec)
    : in_(in), codec_(codec), content_(memory), decompressed_(memory) {}

bool ChunkReader::refuse(std::string why) {
  fault_ = std::move(why);
  return false;
}

bool ChunkReader::read(void* to, std::size_t bytes) {
  in_.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
  const auto got = static_cast<std::size_t>(in_.gcount());
  position_ += got;
  return got == bytes;
}

bool ChunkReader::read_head() {
  std::array<std::byte, kMagic.size() + 4> head{};
  if (!read(head.data(), head.size()))
    return refuse("it is no saved world: it ends at byte " + std::to_string(position_));
  ByteReader reader(head);
  const std::byte* const magic = reader.read_bytes(kMagic.size());
  if (!std::equal(kMagic.begin(), kMagic.end(), reinterpret_cast<const char*>(magic)))
    return refuse("it is no saved world: it does not begin as one");
  const auto version = reader.read<std::uint32_t>();
  if (version != kFormatVersion)
    return refuse("it has the format " + std::to_string(version) + ", and only " +
                  std::to_string(kFormatVersion) + " can be read");
  return true;
}

bool ChunkReader::next() {
  if (!read_chunk()) return false;
  if (number_ == 1 && tag_ == number_of(kCodecTag) && (!check_codec() || !read_chunk())) return false;
  const auto known = find_tag(tag_);
  if (known == kChunkTags.end()) return refuse(place() + ", does not belong there");
  const auto kind = static_cast<ChunkKind>(known - kChunkTags.begin());
  if (kind < kind_) return refuse(place() + ", does not belong there");
  kind_ = kind;
  if (!is_compressed_ || read_compressed(*codec_, {content_.data(), content_.size()}, decompressed_))
    return true;
  return refuse(place() + ", is damaged: it cannot be decompressed");
}

/// Reads the next chunk, which may be the one that names the codec, into `tag_` and `content_`. Checks that it is
/// complete and that its checksum is right. Unlike `next`, neither checks the order of chunks nor decompresses.
/// Returns: false if the stream ends, or if the chunk is damaged or of no known kind; `fault_` then says which.
bool ChunkReader::read_chunk() {
  begin_ = position_;
  ++number_;
  tag_ = 0;
  std::array<std::byte, kHeadBytes> head{};
  if (!read(head.data(), head.size()))
    return refuse(place() + ", is cut off at byte " + std::to_string(position_));
  ByteReader reader(head);
  const auto tag = reader.read<std::uint32_t>();
  const auto size = reader.read<std::uint64_t>();
  const auto hash = reader.read<std::uint64_t>();
  if (find_tag(tag) == kChunkTags.end() && tag != number_of(kCodecTag))
    return refuse(place() + ", is of no known kind");
  tag_ = tag;
  if (!read_content(size)) return refuse(place() + ", is cut off at byte " + std::to_string(position_));
  if (hash_of_content(tag, {content_.data(), content_.size()}) != hash)
    return refuse(place() + ", is damaged: its checksum is wrong");
  return true;
}

/// Called if the first chunk contains the name of a codec, with which the file is compressed. Checks that the program
/// has given this codec, as `codec_`.
/// Returns: false if the program has given another codec or none; the error is recorded then.
bool ChunkReader::check_codec() {
  const std::string name(reinterpret_cast<const char*>(content_.data()), content_.size());
  const bool is_known = codec_ != nullptr && codec_->name == name;
  if (!is_known && name.size() > 32) return refuse("it is compressed, but names no codec");
  if (!is_known)
    return refuse("it is compressed with \"" + name +
                  "\": pass that codec in LoadOptions::codec; strata/zstd/zstd.hpp has the one of zstd");
  is_compressed_ = true;
  return true;
}

/// Reads the content of a chunk. `bytes` is the size of the content according to the file, which may be damaged and
/// have a wrong size. So the content is read in steps, and a step allocates memory only after all steps before it have
/// read their bytes. A step reads at most kLeast bytes or, if that is more, as many bytes as all steps before it
/// together. So even with a wrong size, the content takes at most kLeast bytes of memory or, if that is more, twice as
/// many bytes as the stream has left.
/// Returns: false if the stream ends before the content does.
bool ChunkReader::read_content(std::uint64_t bytes) {
  constexpr std::size_t kLeast = ChunkWriter::kFullBytes;
  content_.clear();
  while (content_.size() < bytes) {
    const std::size_t had = content_.size();
    const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(bytes - had, std::max(had, kLeast)));
    content_.reserve(had + step);
    if (!read(content_.append_unset(step), step)) return false;
  }
  return true;
}

std::string ChunkReader::place() const {
  const auto known = find_tag(tag_);
  return "chunk " + std::to_string(number_) +
         (known != kChunkTags.end() ? " (" + std::string(*known) + ")" : "") + ", at byte " +
         std::to_string(begin_);
}

}  // namespace strata::detail
