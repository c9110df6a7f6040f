// The parts of a world that are saved and loaded, see SavedParts.
#pragma once

#include "../../../hierarchy/saving/saved_parts.hpp"
#include "world_parts.hpp"

namespace strata::detail {

inline LoadedParts parts_to_load(WorldParts& parts) {
  Hierarchy& tree = parts.hierarchy;
  return {parts.store, tree.links(), tree.rows(), tree.names(), tree.relations(), parts.states, parts.layers};
}
inline SavedParts parts_to_save(const WorldParts& parts) {
  const Hierarchy& tree = parts.hierarchy;
  return {parts.store, tree.links(), tree.rows(), tree.names(), tree.relations(), parts.layers};
}

}  // namespace strata::detail
