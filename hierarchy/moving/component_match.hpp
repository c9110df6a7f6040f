// ComponentMatch: finds the components of one world in another world, by name.
#pragma once

#include <vector>

#include "../../core/outcome.hpp"
#include "../saving/contents.hpp"
#include "../saving/saved_parts.hpp"

namespace strata::detail {

/// Finds the components of a source world in a destination world by their names, and registers those that the
/// destination world does not have yet.
///
/// Contract: the objects to which the members of `from` (source world) and `to` (destination world) refer outlive this
/// object.
class ComponentMatch {
 public:
  /// If values are to be copied (`copies`), `undescribed` says what to do with components whose values can be neither
  /// copied nor written as bytes.
  ComponentMatch(const SavedParts& from, const LoadedParts& to, bool copies, Undescribed undescribed)
      : from_(from), to_(to), copies_(copies), undescribed_(undescribed) {}

  /// Returns: whether a component is defined by the program. All other components hold the library's own data, such as
  /// names and layers.
  bool is_of_program(ComponentId id) const;

  /// Finds a component of the source world in the destination world by its name, or registers it there. Does nothing if
  /// the component holds the library's own data, or if it was matched before.
  /// Returns: success; or a refusal that names the component and says why it cannot be matched.
  /// Errors: std::bad_alloc.
  Outcome add(ComponentId id);
  /// Matches the component of a relation as `add` does, and registers the relation in the destination world. `pairs`
  /// are the relation's pairs in the source world.
  /// Returns: success; or a refusal that names the component and says why it cannot be matched.
  /// Errors: std::bad_alloc.
  Outcome add_relation(const Pairs& pairs);

  /// Returns: the id that the component `id` of the source world has in the destination world; Registry::kUnknown if
  /// the component was not matched or is left out (see Undescribed).
  ComponentId find(ComponentId id) const {
    return to_index(id) < ids_.size() ? ids_[to_index(id)] : Registry::kUnknown;
  }

 private:
  SavedParts from_;
  LoadedParts to_;
  bool copies_;
  Undescribed undescribed_;
  std::vector<ComponentId> ids_;  // Ids in the destination world, by the id in the source world.
};

}  // namespace strata::detail
