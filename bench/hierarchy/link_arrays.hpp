// LinkArrays: a tree as links by node, by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "families.hpp"
#include "shapes.hpp"
#include "support/work.hpp"

namespace strata::bench {

/// Siblings chained in both directions, from their parent's first child.
class LinkArrays {
 public:
  explicit LinkArrays(const Tree& tree) : nodes_(tree.parents.size()) {
    for (auto node = static_cast<std::uint32_t>(nodes_.size()); node-- > 0;) {
      if (tree.parents[node] != Tree::kNoParent) link(node, tree.parents[node]);
    }
  }

  std::uint32_t parent(std::uint32_t node) const { return nodes_[node].parent; }
  std::uint32_t first_child(std::uint32_t node) const { return nodes_[node].first; }
  std::uint32_t next(std::uint32_t node) const { return nodes_[node].next; }

  void set_parent(std::uint32_t node, std::uint32_t parent) {
    unlink(node);
    link(node, parent);
  }

  /// Returns: the first node that is not the parent of exactly its children.
  Complaint wrong_parent(const Tree& tree) const {
    std::size_t linked = 0;
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
      for (std::uint32_t child = nodes_[node].first; child != kNone; child = nodes_[child].next) {
        ++linked;
        if (nodes_[child].parent != node || tree.parents[child] != node) {
          return "node " + std::to_string(child) + " has the wrong parent";
        }
      }
    }
    return linked == children_of(tree).size() ? "" : "nodes are missing";
  }

  static constexpr std::uint32_t kNone = Tree::kNoParent;

 private:
  struct Links {
    std::uint32_t parent = kNone;
    std::uint32_t first = kNone;
    std::uint32_t next = kNone;
    std::uint32_t previous = kNone;
  };

  void link(std::uint32_t node, std::uint32_t parent) {
    const std::uint32_t next = nodes_[parent].first;
    nodes_[node].parent = parent;
    nodes_[node].next = next;
    nodes_[node].previous = kNone;
    if (next != kNone) nodes_[next].previous = node;
    nodes_[parent].first = node;
  }

  void unlink(std::uint32_t node) {
    const Links& links = nodes_[node];
    if (links.next != kNone) nodes_[links.next].previous = links.previous;
    if (links.previous != kNone) {
      nodes_[links.previous].next = links.next;
    } else {
      nodes_[links.parent].first = links.next;
    }
  }

  std::vector<Links> nodes_;
};

}  // namespace strata::bench
