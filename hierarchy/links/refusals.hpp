// refuse_child: returns the Outcome of a refused change of a parent, with a message that names both entities. The other
// functions return the reasons that such messages contain.
#pragma once

#include <string>

#include "../../core/entity.hpp"
#include "../../core/outcome.hpp"

namespace strata::detail {

/// Returns: a refusal with a sentence that names both entities and ends with `why`.
inline Outcome refuse_child(Entity child, Entity parent, const std::string& why) {
  return Outcome::refused("entity " + to_string(child) + " cannot become a child of entity " +
                          to_string(parent) + ": " + why);
}

inline std::string stale_sentence(Entity entity) {
  return to_string(entity) + " is stale or was never issued";
}
inline std::string own_parent_sentence() {
  return "it would be its own parent";
}
inline std::string cycle_sentence(Entity child, Entity parent) {
  return to_string(child) + " is an ancestor of " + to_string(parent) + ", so that would be a cycle";
}

}  // namespace strata::detail
