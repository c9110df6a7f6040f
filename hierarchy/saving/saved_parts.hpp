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

/// References to the parts of a world that are saved. They are `const`, because saving does not change them.
struct SavedParts {
  const Store& store;
  const Links& links;
  const FamilyRows& rows;
  const EntityNames& names;
  const RelationSet& relations;
  const Layers& layers;
  const ResourceList& resources;
};

/// References to the parts of a world that are loaded. The world has no entities before loading.
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
