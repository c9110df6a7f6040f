// WorldReader: fills a new world with what a WorldWriter has written.
#pragma once

#include <cstdint>

#include "../../core/outcome.hpp"
#include "chunks.hpp"
#include "component_reader.hpp"
#include "fact_reader.hpp"
#include "progress.hpp"
#include "resource_reader.hpp"
#include "row_reader.hpp"
#include "tree_reader.hpp"

namespace strata::detail {

/// The options of a saved world that `load` needs before it can create a world for the contents; see WorldOptions.
struct SavedOptions {
  LayoutPolicy policy;
  std::uint32_t world_number = 0;
  bool unique_names = false;
};

/// Reads the first bytes of a saved world, which tell its format, and the options of the world.
/// Returns: success; or a refusal that says what is wrong, and where.
Outcome read_options(ChunkReader& chunks, SavedOptions& options);

/// Reads a saved world into the parts of a new world without entities. Everything in the chunks is checked before it is
/// used, so files with any errors are refused.
///
/// Contract: `parts` belong to a world that was created with the options of the saved world, in which the components of
/// the program are registered, and which has not been changed since. If `read` refuses or throws, the world can only be
/// destroyed.
class WorldReader {
 public:
  /// `parts` are the parts of the new world. `known` are the relations of another world, which the program has passed
  /// to `load` and from which the new world has got its components. If a relation of the file is in `known` with other
  /// options, the file is refused. Reading adds notes to `notes` where the file and the program differ.
  WorldReader(ChunkReader& chunks, const LoadedParts& parts, const RelationSet& known, const LoadRules& rules,
              OnProgress progress, std::vector<LoadNote>& notes);

  /// Reads all chunks after the options.
  /// Returns: success; or a refusal that says what is wrong, and where.
  /// Errors: std::bad_alloc, and what the program's functions for reading values (see members_of) and the stream throw.
  Outcome read();

 private:
  bool read_chunk(ChunkKind before);
  bool read_next(ChunkKind kind, ByteReader& from);

  ChunkReader& chunks_;
  OnProgress progress_;
  LoadState state_;
  ComponentReader components_;
  TreeReader tree_;
  RowReader rows_;
  FactReader facts_;
  ResourceReader resources_;
};

}  // namespace strata::detail
