// LevelArrays: a tree whose values are kept by level, by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "link_arrays.hpp"
#include "payloads.hpp"

namespace strata::bench {

/// Values packed level by level, so that a cascade is a pass for each level whatever becomes of the tree, and whoever
/// changes its depth changes its place. Beside the limit, whose nodes never move, it tells how much of strata's
/// figure is what the order by depth costs in any case. No handles, no checks, no room that is not there already.
class LevelArrays {
 public:
  /// The nodes of the tree are known by `numbers` from here on, the rows in breadth-first order at first.
  LevelArrays(const Tree& tree, const std::vector<std::uint32_t>& numbers)
      : links_(renumbered(tree, numbers)), places_(numbers.size()) {
    for (std::uint32_t node = 0; node < numbers.size(); ++node) {
      const std::uint32_t number = numbers[node];
      const std::uint32_t parent = links_.parent(number);
      const Affine local = local_of<Affine>(node);
      append(parent == Tree::kNoParent ? 0 : places_[parent].level + 1, {number, parent, local, local});
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

  /// Takes the rows of a node without a parent and of all below it away; `visit(node)` is told of each.
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
    std::vector<std::uint32_t> nodes;
    std::vector<std::uint32_t> parents;
    std::vector<Affine> locals;
    std::vector<Affine> worlds;
  };

  static Tree renumbered(const Tree& tree, const std::vector<std::uint32_t>& numbers) {
    Tree other = tree;
    for (std::size_t node = 0; node < numbers.size(); ++node) {
      const std::uint32_t parent = tree.parents[node];
      other.parents[numbers[node]] = parent == Tree::kNoParent ? parent : numbers[parent];
    }
    return other;
  }

  /// Returns: a node and all below it, parents before children.
  const std::vector<std::uint32_t>& listed_below(std::uint32_t node) {
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
  std::vector<std::uint32_t> listed_;
};

}  // namespace strata::bench
