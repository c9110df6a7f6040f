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

void write_to(std::ostream& out, std::span<const std::byte> bytes) {
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

ChunkWriter::ChunkWriter(std::ostream& out, std::pmr::memory_resource* memory) : out_(out), content_(memory) {
  ByteWriter head(memory);
  head.write_bytes(kMagic.data(), kMagic.size());
  head.write(kFormatVersion);
  write_to(out_, head.written());
  position_ = head.written().size();
}

void ChunkWriter::write(ChunkKind kind) {
  const std::uint32_t tag = number_of(kChunkTags[static_cast<std::size_t>(kind)]);
  ByteWriter head;
  head.write(tag);
  head.write(std::uint64_t{content_.written().size()});
  head.write(hash_of_content(tag, content_.written()));
  write_to(out_, head.written());
  write_to(out_, content_.written());
  position_ += kHeadBytes + content_.written().size();
  content_.clear();
}

ChunkReader::ChunkReader(std::istream& in, std::pmr::memory_resource* memory) : in_(in), content_(memory) {}

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
  begin_ = position_;
  ++number_;
  std::array<std::byte, kHeadBytes> head{};
  const std::string where = "chunk " + std::to_string(number_) + ", at byte " + std::to_string(begin_) + ", ";
  if (!read(head.data(), head.size()))
    return refuse(where + "is cut off at byte " + std::to_string(position_));
  ByteReader reader(head);
  const auto tag = reader.read<std::uint32_t>();
  const auto known = std::find_if(kChunkTags.begin(), kChunkTags.end(),
                                  [&](std::string_view known_tag) { return number_of(known_tag) == tag; });
  if (known == kChunkTags.end()) return refuse(where + "is of no known kind");
  const auto kind = static_cast<ChunkKind>(known - kChunkTags.begin());
  if (kind < kind_) return refuse(where + "does not belong there");
  kind_ = kind;
  const auto size = reader.read<std::uint64_t>();
  const auto hash = reader.read<std::uint64_t>();
  if (!read_content(size)) return refuse(place() + ", is cut off at byte " + std::to_string(position_));
  if (hash_of_content(tag, content()) != hash) return refuse(place() + ", is damaged: its checksum is wrong");
  return true;
}

/// Reads the content in steps, so that a wrong size takes no more memory than twice what the stream has, or than a usual
/// chunk.
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
  return "chunk " + std::to_string(number_) + " (" +
         std::string(kChunkTags[static_cast<std::size_t>(kind_)]) + "), at byte " + std::to_string(begin_);
}

}  // namespace strata::detail
