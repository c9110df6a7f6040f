// LinkRecords: the linked lists of children, as queries read them.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "../../core/compiler.hpp"

namespace strata::detail {

/// The children of an entity in their order: a linked list of slot indices (Entity::index). It refers to the
/// LinkRecords and owns nothing.
struct RelatedChain {
  static constexpr std::uint32_t kEnd = 0xFFFF'FFFF;
  static constexpr std::size_t kStride = 4;

  std::uint32_t first = kEnd;
  const std::uint32_t* nexts = nullptr;  ///< The successor of index i is at nexts[i * kStride].

  std::uint32_t next(std::uint32_t index) const { return nexts[index * kStride]; }
  void prefetch(std::uint32_t index) const { prefetch_to_read(&nexts[index * kStride]); }
};

/// The parent, sibling and child links of all entities, by slot index. The class Links of the hierarchy
/// derives from it and writes them. Queries follow lists of children here, without calling Links: most lists
/// are short, and a call would cost as much as the visit.
class LinkRecords {
 public:
  static constexpr std::uint32_t kNone = RelatedChain::kEnd;

  /// The links of one entity, as slot indices; kNone for an absent one.
  struct Node {
    std::uint32_t parent = kNone;
    std::uint32_t previous = kNone;  ///< The previous sibling.
    std::uint32_t next = kNone;      ///< The next sibling.
    std::uint32_t family = kNone;    ///< Index into families_; kNone without children.
  };
  static_assert(sizeof(Node) == RelatedChain::kStride * sizeof(std::uint32_t));

  /// The children of one entity, and the branch (see Branch) whose tables store their rows.
  struct Family {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
    std::uint32_t count : 28 = 0;
    std::uint32_t layout : 2 = 0;  ///< A Layout: of these rows and, by default, of all rows below them.
    // The layout was set for this node, not inherited from its parent.
    std::uint32_t chooses_layout : 1 = 0;
    std::uint32_t resized : 1 = 0;  ///< The family is queued: its rows may have to move to another branch.
    std::uint32_t branch = kNone;   ///< Number of the branch; kNone until the first child is added.
  };
  static_assert(sizeof(Family) == 16);

  /// Returns: the family of the children of a node; null if it has none.
  /// Invalidates: the pointer, by any change of the links.
  const Family* find_family(std::uint32_t node) const {
    if (node >= nodes_.size() || nodes_[node].family == kNone) return nullptr;
    return &families_[nodes_[node].family];
  }

  /// Returns: the list of the children of a node; an empty list if it has none.
  RelatedChain chain_of(std::uint32_t node) const {
    const Node* const nodes = nodes_.data();
    // Comparing addresses avoids the division that nodes_.size() would need.
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

  std::pmr::vector<Node> nodes_;  // By slot index. Grows when a node gets its first link.
  std::pmr::vector<Family> families_;
};

}  // namespace strata::detail
