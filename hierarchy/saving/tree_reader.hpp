// TreeReader: makes the slots of a saved world, and the links between them.
#pragma once

#include <vector>

#include "load_state.hpp"

namespace strata::detail {

/// Reads slots and families. The links are made when all families are known, as depths decide where rows will be.
class TreeReader {
 public:
  explicit TreeReader(LoadState& state) : state_(state) {}

  // All return whether the content makes sense.

  bool read_slots(ByteReader& from);
  /// Reads a parent and its children.
  bool read_family(ByteReader& from);
  /// Makes the links.
  /// Complexity: O(slots).
  bool close();

 private:
  /// A parent with its children, which are in `children_`.
  struct Family {
    std::uint32_t parent;
    Layout layout;
    std::uint32_t first;
    std::uint32_t count;
  };

  bool find_depths(std::vector<std::uint32_t>& depths);

  LoadState& state_;
  std::vector<Family> families_;
  std::vector<std::uint32_t> children_;
  std::vector<bool> marked_;  // By slot index: is a parent.
};

}  // namespace strata::detail
