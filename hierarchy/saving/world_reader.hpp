// WorldReader: fills a new world with what a WorldWriter has written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../core/outcome.hpp"
#include "../creation/new_entities.hpp"
#include "chunks.hpp"
#include "saved_parts.hpp"

namespace strata::detail {

/// The options of a saved world.
struct SavedOptions {
  LayoutPolicy policy;
  std::uint32_t world_number = 0;
  bool unique_names = false;
};

/// Reads the head and the options of a saved world.
/// Returns: success; or a refusal that says what is wrong, and where.
Outcome read_options(ChunkReader& chunks, SavedOptions& options);

/// Reads a saved world into the parts of a world without entities. All that the chunks say is checked before it is
/// used, so wrong ones are refused, whatever they say.
///
/// Contract: `parts` have the options of the saved world, and know the components of the program; nothing else was done
/// with them. If reading is refused or throws, they can only be destroyed.
class WorldReader {
 public:
  /// `known` has the relations of the program.
  WorldReader(ChunkReader& chunks, const LoadedParts& parts, const RelationSet& known);

  /// Reads all chunks after the options.
  /// Returns: success; or a refusal that says what is wrong, and where.
  /// Errors: std::bad_alloc, and what functions of members_of and the stream throw.
  Outcome read();

 private:
  /// A component of the file.
  struct Component {
    ComponentId id;
    Pairs* pairs;  ///< Null if it is no relation.
  };
  /// A parent with its children, which are in `children_`.
  struct Family {
    std::uint32_t parent;
    Layout layout;
    std::uint32_t first;
    std::uint32_t count;
  };
  /// Successive rows of a chunk that go to one table.
  struct Stretch {
    Table* table;
    std::uint32_t count;
  };

  bool read_chunk(ChunkKind before);
  bool refuse(std::string why);
  bool refuse_entity(std::uint32_t index, const std::string& why);

  bool read_components(ByteReader& from);
  bool may_be_written(ComponentId id) const;
  bool read_component(ByteReader& from);
  bool read_relation(ByteReader& from, ComponentId id, Pairs*& pairs);
  bool read_slots(ByteReader& from);
  bool read_children(ByteReader& from);
  bool read_family(ByteReader& from);
  bool close_tree();
  bool find_depths(std::vector<std::uint32_t>& depths);
  bool read_rows(ByteReader& from);
  bool read_signature(ByteReader& from, std::vector<ComponentId>& ids);
  bool plan_rows(ByteReader& from, Archetype& archetype);
  bool read_columns(ByteReader& from, const std::vector<ComponentId>& ids);
  void append_rows();
  bool close_rows();
  bool read_members(ByteReader& from);
  bool read_name(ByteReader& from);
  bool read_pair(ByteReader& from);
  bool read_state(ByteReader& from);
  bool read_off(ByteReader& from);
  bool read_layer(ByteReader& from);
  bool read_layout(ByteReader& from);

  Component* read_number(ByteReader& from);
  bool read_entity(ByteReader& from, Entity& entity);
  bool read_value(ByteReader& from, const ComponentInfo& info, void* to);

  ChunkReader& chunks_;
  LoadedParts parts_;
  const RelationSet& known_;
  NewEntities made_;
  std::string fault_;
  std::vector<Component> components_;
  std::vector<std::uint32_t> parents_;  // By slot index.
  std::vector<Family> families_;
  std::vector<std::uint32_t> children_;
  std::vector<bool> marked_;             // By slot index: has a family, then: has a row.
  std::vector<std::uint32_t> indices_;   // The slot indices in a chunk of rows,
  std::vector<std::uint32_t> entities_;  // Of the rows of a chunk.
  std::vector<Stretch> stretches_;
  std::uint32_t rows_ = 0;  // Of all chunks.
};

}  // namespace strata::detail
