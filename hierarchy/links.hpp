// Links: who is whose child, in which order.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <vector>

#include "../storage/branch.hpp"

namespace strata {

/// The tree of a world as arrays beside the slots: 16 bytes for an entity, and 24 more for one that has
/// children. Works on slot indices; whoever calls has checked the handles.
///
/// Invariants:
///   L1. A node's children are chained in both directions, from its family's first to its last, `count` of
///       them, and each names that node as its parent.
///   L2. A node has a family exactly while it has children or a branch for them.
///   L3. Following parents ends: there is no cycle.
class Links {
 public:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  struct Node {
    std::uint32_t parent = kNone;
    std::uint32_t previous = kNone;  ///< Among its siblings.
    std::uint32_t next = kNone;
    std::uint32_t family = kNone;  ///< Where its children are described.
  };

  /// A node's children, and the branch where their rows sit.
  struct Family {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
    std::uint32_t count = 0;
    Branch* branch = nullptr;
  };

  explicit Links(std::pmr::memory_resource* memory)
      : nodes_(memory), families_(memory), free_families_(memory) {}

  std::uint32_t parent(std::uint32_t node) const {
    return node < nodes_.size() ? nodes_[node].parent : kNone;
  }
  std::uint32_t next(std::uint32_t node) const { return node < nodes_.size() ? nodes_[node].next : kNone; }
  std::uint32_t first_child(std::uint32_t node) const {
    const Family* family = find_family(node);
    return family != nullptr ? family->first : kNone;
  }
  std::uint32_t child_count(std::uint32_t node) const {
    const Family* family = find_family(node);
    return family != nullptr ? family->count : 0;
  }

  const Family* find_family(std::uint32_t node) const {
    if (node >= nodes_.size() || nodes_[node].family == kNone) return nullptr;
    return &families_[nodes_[node].family];
  }
  Family* find_family(std::uint32_t node) {
    return const_cast<Family*>(static_cast<const Links*>(this)->find_family(node));
  }

  /// Returns: the family of a node, created if it has none.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Invalidates: references to other families.
  Family& get_family(std::uint32_t node);

  /// Removes a node's family.
  /// Contract: it has no children; its branch has been dropped.
  void drop_family(std::uint32_t node) noexcept;

  /// Makes room for a node, so that `attach` cannot fail.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(std::uint32_t node) {
    if (node >= nodes_.size()) [[unlikely]]
      grow(node);
  }

  /// Makes a node the last child of another.
  /// Contract: room for both; the node has no parent, the other has a family and is not below the node.
  /// Complexity: O(1).
  void attach(std::uint32_t node, std::uint32_t parent) noexcept;

  /// Takes a node away from its parent, if it has one.
  /// Complexity: O(1).
  void detach(std::uint32_t node) noexcept;

  /// Returns: whether `ancestor` is met on the way from `node`'s parent to its root.
  /// Complexity: O(depth).
  bool is_ancestor(std::uint32_t ancestor, std::uint32_t node) const;

  /// Returns: the node after `node` in a depth-first walk of the subtree of `root`, parents first; kNone at
  /// the end.
  /// Complexity: O(1) on average.
  std::uint32_t next_depth_first(std::uint32_t node, std::uint32_t root) const;

  /// Returns: the first node of the subtree in an order where children come before parents: a leaf.
  std::uint32_t first_leaf(std::uint32_t node) const;

  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }

  std::string check_invariants() const;

 private:
  void grow(std::uint32_t node);
  std::string check_family(std::uint32_t node) const;

  std::pmr::vector<Node> nodes_;  // By slot index; grown when a node first gets a link.
  std::pmr::vector<Family> families_;
  std::pmr::vector<std::uint32_t> free_families_;
};

}  // namespace strata
