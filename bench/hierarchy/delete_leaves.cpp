#include <memory>
#include <string>

#include "families.hpp"
#include "questions.hpp"
#include "subject.hpp"
#include "support/random.hpp"

namespace strata::bench {
namespace {

/// Rounds of leaves, a random 10 % each. What a step has destroyed is created again before the next.
struct Data : TreeData<Affine> {
  explicit Data(const Subject& subject) : TreeData(subject) {
    std::mt19937 random(17);
    const NodeList leaves = leaves_of(tree);
    for (int round = 0; round < 8; ++round) rounds.push_back(chosen(random, leaves, leaves.size() / 10));
  }

  std::vector<NodeList> rounds;
};

/// The limit: packed rows, maps between a node's index and its position, and a list of free indices.
class PackedRows {
 public:
  explicit PackedRows(const Arrays<Affine>& arrays) {
    for (std::uint32_t node = 0; node < arrays.size(); ++node) {
      positions_.push_back(node);
      append(node, arrays);
    }
  }

  void destroy(std::uint32_t node) {
    const std::uint32_t hole = positions_[node];
    nodes_[hole] = nodes_.back();
    parents_[hole] = parents_.back();
    locals_[hole] = locals_.back();
    worlds_[hole] = worlds_.back();
    positions_[nodes_[hole]] = hole;
    nodes_.pop_back();
    parents_.pop_back();
    locals_.pop_back();
    worlds_.pop_back();
    free_.push_back(node);
  }

  /// Creates again what was destroyed; the list of free indices gives each node its own.
  void revive(const Arrays<Affine>& arrays) {
    for (; !free_.empty(); free_.pop_back()) append(free_.back(), arrays);
  }

  /// Returns: the first node whose row has not its values.
  Complaint wrong_row(const Arrays<Affine>& arrays, std::size_t destroyed) const {
    if (nodes_.size() + destroyed != arrays.size()) return "the number of rows is wrong";
    for (std::uint32_t row = 0; row < nodes_.size(); ++row) {
      const std::uint32_t node = nodes_[row];
      if (positions_[node] == row && parents_[row] == arrays.parent(node) &&
          locals_[row] == arrays.local(node)) {
        continue;
      }
      return "the row of node " + std::to_string(node) + " is wrong";
    }
    return "";
  }

 private:
  void append(std::uint32_t node, const Arrays<Affine>& arrays) {
    positions_[node] = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(node);
    parents_.push_back(arrays.parent(node));
    locals_.push_back(arrays.local(node));
    worlds_.push_back(arrays.local(node));
  }

  NodeList positions_;  // By node.
  NodeList nodes_;      // By row, as all that follow.
  NodeList parents_;    // The nodes, not their rows.
  std::vector<Affine> locals_;
  std::vector<Affine> worlds_;
  NodeList free_;
};

Work delete_in_arrays(Data& data) {
  const auto rows = std::make_shared<PackedRows>(data.arrays);
  const auto round = std::make_shared<std::size_t>(0);
  return {.step =
              [rows, round, &data] {
                for (const std::uint32_t leaf : data.rounds[*round]) rows->destroy(leaf);
              },
          .check = [rows, &data] { return rows->wrong_row(data.arrays, data.rounds.front().size()); },
          .prepare =
              [rows, round, &data] {
                rows->revive(data.arrays);
                *round = (*round + 1) % data.rounds.size();
              }};
}

/// A scene whose leaves come and go.
class ShedScene {
 public:
  ShedScene(Layout layout, const Data& data)
      : data_(data),
        scene_(built_scene(layout, data.script)),
        handles_(by_node(data.script.creation, scene_->entities())) {}

  void destroy_leaves() {
    World& world = scene_->world();
    for (const Entity leaf : doomed_) world.destroy(leaf);
  }

  /// Creates the leaves of the last round again, and looks up those of the next.
  void prepare() {
    World& world = scene_->world();
    for (const std::uint32_t leaf : data_.rounds[round_]) {
      if (world.alive(handles_[leaf])) break;  // It is the first round.
      const Affine& local = data_.arrays.local(leaf);
      handles_[leaf] = world.create(child_of(handles_[data_.arrays.parent(leaf)]), LocalOf<Affine>{local},
                                    WorldOf<Affine>{local});
    }
    round_ = (round_ + 1) % data_.rounds.size();
    doomed_.clear();
    for (const std::uint32_t leaf : data_.rounds[round_]) doomed_.push_back(handles_[leaf]);
  }

  /// Returns: the first node that should not be alive, or should and has the wrong parent or value.
  Complaint wrong_node() {
    const World& world = scene_->world();
    if (world.size() + doomed_.size() != handles_.size()) return "the number of entities is wrong";
    for (const Entity leaf : doomed_) {
      if (world.alive(leaf)) return "entity " + to_string(leaf) + " is still alive";
    }
    for (std::uint32_t node = 0; node < handles_.size(); ++node) {
      if (!world.alive(handles_[node])) continue;
      const std::uint32_t parent = data_.arrays.parent(node);
      const bool right =
          world.parent(handles_[node]) == (parent == Tree::kNoParent ? Entity() : handles_[parent]) &&
          world.get<LocalOf<Affine>>(handles_[node]).value == data_.arrays.local(node);
      if (!right) return "node " + std::to_string(node) + " has the wrong parent or value";
    }
    return world.validate().message();
  }

 private:
  const Data& data_;
  std::shared_ptr<Scene<Affine>> scene_;
  std::vector<Entity> handles_;  // By node.
  std::vector<Entity> doomed_;
  std::size_t round_ = 0;
};

Work delete_in_scene(Layout layout, Data& data) {
  const auto scene = std::make_shared<ShedScene>(layout, data);
  return {.step = [scene] { scene->destroy_leaves(); },
          .check = [scene] { return scene->wrong_node(); },
          .prepare = [scene] { scene->prepare(); }};
}

Bar bar(const Subject&, Layout) {
  return Bar::at_most(4);
}

}  // namespace

void ask_delete_leaves(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<Data> kQuestion{
      .name = "delete_leaves",
      .limit = delete_in_arrays,
      .answer = delete_in_scene,
      .bar = bar,
      .items = [](const Data& data) { return data.rounds.front().size(); }};
  ask(suite, kQuestion, subject, subject.is_typical());
}

}  // namespace strata::bench
