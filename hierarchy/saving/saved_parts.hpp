// SavedParts: the parts of a world that are saved and loaded.
#pragma once

#include "../../core/resource_list.hpp"
#include "../../storage/store.hpp"
#include "../families/family_rows.hpp"
#include "../layers/layers.hpp"
#include "../names/entity_names.hpp"
#include "../relations/relation_set.hpp"
#include "../states/states.hpp"

namespace strata::detail {

/// The parts of a world that are saved. Parts are `const` if saving does not change them.
struct SavedParts {
  const Store& store;
  const Links& links;
  const FamilyRows& rows;
  const EntityNames& names;
  const RelationSet& relations;
  const Layers& layers;
  const ResourceList& resources;
};

/// The parts of a world that are loaded. They contain no entity before loading.
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

}  // namespace strata::detail
