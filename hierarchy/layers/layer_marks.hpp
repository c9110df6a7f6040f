// LayerMarks: which layers have entities with a certain mark.
#pragma once

#include <cstdint>
#include <vector>

#include "layers.hpp"

namespace strata::detail {

/// Answers from the marks themselves, so that marking an entity costs nothing more. All layers are found at
/// the first question about a mark.
/// Contract: no structural change while it is in use.
class LayerMarks {
 public:
  LayerMarks(const Store& store, const Layers& layers) : store_(store), layers_(layers) {}

  /// Returns: whether an entity of the layer has the side-store component `mark`.
  /// Complexity: O(1) after the first time for a mark, which is O(layers + entities marked).
  bool contains(Layers::Index layer, ComponentId mark);

  const Store& store() const { return store_; }

 private:
  /// By layer, whether it has one.
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
