// ComponentReader: finds the components of a saved world in the program.
#pragma once

#include "load_state.hpp"

namespace strata::detail {

/// Reads the names and types of components, and compares them with those of the program.
class ComponentReader {
 public:
  /// `known` has the relations of the program.
  ComponentReader(LoadState& state, const RelationSet& known) : state_(state), known_(known) {}

  /// Returns: whether the content makes sense, and is known.
  bool read_components(ByteReader& from);

 private:
  bool may_be_written(ComponentId id) const;
  bool read_component(ByteReader& from);
  bool read_relation(ByteReader& from, ComponentId id, Pairs*& pairs);

  LoadState& state_;
  const RelationSet& known_;
};

}  // namespace strata::detail
