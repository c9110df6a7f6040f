// FactReader: puts back what a saved world says of single entities: names, pairs and
// components that are off.
#pragma once

#include "load_state.hpp"

namespace strata::detail {

/// Reads what is put back by the operations that made it. All entities have rows before.
class FactReader {
 public:
  explicit FactReader(LoadState& state) : state_(state) {}

  // Each reads one fact, and returns whether the content makes sense.

  bool read_name(ByteReader& from);
  bool read_pair(ByteReader& from);
  bool read_off(ByteReader& from);

  /// Checks, when all pairs are known, that relations without cycles have none.
  /// Complexity: O(pairs + slots).
  bool close_pairs();

 private:
  LoadState& state_;
  std::vector<const SavedComponent*> on_again_;  // Noted, as they cannot be off in the program.
};

}  // namespace strata::detail
