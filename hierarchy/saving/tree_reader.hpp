// TreeReader: makes the slots of a saved world, and the links between them.
#pragma once

#include <array>
#include <vector>

#include "chunks.hpp"
#include "load_state.hpp"

namespace strata::detail {

/// Reads slots and families. The links are made when all families are known, as depths decide where rows will be.
class TreeReader {
 public:
  explicit TreeReader(LoadState& state) : state_(state) {}

  // All return whether the content makes sense.

  /// Reads a list of numbers.
  bool read_slots(ByteReader& from);
  /// Makes the slots, when all lists are known.
  bool close_slots();
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
    bool chooses;  ///< The layout was set for the parent.
    std::uint32_t first;
    std::uint32_t count;
  };

  bool open_family(std::uint32_t parent, std::uint8_t how, std::uint32_t count);
  void link(const Family& family, std::uint32_t depth);
  bool find_depths(std::vector<std::uint32_t>& depths);

  LoadState& state_;
  std::array<std::vector<std::uint32_t>, 3> lists_;  // By SlotList.
  std::vector<Family> families_;
  std::vector<std::uint32_t> children_;
  std::vector<bool> marked_;  // By slot index: is a parent.
};

}  // namespace strata::detail
