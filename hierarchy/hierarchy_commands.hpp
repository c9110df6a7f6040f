// HierarchyCommands: carries out recorded commands that create, move or destroy entities of a hierarchy.
#pragma once

#include "../storage/commands.hpp"
#include "hierarchy.hpp"

namespace strata {

/// Reads a command's placement as the bits of a parent's handle; none is a root.
class HierarchyCommands : public CommandTarget {
 public:
  HierarchyCommands(Store& store, Hierarchy& hierarchy) : store_(store), hierarchy_(hierarchy) {}

  Outcome create(Entity reserved, Archetype& archetype, Placement placement, Place* place) override;
  Outcome move(Entity entity, Placement placement) override;
  void destroy(Entity entity) override { hierarchy_.destroy(entity, Children::destroy); }

 private:
  Store& store_;
  Hierarchy& hierarchy_;
};

}  // namespace strata
