// ChunkWriter and ChunkReader: write and read the chunks (parts) of a saved world, each with its size and a checksum.
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

// A saved world begins with kMagic and kFormatVersion. Chunks follow. Each has a tag of four characters, the size of
// its content (8 bytes), the XXH64 hash of its content, seeded with the tag (8 bytes), and the content. All numbers are
// little-endian. If the tag of the first chunk is kCodecTag, its content is the name of a codec, and `write_compressed`
// wrote the contents of all other chunks.
inline constexpr std::string_view kMagic = "strata\x1A\n";
inline constexpr std::uint32_t kFormatVersion = 1;
inline constexpr std::string_view kCodecTag = "CODC";

/// The kinds of chunks, in the order in which a saved world has them. `options`, `components` and `end` occur once, all
/// other kinds any number of times. A chunk is not much larger than ChunkWriter::kFullBytes, unless a single value in
/// it is.
enum class ChunkKind : std::uint8_t {
  options,     ///< The options of the world.
  components,  ///< Names and types of components. Other chunks name a component by its position in this list.
  slots,       ///< The generations of all slots, then the free and the retired slots.
  children,    ///< Parents with their children in order, and the layouts that were set for parents.
  /// Entities that have the same components in tables, the same states (such as disabled) and the same layer (a group
  /// of entities with one integer key). Their values follow, column by column.
  rows,
  members,  ///< Entities that have a component in a sparse set, and its values.
  names,
  pairs,
  off,        ///< Components that are switched off.
  resources,  ///< Names, types and values of resources; left out if there are none.
  end,
};
inline constexpr std::array<std::string_view, 11> kChunkTags = {
    "OPTS", "COMP", "SLOT", "TREE", "ROWS", "POOL", "NAME", "PAIR", "OFFC", "RSRC", "END!"};

/// For each row of a table, and for each member of a pool (sparse set), a reader counts this many bytes in addition to
/// the values. It refuses a chunk of several rows that take more memory than ByteReader::allow permits: a limit that
/// grows with the size of the chunk, but is at least ChunkWriter::kFullBytes. So a writer begins a new chunk before the
/// rows of a chunk count as more than ChunkWriter::kFullBytes. A chunk with a single row may be larger.
inline constexpr std::size_t kRowOverhead = 64;

/// The lists of numbers that chunks of ChunkKind::slots contain: the generations of all slots, then the indices of the
/// free and of the retired slots.
enum class SlotList : std::uint8_t { generations, free, retired };

/// Flags of a family (a parent and its children) in a chunk of ChunkKind::children. They are in one byte with the
/// family's Layout (how the rows of the children are stored), which is in the two lowest bits.
inline constexpr std::uint8_t kChoosesLayout = 4;  ///< The layout was set for the parent.
inline constexpr std::uint8_t kContinues = 8;      ///< More children of the family that was written last.

/// Writes chunks, the parts of a saved world (see ChunkKind), to a stream, one after the other.
class ChunkWriter {
 public:
  /// `codec` compresses the contents of the chunks; null if they are not compressed.
  ChunkWriter(std::ostream& out, std::pmr::memory_resource* memory, const Codec* codec = nullptr);

  /// Returns: a writer that appends to the content of the next chunk.
  ByteWriter& content() { return content_; }
  /// Returns: whether the content is so large that `write` should be called.
  bool is_full() const { return content_.written().size() >= kFullBytes; }
  /// Writes a chunk of this kind with the present content, and then empties the content.
  void write(ChunkKind kind);
  /// Returns: how many bytes this object has written to the stream. The constructor writes the first ones.
  std::uint64_t position() const { return position_; }

  /// `is_full` returns true if the content of the next chunk has at least this many bytes, before compression.
  static constexpr std::size_t kFullBytes = std::size_t{1} << 20;

 private:
  void write_content(std::uint32_t tag, std::span<const std::byte> content);

  std::ostream& out_;
  const Codec* codec_;
  ByteWriter content_;
  ByteWriter compressed_;
  std::uint64_t position_ = 0;
};

/// Reads chunks, the parts of a saved world (see ChunkKind), from a stream, one after the other. The stream may be
/// damaged and tell a wrong size of a chunk. So memory for a chunk is allocated in steps while its bytes are read.
class ChunkReader {
 public:
  /// `codec` decompresses the chunks if the file is compressed. If `codec` is null, compressed files are refused.
  ChunkReader(std::istream& in, std::pmr::memory_resource* memory, const Codec* codec = nullptr);

  /// Reads kMagic and kFormatVersion.
  /// Returns: whether this is a saved world of this format; if not, `fault` says why.
  bool read_head();
  /// Reads the next chunk, and decompresses its content if the file is compressed.
  /// Returns: false if the stream ends before the end of the chunk, if the chunk is damaged, of unknown kind or out of
  /// order (see ChunkKind), or if the file needs a codec that the program has not given; `fault` then says which.
  bool next();

  ChunkKind kind() const { return kind_; }
  /// Returns: a reader of the content of the present chunk. The reader limits the memory for values in proportion to
  /// the size of the chunk in the file, where the chunk may be compressed.
  ByteReader reader() const {
    const PlainList<std::byte>& content = is_compressed_ ? decompressed_ : content_;
    return ByteReader({content.data(), content.size()}, content_.size());
  }
  /// Returns: where the present chunk is, for a message: "chunk 3 (ROWS), at byte 1024".
  std::string place() const;
  const std::string& fault() const { return fault_; }
  /// Returns: how many bytes were read from the stream.
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
  PlainList<std::byte> content_;  // The content of the chunk as it is in the file.
  PlainList<std::byte> decompressed_;
  ChunkKind kind_ = ChunkKind::options;
  std::uint32_t tag_ = 0;
  std::size_t number_ = 0;
  std::uint64_t position_ = 0;  // The number of bytes read.
  std::uint64_t begin_ = 0;     // The position at which the present chunk begins.
  std::string fault_;
};

}  // namespace strata::detail
