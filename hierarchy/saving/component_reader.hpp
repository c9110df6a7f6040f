// ComponentReader: finds the components of a saved world in the program.
#pragma once

#include "load_state.hpp"
#include "type_matcher.hpp"

namespace strata::detail {

/// Reads the names and types of components, and compares them with those of the program. Where they differ, does what
/// the rules say, and notes it.
class ComponentReader {
 public:
  /// `known` has the relations of the program.
  ComponentReader(LoadState& state, const RelationSet& known) : state_(state), known_(known), types_(state) {}

  /// Returns: whether the content makes sense, and is known.
  bool read_components(ByteReader& from);

 private:
  bool read_component(ByteReader& from);
  bool identify(SavedComponent& component, const RelationOptions& options);
  std::string find_obstacle(const SavedComponent& component, ComponentId id,
                            const RelationOptions& options) const;

  LoadState& state_;
  const RelationSet& known_;
  TypeMatcher types_;
};

}  // namespace strata::detail
