// LayerMarks: finds out which layers (sets of entities) contain an entity with a given component.
#pragma once

#include <cstdint>
#include <vector>

#include "../../core/compiler.hpp"
#include "layers.hpp"

namespace strata::detail {

/// Finds out which layers (sets of entities, see Layers) contain an entity that has a given component. That component
/// is called a mark, and is in the side store (sparse sets). The first call of `contains` for a mark goes through all
/// entities that have it, and keeps the answers for all layers. So the library need not update anything when an entity
/// gets a mark.
/// Contract: no structural change while a LayerMarks is in use, because the kept answers are not updated.
class LayerMarks {
 public:
  LayerMarks(const Store& store, const Layers& layers) : store_(store), layers_(layers) {}

  /// Returns: whether an entity of the layer has the side-store (sparse-set) component `mark`.
  /// Complexity: O(1); O(layers + entities with the mark) in the first call for a mark.
  STRATA_API bool contains(Layers::Index layer, ComponentId mark);

  const Store& store() const { return store_; }

 private:
  /// For one component, `mark`: element i of `by_layer` is 1 if an entity of the layer with number i (see
  /// Layers::Index) has the mark, otherwise 0.
  struct Answers {
    ComponentId mark;
    std::vector<std::uint8_t> by_layer;
  };

  const Answers& find_all(ComponentId mark);

  const Store& store_;
  const Layers& layers_;
  std::vector<Answers> answers_;
};

}  // namespace strata::detail
