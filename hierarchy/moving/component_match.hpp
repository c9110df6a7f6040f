// ComponentMatch: matches the components of two worlds.
#pragma once

#include <vector>

#include "../../core/outcome.hpp"
#include "../saving/contents.hpp"
#include "../saving/saved_parts.hpp"

namespace strata::detail {

/// Finds the components of one world in another world by their names, and registers those that the other world does not
/// have yet.
///
/// Contract: the parts of both worlds outlive it.
class ComponentMatch {
 public:
  /// If values are to be copied (`copies`), `undescribed` says what to do with components whose values can be neither
  /// copied nor written as bytes.
  ComponentMatch(const SavedParts& from, const LoadedParts& to, bool copies, Undescribed undescribed)
      : from_(from), to_(to), copies_(copies), undescribed_(undescribed) {}

  /// Finds or registers a component of the first world in the other one. Does nothing if the library defines the
  /// component for its own data, or if it was matched before.
  /// Returns: success; or a refusal that names the component and says why it cannot be matched.
  /// Errors: std::bad_alloc.
  Outcome add(ComponentId id);
  /// Matches the component of a relation, and makes the relation known in the other world.
  /// Returns, Errors: as for `add`.
  Outcome add_relation(const Pairs& pairs);

  /// Returns: the component in the other world; Registry::kUnknown if the component was not matched or is left out.
  ComponentId find(ComponentId id) const {
    return to_index(id) < ids_.size() ? ids_[to_index(id)] : Registry::kUnknown;
  }

 private:
  bool is_of_program(ComponentId id) const;

  SavedParts from_;
  LoadedParts to_;
  bool copies_;
  Undescribed undescribed_;
  std::vector<ComponentId> ids_;  // Ids in the other world, by id in the first one.
};

}  // namespace strata::detail
