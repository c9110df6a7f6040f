// ComponentValue: a component of an entity, for tools that do not know its type.
#pragma once

#include "../../core/component.hpp"

namespace strata {

/// A component of an entity and its value; see World::components.
struct ComponentValue {
  ComponentId id;
  const ComponentInfo* info;  ///< Never null; valid as long as the world.
  void* value;                ///< Null for a tag.
};

/// The same, read-only.
struct ConstComponentValue {
  ComponentId id;
  const ComponentInfo* info;
  const void* value;
};

}  // namespace strata
