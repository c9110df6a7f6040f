// FactReader: restores the facts of a saved world about single entities: names, pairs and components that are off.
#pragma once

#include "load_state.hpp"

namespace strata::detail {

/// Restores these facts by the operations that a program would call. All entities already have their rows.
class FactReader {
 public:
  explicit FactReader(LoadState& state) : state_(state) {}

  // Each function reads one fact, and returns whether the content is valid.

  bool read_name(ByteReader& from);
  bool read_pair(ByteReader& from);
  bool read_off(ByteReader& from);

  /// Call it after all pairs were read: checks that relations which allow no cycles have none.
  /// Complexity: O(pairs + slots).
  bool close_pairs();

 private:
  LoadState& state_;
  std::vector<const SavedComponent*> on_again_;  // Have a note that they cannot be off in the program.
};

}  // namespace strata::detail
