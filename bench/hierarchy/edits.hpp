// Edits: what the questions about re-parenting share: which nodes go where, and arrays and scenes whose nodes go there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "subject.hpp"
#include "support/random.hpp"

namespace strata::bench {

/// A node that goes below `away` and comes back below `home`, its parent.
template <class Node>
struct Excursion {
  Node node;
  Node away;
  Node home;
};

/// Excursions by rounds.
template <class Node>
using Rounds = std::vector<std::vector<Excursion<Node>>>;

/// A tree and the excursions of its nodes.
struct EditData : TreeData<Affine> {
  using TreeData::TreeData;

  /// Adds rounds in which so many random nodes go below random nodes that stand before them in the arrays.
  void add_random_rounds(std::uint32_t seed, std::size_t count, std::size_t nodes) {
    std::mt19937 random(seed);
    const NodeList children = children_of(tree);
    for (std::size_t round = 0; round < count; ++round) {
      auto& excursions = rounds.emplace_back();
      for (const std::uint32_t node : chosen(random, children, nodes)) {
        excursions.push_back({node, below(random, node), tree.parents[node]});
      }
    }
  }

  /// Returns: the tree after this many steps, with values in the world that are not computed anew.
  Arrays<Affine> after_steps(std::size_t steps) const {
    Arrays<Affine> edited = arrays;
    if (steps % 2 == 0) return edited;
    for (const auto& excursion : rounds[steps / 2 % rounds.size()]) {
      edited.parents[excursion.node] = excursion.away;
    }
    return edited;
  }

  Rounds<std::uint32_t> rounds;
};

/// Takes the rounds in turn: one step sends the nodes of a round away, the next brings them home.
template <class Node>
class Traveller {
 public:
  explicit Traveller(Rounds<Node> rounds) : rounds_(std::move(rounds)) {}

  /// Of the same rounds; `nodes[node]` stands for `node`.
  Traveller(const Rounds<std::uint32_t>& rounds, const std::vector<Node>& nodes) {
    for (const auto& round : rounds) {
      auto& one = rounds_.emplace_back();
      one.reserve(round.size());
      for (const auto& [node, away, home] : round) one.push_back({nodes[node], nodes[away], nodes[home]});
    }
  }

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
  Rounds<Node> rounds_;
  std::size_t steps_ = 0;
};

/// The limit: the nodes of a step get other parents in breadth-first arrays, then all values are computed.
/// Contract: `away` stands before its node, so that the order stays one of parents before children.
struct EditedArrays {
  explicit EditedArrays(const EditData& data) : arrays(data.arrays), traveller(data.rounds) {}

  void step() {
    traveller.step([this](std::uint32_t node, std::uint32_t parent) { arrays.parents[node] = parent; });
    arrays.update();
  }

  Arrays<Affine> arrays;
  Traveller<std::uint32_t> traveller;
};

/// Arrays by level whose nodes go on excursions, numbered in the order in which a scene creates them.
struct EditedLevels {
  explicit EditedLevels(const EditData& edits)
      : data(edits),
        numbers(places_in(data.script.creation.nodes)),
        levels(data.script.creation),
        traveller(data.rounds, numbers) {}

  void re_parent() {
    traveller.step([this](std::uint32_t node, std::uint32_t parent) { levels.set_parent(node, parent); });
  }
  void update() { levels.update(); }

  Complaint wrong_node(const Arrays<Affine>& expected) const {
    return first_fault(numbers.size(), "has the wrong parent or level by hand", [&](std::uint32_t node) {
      const std::uint32_t parent = expected.parents[node];
      return levels.is_below(numbers[node], parent == Tree::kNoParent ? parent : numbers[parent]);
    });
  }
  Complaint wrong_value(const Arrays<Affine>& expected) const {
    return first_fault(numbers.size(), "has the wrong value by hand", [&](std::uint32_t node) {
      return agree(levels.world(numbers[node]), expected.worlds[node]);
    });
  }

  const EditData& data;
  NodeList numbers;  // By node of the tree.
  LevelArrays levels;
  Traveller<std::uint32_t> traveller;
};

/// A scene whose nodes go on excursions.
struct EditedScene : TreeScene<EditData> {
  EditedScene(Layout layout, const EditData& edits,
              Defragmentation defragmentation = Defragmentation::automatic)
      : TreeScene(layout, edits, defragmentation), traveller(data.rounds, handles()) {}

  void re_parent() {
    traveller.step([this](Entity node, Entity parent) {
      if (!world().set_parent(node, parent)) ++refusals;
    });
  }

  Complaint wrong_node(const Arrays<Affine>& expected) const {
    if (refusals != 0) return std::to_string(refusals) + " nodes were refused their parents";
    return TreeScene::wrong_node(expected);
  }

  Traveller<Entity> traveller;
  std::size_t refusals = 0;
};

/// A step re-parents the nodes of a round in an `Edited`.
template <class Edited>
struct ReParented : Edited {
  using Edited::Edited;

  void step() { this->re_parent(); }
  Complaint check() const { return this->wrong_node(this->data.after_steps(this->traveller.steps())); }
};

/// The same, then all values are computed, which are to be those of breadth-first arrays.
/// Contract: as of `EditedArrays`.
template <class Edited>
struct Updated : Edited {
  using Edited::Edited;

  void step() {
    this->re_parent();
    this->update();
  }
  Complaint check() const {
    Arrays<Affine> expected = this->data.after_steps(this->traveller.steps());
    const Complaint wrong = this->wrong_node(expected);
    if (!wrong.empty()) return wrong;
    expected.update();
    return this->wrong_value(expected);
  }
};

}  // namespace strata::bench
