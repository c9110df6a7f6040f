// SavedParts and LoadedParts: structs of references to the objects that make up a world, such as its store, names and
// relations. They are passed to code that saves, loads, copies or moves entities.
#pragma once

#include "../../core/resource_list.hpp"
#include "../../storage/store.hpp"
#include "../families/family_rows.hpp"
#include "../layers/layers.hpp"
#include "../names/entity_names.hpp"
#include "../relations/relation_set.hpp"
#include "../states/states.hpp"
#include "part_entity.hpp"

namespace strata::detail {

/// References to the parts of a world that are saved. They are `const`, because saving does not change them.
struct SavedParts {
  const Store& store;
  const Links& links;
  const FamilyRows& rows;
  const EntityNames& names;
  const RelationSet& relations;
  const Layers& layers;
  const ResourceList& resources;
  /// If the world is a part (a world with entities that were taken from another world): the original handles of these
  /// entities, which are written as the component OriginalHandle. Otherwise null.
  const OriginalHandles* originals = nullptr;
};

/// References to the parts of a world, for code that changes them. A world into which a file is loaded has no entities
/// before loading.
struct LoadedParts {
  Store& store;
  Links& links;
  FamilyRows& rows;
  EntityNames& names;
  RelationSet& relations;
  States& states;
  Layers& layers;
  ResourceList& resources;
};

/// Returns: references to the same parts, for functions that do not change the world.
inline SavedParts as_saved(const LoadedParts& parts) {
  return {parts.store, parts.links, parts.rows, parts.names, parts.relations, parts.layers, parts.resources};
}

}  // namespace strata::detail
