// TreeReader: restores the entity handles of a saved world (the generation of each index, and which indices are free),
// and the links between parents and children.
#pragma once

#include <array>
#include <vector>

#include "chunks.hpp"
#include "load_state.hpp"

namespace strata::detail {

/// Reads slots and families (parents with their children). Children are linked to their parents as they are read. The
/// tables for their rows depend on the depths of the children, so `close` chooses the tables when all families are
/// known.
class TreeReader {
 public:
  explicit TreeReader(LoadState& state) : state_(state) {}

  // All functions return false if they refuse the file, because its data are not valid or it has too many entities
  // (WorldOptions::max_entities).

  /// Reads the next part of one of the three lists of slots. The data begin with the number of the list (see SlotList).
  bool read_slots(ByteReader& from);
  /// Creates the slots from the lists that `read_slots` has read. Call it after all parts of these lists were read.
  bool close_slots();
  /// Reads a parent and its children, or further children of the parent that was read last.
  bool read_family(ByteReader& from);
  /// Checks that each child has a slot in use and that no entity is its own ancestor. Opens a branch (a set of tables)
  /// for the children of each family. Call it after all families were read.
  /// Complexity: O(slots).
  bool close();

 private:
  bool open_family(std::uint32_t parent, std::uint8_t how, std::uint32_t count);
  bool refuse_child(std::uint32_t child);
  bool are_children_in_use();
  bool open_branches(std::uint32_t parent);

  LoadState& state_;
  std::array<std::vector<std::uint32_t>, 3> lists_;  // By SlotList: what was read of each list.
  // The parents of the families, in the order in which they were read.
  std::vector<std::uint32_t> parents_;
  std::vector<std::uint32_t> children_;  // The children that were read last.
  std::vector<std::uint32_t> above_;     // For `open_branches`: parents whose children need a branch.
};

}  // namespace strata::detail
