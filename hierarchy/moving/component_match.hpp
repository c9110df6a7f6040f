// ComponentMatch: matches the components of two worlds.
#pragma once

#include <vector>

#include "../../core/outcome.hpp"
#include "../saving/contents.hpp"
#include "../saving/saved_parts.hpp"

namespace strata::detail {

/// Finds the components of one world in another by their names, and registers those that are new there.
///
/// Contract: the parts outlive it.
class ComponentMatch {
 public:
  /// If `copies` is set, `undescribed` says what to do with components whose values can be neither copied nor written.
  ComponentMatch(const SavedParts& from, const LoadedParts& to, bool copies, Undescribed undescribed)
      : from_(from), to_(to), copies_(copies), undescribed_(undescribed) {}

  /// Matches a component, if it is one of the program and was not matched before.
  /// Returns: success; or a refusal that names the component, and says in what the two differ.
  /// Errors: std::bad_alloc.
  Outcome add(ComponentId id);
  /// Matches the component of a relation, and makes the relation known.
  /// Returns, Errors: as for `add`.
  Outcome add_relation(const Pairs& pairs);

  /// Returns: the component in the other world; Registry::kUnknown if it was not matched or is left out.
  ComponentId find(ComponentId id) const {
    return to_index(id) < ids_.size() ? ids_[to_index(id)] : Registry::kUnknown;
  }

 private:
  bool is_of_program(ComponentId id) const;

  SavedParts from_;
  LoadedParts to_;
  bool copies_;
  Undescribed undescribed_;
  std::vector<ComponentId> ids_;  // By id in the first world.
};

}  // namespace strata::detail
