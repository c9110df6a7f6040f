// ComponentValue: a component that an entity has, for tools that do not know its type.
#pragma once

#include <vector>

#include "../../storage/store.hpp"

namespace strata {

/// A component of an entity and its value; see World::components.
struct ComponentValue {
  ComponentId id;
  const ComponentInfo* info;  ///< Never null; valid as long as the world.
  void* value;                ///< Null for a tag.
};

/// The same to read.
struct ConstComponentValue {
  ComponentId id;
  const ComponentInfo* info;
  const void* value;
};

namespace detail {

/// Returns: the components of an entity, those in tables first, each kind in the order of their ids; nothing for a stale
/// entity. The values count as written if the store is not const.
std::vector<ComponentValue> list_components(Store& store, Entity entity);
std::vector<ConstComponentValue> list_components(const Store& store, Entity entity);

}  // namespace detail
}  // namespace strata
