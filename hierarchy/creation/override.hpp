// Override: a value that copies of an entity get instead of the value of the original.
#pragma once

#include "../../core/component.hpp"
#include "../../core/entity.hpp"

namespace strata::detail {

/// A value that the copies of an entity get instead of the entity's own value, when a subtree is copied.
struct Override {
  Entity node;  ///< An entity of the subtree.
  ComponentId id;
  const void* value;  ///< Each copy of the entity gets a copy of this value.
};

}  // namespace strata::detail
