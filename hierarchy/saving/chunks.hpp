// ChunkWriter and ChunkReader: the parts of a saved world, each with its size and a checksum.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory_resource>
#include <string>
#include <string_view>

#include "../../core/plain_list.hpp"
#include "../../core/values/byte_stream.hpp"
#include "codec.hpp"

namespace strata::detail {

// A saved world is kMagic and kFormatVersion, then chunks: a tag of four characters, the size of the content in 8
// bytes, its XXH64 hash, seeded with the tag, in 8 bytes, and the content. All numbers are little-endian. If the first
// chunk is kCodecTag, its content is the name of a codec, and write_compressed wrote the content of all others.
inline constexpr std::string_view kMagic = "strata\x1A\n";
inline constexpr std::uint32_t kFormatVersion = 1;
inline constexpr std::string_view kCodecTag = "CODC";

/// The kinds of chunks, in the order in which a saved world has them. Options, components and end occur once, the
/// others any number of times. A chunk is not much larger than 1 MiB, unless a single value is.
enum class ChunkKind : std::uint8_t {
  options,     ///< The options of the world.
  components,  ///< The names and types of components, which other chunks name by their numbers.
  slots,       ///< Generations, then free and retired slots.
  children,    ///< Parents and their children, in order, and the layouts that were set.
  rows,  ///< Entities with the same components in tables, states and layer, and their values, column by column.
  members,  ///< Members of a pool, and their values.
  names,
  pairs,
  off,        ///< Components that are switched off.
  resources,  ///< Names, types and values of resources; left out if there are none.
  end,
};
inline constexpr std::array<std::string_view, 11> kChunkTags = {
    "OPTS", "COMP", "SLOT", "TREE", "ROWS", "POOL", "NAME", "PAIR", "OFFC", "RSRC", "END!"};

/// The bytes of memory that a reader counts for each row or member in addition to its values. All rows of a chunk
/// together take at most ChunkWriter::kFullBytes, unless there is only one row.
inline constexpr std::size_t kRowOverhead = 64;

/// The lists of numbers in chunks of slots.
enum class SlotList : std::uint8_t { generations, free, retired };

/// How a family is written: its Layout in the two lowest bits, and these flags.
inline constexpr std::uint8_t kChoosesLayout = 4;  ///< The layout was set for the parent.
inline constexpr std::uint8_t kContinues = 8;      ///< These are further children of the same parent.

/// Writes chunks to a stream, one after the other.
class ChunkWriter {
 public:
  /// `codec` compresses the chunks; null if they are not compressed.
  ChunkWriter(std::ostream& out, std::pmr::memory_resource* memory, const Codec* codec = nullptr);

  /// Returns: the writer of the content of the next chunk.
  ByteWriter& content() { return content_; }
  /// Returns: whether the content is so large that it should be written.
  bool is_full() const { return content_.written().size() >= kFullBytes; }
  /// Writes a chunk with the content, and then empties the content.
  void write(ChunkKind kind);
  /// Returns: how many bytes were written.
  std::uint64_t position() const { return position_; }

  static constexpr std::size_t kFullBytes = std::size_t{1} << 20;

 private:
  void write_content(std::uint32_t tag, std::span<const std::byte> content);

  std::ostream& out_;
  const Codec* codec_;
  ByteWriter content_;
  ByteWriter compressed_;
  std::uint64_t position_ = 0;
};

/// Reads chunks from a stream, one after the other. Memory is only allocated for bytes that were read.
class ChunkReader {
 public:
  /// `codec` is used if the file needs it; null if there is none.
  ChunkReader(std::istream& in, std::pmr::memory_resource* memory, const Codec* codec = nullptr);

  /// Reads what precedes the chunks.
  /// Returns: whether this is a saved world of this format; `fault` says why not.
  bool read_head();
  /// Reads the next chunk.
  /// Returns: whether there is a valid one; `fault` says why not.
  bool next();

  ChunkKind kind() const { return kind_; }
  std::span<const std::byte> content() const {
    const PlainList<std::byte>& content = is_compressed_ ? decompressed_ : content_;
    return {content.data(), content.size()};
  }
  /// Returns: where the chunk is, for a message: "chunk 3 (ROWS), at byte 1024".
  std::string place() const;
  const std::string& fault() const { return fault_; }
  /// Returns: the number of bytes read.
  std::uint64_t position() const { return position_; }

 private:
  bool refuse(std::string why);
  bool read(void* to, std::size_t bytes);
  bool read_content(std::uint64_t bytes);
  bool read_chunk();
  bool check_codec();

  std::istream& in_;
  const Codec* codec_;
  bool is_compressed_ = false;
  PlainList<std::byte> content_;  // The bytes as in the file.
  PlainList<std::byte> decompressed_;
  ChunkKind kind_ = ChunkKind::options;
  std::uint32_t tag_ = 0;
  std::size_t number_ = 0;
  std::uint64_t position_ = 0;  // The position after the bytes read.
  std::uint64_t begin_ = 0;     // Where the chunk begins.
  std::string fault_;
};

}  // namespace strata::detail
