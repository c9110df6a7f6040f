// Excursions: nodes that are re-parented and come back, so that a tree changes for ever and keeps its shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "families.hpp"
#include "shapes.hpp"

namespace strata::bench {

/// A node that goes below `away` and comes back below `home`, its parent.
template <class Node>
struct Excursion {
  Node node;
  Node away;
  Node home;
};

template <class Node>
using Excursions = std::vector<Excursion<Node>>;

/// Takes the rounds in turn: one step sends the nodes of a round away, the next brings them home.
template <class Node>
class Traveller {
 public:
  explicit Traveller(std::vector<Excursions<Node>> rounds) : rounds_(std::move(rounds)) {}

  /// Calls `set_parent(node, parent)` for every node of this step's round.
  template <class SetParent>
  void step(SetParent&& set_parent) {
    const bool leaving = steps_ % 2 == 0;
    for (const Excursion<Node>& excursion : rounds_[steps_ / 2 % rounds_.size()]) {
      set_parent(excursion.node, leaving ? excursion.away : excursion.home);
    }
    ++steps_;
  }

  std::size_t steps() const { return steps_; }

 private:
  std::vector<Excursions<Node>> rounds_;
  std::size_t steps_ = 0;
};

/// Returns: the rounds with entities for nodes; `entities[node]` stands for `node`.
template <class Node>
std::vector<Excursions<Node>> translated(const std::vector<Excursions<std::uint32_t>>& rounds,
                                         const std::vector<Node>& entities) {
  std::vector<Excursions<Node>> all;
  for (const Excursions<std::uint32_t>& round : rounds) {
    Excursions<Node>& one = all.emplace_back();
    one.reserve(round.size());
    for (const auto& [node, away, home] : round) {
      one.push_back({entities[node], entities[away], entities[home]});
    }
  }
  return all;
}

/// Returns: the tree after this many steps of a traveller over the rounds.
inline Tree after_steps(Tree tree, const std::vector<Excursions<std::uint32_t>>& rounds, std::size_t steps) {
  if (steps % 2 == 0) return tree;
  for (const auto& excursion : rounds[steps / 2 % rounds.size()]) {
    tree.parents[excursion.node] = excursion.away;
  }
  return tree;
}

}  // namespace strata::bench
