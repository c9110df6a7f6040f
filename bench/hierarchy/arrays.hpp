// Arrays: trees by hand, as breadth-first arrays with a parent index, as links by node, and as values by level.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "payloads.hpp"
#include "shapes.hpp"
#include "support/work.hpp"

namespace strata::bench {

/// Returns: a complaint about the first node for which `is_right` is false.
template <class IsRight>
Complaint first_fault(std::size_t nodes, const char* fault, IsRight is_right) {
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (!is_right(node)) return "node " + std::to_string(node) + " " + fault;
  }
  return "";
}

/// Values in the world by one pass over plain arrays: as little work as the task allows.
template <class Value>
struct Arrays {
  Arrays() = default;

  /// Presized, all nodes of `tree`.
  explicit Arrays(const Tree& tree) {
    const auto n = static_cast<std::uint32_t>(tree.parents.size());
    parents.reserve(n);
    locals.reserve(n);
    worlds.reserve(n);
    for (std::uint32_t node = 0; node < n; ++node) append(tree.parents[node], local_of<Value>(node));
  }

  /// Appends a node by push_back; its parent comes before it, and roots before all others.
  void append(std::uint32_t parent, const Value& local) {
    if (parent == Tree::kNoParent) ++roots;
    parents.push_back(parent);
    locals.push_back(local);
    worlds.push_back(local);
  }

  /// Computes every node's value in the world from its parent's.
  void update() {
    for (std::uint32_t i = 0; i < roots; ++i) worlds[i] = locals[i];
    update_below(roots, size());
  }

  /// Computes the values of nodes that are not roots, from `begin` up to `end`.
  void update_below(std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t* const above = parents.data();
    const Value* const from = locals.data();
    Value* const to = worlds.data();
    for (std::size_t i = begin; i < end; ++i) to[i] = compose(to[above[i]], from[i]);
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(parents.size()); }
  std::size_t bytes() const {
    return parents.capacity() * sizeof(std::uint32_t) +
           (locals.capacity() + worlds.capacity()) * sizeof(Value);
  }

  std::uint32_t roots = 0;  ///< They come first.
  NodeList parents;         ///< Each stands before its children.
  std::vector<Value> locals;
  std::vector<Value> worlds;
};

