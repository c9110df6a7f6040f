// FactReader: restores the facts of a saved world about single entities: names, pairs and components that are switched
// off.
#pragma once

#include "load_state.hpp"

namespace strata::detail {

/// Reads names, pairs and components that are switched off, and restores them with the operations that a program would
/// call. Call it when all entities have their rows.
class FactReader {
 public:
  explicit FactReader(LoadState& state) : state_(state) {}

  // Each function reads and restores one fact about an entity: its name, one pair, or one component that is switched
  // off. It returns false if the bytes that it reads are not valid.

  bool read_name(ByteReader& from);
  bool read_pair(ByteReader& from);
  bool read_off(ByteReader& from);

  /// Checks that the pairs of acyclic relations form no cycles. Call it after all pairs were read.
  /// Returns: false if there is a cycle.
  /// Complexity: O(pairs + slots).
  bool close_pairs();

 private:
  LoadState& state_;
  std::vector<const SavedComponent*> on_again_;  // Components for which `read_off` has added a note.
};

}  // namespace strata::detail
