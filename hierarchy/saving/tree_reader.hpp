// TreeReader: creates the slots of a saved world, and the links between them.
#pragma once

#include <array>
#include <vector>

#include "chunks.hpp"
#include "load_state.hpp"

namespace strata::detail {

/// Reads slots and families. Children are linked to their parents as they are read; the tables of their rows are chosen
/// when all families are known, because they depend on the depths.
class TreeReader {
 public:
  explicit TreeReader(LoadState& state) : state_(state) {}

  // All functions return whether the content is valid.

  /// Reads a list of numbers.
  bool read_slots(ByteReader& from);
  /// Makes the slots, when all lists are known.
  bool close_slots();
  /// Reads a parent and its children.
  bool read_family(ByteReader& from);
  /// Checks that there is no cycle, and opens the branches of all families.
  /// Complexity: O(slots).
  bool close();

 private:
  bool open_family(std::uint32_t parent, std::uint8_t how, std::uint32_t count);
  bool refuse_child(std::uint32_t child);
  bool are_children_in_use();
  bool open_branches(std::uint32_t parent);

  LoadState& state_;
  std::array<std::vector<std::uint32_t>, 3> lists_;  // By SlotList.
  std::vector<std::uint32_t> parents_;   // The parents of the families, in the order in which they were
                                         // read.
  std::vector<std::uint32_t> children_;  // The children of the last family.
  std::vector<std::uint32_t> above_;     // Ancestors whose children have no branch yet.
};

}  // namespace strata::detail