/// Siblings chained in both directions, from their parent's first child.
class LinkArrays {
 public:
  explicit LinkArrays(const NodeList& parents) : nodes_(parents.size()) {
    for (auto node = static_cast<std::uint32_t>(nodes_.size()); node-- > 0;) {
      if (parents[node] != kNone) link(node, parents[node]);
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
  Complaint wrong_parent(const NodeList& parents) const {
    auto missing = parents.size() - static_cast<std::size_t>(std::ranges::count(parents, kNone));
    const Complaint wrong = first_fault(nodes_.size(), "has a child of another", [&](std::uint32_t node) {
      std::uint32_t child = nodes_[node].first;
      for (; child != kNone; child = nodes_[child].next, --missing) {
        if (nodes_[child].parent != node || parents[child] != node) return false;
      }
      return true;
    });
    return wrong.empty() && missing != 0 ? "nodes are missing" : wrong;
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

/// Values packed level by level. A cascade is a pass for each level, whatever changes in the tree; a node that changes its
/// depth changes its place. Beside the limit, whose nodes never move, it shows how much of strata's figure is the cost of
/// the order by depth. No handles, no checks, and all memory is there beforehand.
class LevelArrays {
 public:
  /// Nodes are known by their turn, the rows in breadth-first order at first.
  explicit LevelArrays(const Creation& creation) : links_(creation.parents), places_(creation.nodes.size()) {
    const NodeList turns = places_in(creation.nodes);
    for (std::uint32_t node = 0; node < turns.size(); ++node) {
      const std::uint32_t turn = turns[node];
      const std::uint32_t parent = links_.parent(turn);
      const Affine local = local_of<Affine>(node);
      append(parent == Tree::kNoParent ? 0 : places_[parent].level + 1, {turn, parent, local, local});
    }
  }

  void set_parent(std::uint32_t node, std::uint32_t parent) {
    links_.set_parent(node, parent);
    const Place place = places_[node];
    levels_[place.level].parents[place.row] = parent;
    const std::uint32_t level = places_[parent].level + 1;
    if (level == place.level) return;
    const std::uint32_t change = level - place.level;  // Wraps around where it is upwards.
    for (const std::uint32_t moving : listed_below(node))
      append(places_[moving].level + change, take(moving));
  }

  /// Takes the rows of a node without a parent and of all below it away; calls `visit(node)` for each.
  template <class Visit>
  void destroy(std::uint32_t root, Visit visit) {
    for (const std::uint32_t node : listed_below(root)) {
      take(node);
      visit(node);
    }
  }

  std::size_t size() const {
    std::size_t rows = 0;
    for (const Level& level : levels_) rows += level.nodes.size();
    return rows;
  }

  void update() {
    levels_.front().worlds = levels_.front().locals;
    for (std::size_t i = 1; i < levels_.size(); ++i) {
      const Affine* const above = levels_[i - 1].worlds.data();
      const Level& level = levels_[i];
      Affine* const worlds = levels_[i].worlds.data();
      for (std::size_t row = 0; row < level.nodes.size(); ++row) {
        worlds[row] = compose(above[places_[level.parents[row]].row], level.locals[row]);
      }
    }
  }

  /// Returns: whether a node is below that parent, one level deeper.
  bool is_below(std::uint32_t node, std::uint32_t parent) const {
    const Place place = places_[node];
    const Level& level = levels_[place.level];
    return links_.parent(node) == parent && level.nodes[place.row] == node &&
           level.parents[place.row] == parent &&
           (parent == Tree::kNoParent ? place.level == 0 : place.level == places_[parent].level + 1);
  }

  const Affine& world(std::uint32_t node) const {
    return levels_[places_[node].level].worlds[places_[node].row];
  }

 private:
  struct Place {
    std::uint32_t level;
    std::uint32_t row;
  };
  struct Row {
    std::uint32_t node;
    std::uint32_t parent;
    Affine local;
    Affine world;
  };
  struct Level {
    NodeList nodes;
    NodeList parents;
    std::vector<Affine> locals;
    std::vector<Affine> worlds;
  };

  /// Returns: a node and all below it, parents before children.
  const NodeList& listed_below(std::uint32_t node) {
    listed_.assign(1, node);
    for (std::size_t i = 0; i < listed_.size(); ++i) {
      std::uint32_t child = links_.first_child(listed_[i]);
      for (; child != LinkArrays::kNone; child = links_.next(child)) listed_.push_back(child);
    }
    return listed_;
  }

  void append(std::uint32_t number, const Row& row) {
    if (number >= levels_.size()) levels_.resize(number + 1);
    Level& level = levels_[number];
    places_[row.node] = {number, static_cast<std::uint32_t>(level.nodes.size())};
    level.nodes.push_back(row.node);
    level.parents.push_back(row.parent);
    level.locals.push_back(row.local);
    level.worlds.push_back(row.world);
  }

  /// Takes a row out of its level, whose last one fills the hole.
  Row take(std::uint32_t node) {
    const auto [number, hole] = places_[node];
    Level& level = levels_[number];
    const Row taken{node, level.parents[hole], level.locals[hole], level.worlds[hole]};
    places_[level.nodes.back()].row = hole;
    const auto fill = [hole = hole](auto& values) {
      values[hole] = values.back();
      values.pop_back();
    };
    fill(level.nodes);
    fill(level.parents);
    fill(level.locals);
    fill(level.worlds);
    return taken;
  }

  LinkArrays links_;
  std::vector<Place> places_;  // By node.
  std::vector<Level> levels_;
  NodeList listed_;
};

}  // namespace strata::bench
