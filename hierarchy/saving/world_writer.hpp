// WorldWriter: writes all that a world contains to a stream.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "chunks.hpp"
#include "contents.hpp"
#include "progress.hpp"
#include "saved_parts.hpp"

namespace strata::detail {

/// Writes a world as chunks (see ChunkKind). Values of one component are written for many rows at once, so whole
/// columns are copied if the values are plain bytes.
class WorldWriter {
 public:
  /// `undescribed` says what to do with components and resources whose types are not described for saving (see
  /// members_of). `codec` compresses the chunks; null if they are not compressed.
  /// Contract: the objects to which the members of `parts` refer outlive this object.
  WorldWriter(const SavedParts& parts, std::ostream& out, Undescribed undescribed, OnProgress progress,
              const Codec* codec = nullptr);

  /// Writes the whole world.
  /// Returns: success; or a refusal. The refusal says that the stream has failed, that `progress` has cancelled, or
  /// which component or resource cannot be saved. In the last case, none of the world's contents were written: the
  /// stream has only the head of the file, which the constructor has written.
  /// Errors: std::bad_alloc, and what the program's functions for writing values (see members_of) and the stream throw.
  Outcome write();

 private:
  static constexpr std::uint32_t kNotSaved = 0xFFFF'FFFF;
  static constexpr std::uint32_t kMostRows = 1u << 15;   // The most rows of a chunk.
  static constexpr std::size_t kMostNumbers = 1u << 17;  // The most numbers that are written at once.

  /// Successive rows of one block.
  struct Run {
    const Block* block;
    std::uint32_t first;
    std::uint32_t count;
  };

  Outcome number_components();
  Outcome list_resources();
  std::string number_one(ComponentId id);
  bool is_written_otherwise(ComponentId id) const;
  bool is_used(ComponentId id) const;
  void write_options();
  void write_components();
  void write_slots();
  void write_numbers(SlotList list, std::size_t least);
  void write_children();
  void write_family(std::uint32_t node, std::uint8_t how);
  void write_rows();
  std::uint32_t most_rows_of(const Archetype& archetype) const;
  void add_rows(const Archetype& archetype, const Table& table);
  void write_runs(const Archetype& archetype);
  void write_column(ComponentId id);
  std::size_t row_bytes_of(const Archetype& archetype) const;
  std::uint32_t rows_that_fit(std::uint32_t count, std::size_t row_bytes);
  void write_marks(const Archetype& archetype);
  void write_members();
  void write_names();
  void write_pairs();
  void write_off();
  void write_resources();
  void write_chunk(ChunkKind kind);
  void write_if(ChunkKind kind, bool wanted);
  /// Returns: the number of a component in the file; kNotSaved if it is not saved.
  std::uint32_t number_of(ComponentId id) const {
    // The progress function may have registered components after `number_components` was called.
    return to_index(id) < file_numbers_.size() ? file_numbers_[to_index(id)] : kNotSaved;
  }

  SavedParts parts_;
  ComponentId
      original_;  // OriginalHandle, if the handles in `parts_.originals` are written; otherwise kUnknown.
  std::ostream& out_;
  ChunkWriter chunks_;
  Undescribed undescribed_;
  OnProgress progress_;
  bool ends_ = false;                           // Saving was cancelled, or the stream has failed.
  std::uint64_t written_rows_ = 0;              // Rows in all chunks so far.
  std::vector<std::uint32_t> file_numbers_;     // By component id: the number in the file, or kNotSaved.
  std::vector<ComponentId> saved_;              // The saved components, by their numbers.
  std::vector<const ResourceType*> resources_;  // The types of the saved resources, sorted by name.
  std::vector<Run> runs_;                       // Runs of one archetype that are not written yet.
  std::uint32_t rows_ = 0;                      // Rows in `runs_`.
  std::uint32_t most_rows_ = 1;                 // The most rows of the next chunk.
  std::vector<std::uint32_t> numbers_;          // The numbers to write next.
};

}  // namespace strata::detail
