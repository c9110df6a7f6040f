// Edits: what the questions about re-parenting share, beside the tree: which nodes go where, and a scene that obeys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "scene.hpp"
#include "subject.hpp"

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

/// A tree and the excursions of its nodes, by rounds.
struct EditData : TreeData<Affine> {
  using TreeData::TreeData;

  std::vector<Excursions<std::uint32_t>> rounds;
};

/// The limit: the nodes of a step get other parents in breadth-first arrays, then all values are computed.
/// Contract: `away` stands before its node, so that the order stays one of parents before children.
Work edit_arrays(EditData& data);

/// A step re-parents the nodes of a round in `edited` and computes all values.
template <class Edited>
Work edit(const std::shared_ptr<Edited>& edited) {
  return {.step =
              [edited] {
                edited->re_parent();
                edited->update();
              },
          .check = [edited] { return edited->wrong_update(); }};
}

/// A step re-parents the nodes of a round, and no more.
template <class Edited>
Work re_parent(const std::shared_ptr<Edited>& edited) {
  return {.step = [edited] { edited->re_parent(); }, .check = [edited] { return edited->wrong_node(); }};
}

/// Arrays by level whose nodes go on excursions, numbered in the order in which a scene creates them.
class EditedLevels {
 public:
  explicit EditedLevels(const EditData& data);

  void re_parent();
  void update() { levels_.update(); }

  /// Returns: the first node that is not where its parent has it.
  Complaint wrong_node() const;

  /// Returns: as `wrong_node`, or the first node with another value than breadth-first arrays have.
  /// Contract: as `edit_arrays`.
  Complaint wrong_update() const;

 private:
  const EditData& data_;
  std::vector<std::uint32_t> numbers_;  // By node of the tree.
  LevelArrays levels_;
  Traveller<std::uint32_t> traveller_;
};

/// A scene whose nodes go on excursions.
class EditedScene {
 public:
  EditedScene(Layout layout, const EditData& data,
              Defragmentation defragmentation = Defragmentation::automatic);

  /// Re-parents the nodes of the next step.
  void re_parent();

  World& world() { return scene_->world(); }
  void update() { scene_->update(); }

  /// Returns: a refusal, or the first node that is not below the parent that it went to.
  Complaint wrong_node() const;

  /// Returns: as `wrong_node`, or the first node whose value in the world is not what breadth-first arrays make
  /// of the edited tree.
  Complaint wrong_update() const;

 private:
  const EditData& data_;
  std::shared_ptr<Scene<Affine>> scene_;
  Traveller<Entity> traveller_;
  std::size_t refusals_ = 0;
};

}  // namespace strata::bench
