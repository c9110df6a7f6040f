// ComponentValue: one component of an entity, for tools that do not know its C++ type.
#pragma once

#include "../../core/component.hpp"

namespace strata {

/// One component of an entity, and the address of its value. World::components returns a list of them.
struct ComponentValue {
  ComponentId id;
  const ComponentInfo* info;  ///< Never null; valid as long as the world.
  void* value;                ///< Null for a tag.
};

/// One component of an entity, and the address of its value for reading only. World::components of a const
/// World returns a list of them. `info` is never null and is valid as long as the world; `value` is null for
/// a tag.
struct ConstComponentValue {
  ComponentId id;
  const ComponentInfo* info;
  const void* value;
};

}  // namespace strata
