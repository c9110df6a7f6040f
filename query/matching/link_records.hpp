// LinkRecords: how the entities that relate to one are chained, as queries read it.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

namespace strata::detail {

/// The entities that relate to one, in their order, as a chain of slot indices.
struct RelatedChain {
  static constexpr std::uint32_t kEnd = 0xFFFF'FFFF;
  static constexpr std::size_t kStride = 4;

  std::uint32_t first = kEnd;
  const std::uint32_t* nexts = nullptr;  ///< What comes after index i is at nexts[i * kStride].

  std::uint32_t next(std::uint32_t index) const { return nexts[index * kStride]; }
  void prefetch(std::uint32_t index) const { __builtin_prefetch(&nexts[index * kStride]); }
};

/// The records of a tree. Links, of the hierarchy, is the class that writes them; queries follow chains of children
/// without calling it, because most families are small and a call would cost as much as the visit.
class LinkRecords {
 public:
  static constexpr std::uint32_t kNone = RelatedChain::kEnd;

  struct Node {
    std::uint32_t parent = kNone;
    std::uint32_t previous = kNone;  ///< Among its siblings.
    std::uint32_t next = kNone;
    std::uint32_t family = kNone;  ///< Where its children are described.
  };
  static_assert(sizeof(Node) == RelatedChain::kStride * sizeof(std::uint32_t));

  /// A node's children, and the branch where their rows sit.
  struct Family {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
    std::uint32_t count : 28 = 0;
    std::uint32_t layout : 2 = 0;  ///< A Layout: how its rows, and by default all below them, are laid out.
    std::uint32_t chooses_layout : 1 = 0;  ///< The layout was set for this node; it is not its parent's.
    std::uint32_t resized : 1 = 0;         ///< It is on a list of families whose rows may belong elsewhere.
    std::uint32_t branch = kNone;          ///< A branch's number; kNone while there never was a child.
  };
  static_assert(sizeof(Family) == 16);

  const Family* find_family(std::uint32_t node) const {
    if (node >= nodes_.size() || nodes_[node].family == kNone) return nullptr;
    return &families_[nodes_[node].family];
  }

  /// Returns: the children of a node.
  RelatedChain chain_of(std::uint32_t node) const {
    const Node* const nodes = nodes_.data();
    // Compared as addresses, the index needs no count of nodes, which a vector would have to divide for.
    const std::uintptr_t offset = std::uintptr_t{node} * sizeof(Node);
    const bool is_known = address_of(nodes) + offset < address_of(nodes + nodes_.size());
    if (!is_known || nodes[node].family == kNone) return {};
    return {families_[nodes[node].family].first, &nodes->next};
  }

 private:
  static std::uintptr_t address_of(const Node* node) { return reinterpret_cast<std::uintptr_t>(node); }

 protected:
  explicit LinkRecords(std::pmr::memory_resource* memory) : nodes_(memory), families_(memory) {}
  ~LinkRecords() = default;

  std::pmr::vector<Node> nodes_;  // By slot index; grown when a node first gets a link.
  std::pmr::vector<Family> families_;
};

}  // namespace strata::detail
