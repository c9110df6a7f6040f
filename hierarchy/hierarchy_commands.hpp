// HierarchyCommands: applies recorded commands to the parents, layers, names, relations and states of entities.
#pragma once

#include "../storage/commands.hpp"
#include "hierarchy.hpp"
#include "layers/layers.hpp"
#include "states/states.hpp"

namespace strata::detail {

/// Applies recorded commands (see CommandBuffer) to the hierarchy, the layers, the names, the relations and the states.
/// The code that records commands is in `storage`, which knows neither parents nor layers (sets of entities with an
/// integer key). So it records a parent as a Placement: the bits of the parent's handle, or empty for a root. It
/// records a layer as a Group: the key of the layer.
class HierarchyCommands final : public CommandTarget {
 public:
  HierarchyCommands(Store& store, Hierarchy& hierarchy, Layers& layers, States& states)
      : store_(store), hierarchy_(hierarchy), layers_(layers), states_(states) {}

  Outcome create(Entity reserved, Archetype& archetype, Placement placement, Place* place) override;
  Outcome move(Entity entity, Placement placement) override;
  Outcome destroy(Entity entity) override;
  void regroup(Entity entity, Group group) override;
  Outcome rename(Entity entity, std::string_view name) override;
  Outcome add_pair(Entity source, Entity target, ComponentId id, void* value) override;
  void remove_pair(Entity source, Entity target, ComponentId id) override;
  void change_state(Entity entity, StateRequest request) override { states_.apply(entity, request); }

 private:
  Store& store_;
  Hierarchy& hierarchy_;
  Layers& layers_;
  States& states_;
};

}  // namespace strata::detail
