// Saving and loading of worlds: lists the parts of a world that are saved, makes empty worlds, and loads worlds.
#pragma once

#include "../../../hierarchy/saving/saved_parts.hpp"
#include "../saving.hpp"
#include "world_parts.hpp"

namespace strata::detail {

inline LoadedParts parts_to_load(WorldParts& parts) {
  Hierarchy& tree = parts.hierarchy;
  return {parts.store,      tree.links(), tree.rows(),  tree.names(),
          tree.relations(), parts.states, parts.layers, list_of(parts.resources)};
}
inline SavedParts parts_to_save(const WorldParts& parts) {
  const Hierarchy& tree = parts.hierarchy;
  return {parts.store,
          tree.links(),
          tree.rows(),
          tree.names(),
          tree.relations(),
          parts.layers,
          list_of(parts.resources)};
}

/// Returns: a world with these options and without entities. The same components are registered in it as in `known`,
/// with the same ids, and the same types of resources.
STRATA_API World make_empty_world(const WorldOptions& options, const World& known);

/// Does what `load` does, but skips the resources in the file if `reads_resources` is false. load_part, which loads a
/// part of a world, passes false.
LoadedWorld load_world(std::istream& in, const World& known, const LoadOptions& options,
                       bool reads_resources);

}  // namespace strata::detail
