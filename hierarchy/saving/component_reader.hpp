// ComponentReader: finds, for each component that a saved file lists, the component of the program.
#pragma once

#include "load_state.hpp"
#include "type_matcher.hpp"

namespace strata::detail {

/// Reads the names and types of components from a file, and compares them with those of the program. Where they differ,
/// LoadRules, which the program has chosen, say what to do, and a note about the difference is added to
/// LoadState::notes.
class ComponentReader {
 public:
  /// `state` refers to the new world that `load` fills from the file. This world has the components of another,
  /// existing world, which the program has passed to `load`. `known` has the relations of the existing world. If the
  /// file has one of them with other options, it is skipped or the file is refused, as LoadRules::changed says.
  ComponentReader(LoadState& state, const RelationSet& known) : state_(state), known_(known), types_(state) {}

  /// Reads the content of the chunk (part of the file) that lists all components of the file.
  /// Returns: false if the content is not valid, or if the file is refused because of a component, for example because
  /// LoadRules require it. If it is refused, LoadState::fault says why.
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
