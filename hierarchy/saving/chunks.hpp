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

namespace strata::detail {

// A saved world is kMagic and kFormatVersion, then chunks: a tag of four characters, the size of the content in 8 bytes,
// its XXH64 hash, seeded with the tag, in 8 bytes, and the content. All numbers are little-endian.
inline constexpr std::string_view kMagic = "strata\x1A\n";
inline constexpr std::uint32_t kFormatVersion = 1;

/// The kinds of chunks, in the order in which a saved world has them. Those from `children` to `layouts` may be there any
/// number of times.
enum class ChunkKind : std::uint8_t {
  options,     ///< The options of the world.
  components,  ///< The names and types of components, which other chunks name by their numbers.
  slots,       ///< Generations, and the free and retired slots.
  children,    ///< Parents and their children, in order.
  rows,        ///< Entities with the same components in tables, and their values, column by column.
  members,     ///< Members of a pool, and their values.
  names,
  pairs,
  states,  ///< Entities that were put into a state, such as disabled.
  off,     ///< Components that are switched off.
  layers,
  layouts,  ///< Entities whose layout was set.
  end,
};
inline constexpr std::array<std::string_view, 13> kChunkTags = {
    "OPTS", "COMP", "SLOT", "TREE", "ROWS", "POOL", "NAME", "PAIR", "STAT", "OFFC", "LAYR", "LAYO", "END!"};

/// Writes chunks to a stream, one after the other.
class ChunkWriter {
 public:
  ChunkWriter(std::ostream& out, std::pmr::memory_resource* memory);

  /// Returns: what the content of the next chunk is written to.
  ByteWriter& content() { return content_; }
  /// Returns: whether the content is so large that it should be written.
  bool is_full() const { return content_.written().size() >= kFullBytes; }
  /// Writes a chunk with the content, and empties that.
  void write(ChunkKind kind);

 private:
  static constexpr std::size_t kFullBytes = std::size_t{1} << 20;

  std::ostream& out_;
  ByteWriter content_;
};

/// Reads chunks from a stream, one after the other. Memory is only taken for what has been read.
class ChunkReader {
 public:
  ChunkReader(std::istream& in, std::pmr::memory_resource* memory);

  /// Reads what precedes the chunks.
  /// Returns: whether this is a saved world of this format; `fault` says why not.
  bool read_head();
  /// Reads the next chunk.
  /// Returns: whether there is a sound one; `fault` says why not.
  bool next();

  ChunkKind kind() const { return kind_; }
  std::span<const std::byte> content() const { return {content_.data(), content_.size()}; }
  /// Returns: where the chunk is, for a message: "chunk 3 (ROWS), at byte 1024".
  std::string place() const;
  const std::string& fault() const { return fault_; }

 private:
  bool refuse(std::string why);
  bool read(void* to, std::size_t bytes);
  bool read_content(std::uint64_t bytes);

  std::istream& in_;
  PlainList<std::byte> content_;
  ChunkKind kind_ = ChunkKind::options;
  std::size_t number_ = 0;
  std::uint64_t position_ = 0;  // Behind what was read.
  std::uint64_t begin_ = 0;     // Of the chunk.
  std::string fault_;
};

}  // namespace strata::detail
