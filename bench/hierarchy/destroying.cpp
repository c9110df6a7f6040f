// Trees that are destroyed by their roots, and leaves that are destroyed here and there.
#include <memory>
#include <optional>
#include <string>

#include "families.hpp"
#include "level_arrays.hpp"
#include "questions.hpp"
#include "subject.hpp"
#include "support/random.hpp"

namespace strata::bench {
namespace {

struct DoomedData : TreeData<Affine> {
  explicit DoomedData(const Subject& subject) : TreeData(subject), children(tree) {}

  ChildRanges children;
};

/// The limit: a generation per node of breadth-first arrays, and a list of free indices.
class Generations {
 public:
  explicit Generations(std::size_t nodes) : generations_(nodes) { free_.reserve(nodes); }

  void destroy(const ChildRanges& children, std::uint32_t root) {
    for_each_level(children, root, [this](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t node = begin; node < end; ++node) destroy(node);
    });
  }

  void destroy(std::uint32_t node) {
    ++generations_[node];
    free_.push_back(node);
  }

  void revive() { free_.clear(); }

  Complaint wrong_count() const { return free_.size() == generations_.size() ? "" : "nodes are left"; }

 private:
  NodeList generations_;
  NodeList free_;
};

Work delete_by_generations(DoomedData& data) {
  const auto arrays = std::make_shared<Generations>(data.tree.parents.size());
  return {.step =
              [arrays, &data] {
                for (std::uint32_t root = 0; root < data.arrays.roots(); ++root) {
                  arrays->destroy(data.children, root);
                }
              },
          .check = [arrays] { return arrays->wrong_count(); },
          .prepare = [arrays] { arrays->revive(); }};
}

/// The same in arrays by level, each node a row, in the order in which a scene creates them.
class DoomedLevels {
 public:
  explicit DoomedLevels(const DoomedData& data)
      : data_(data), numbers_(turns_of(data.script.creation)), generations_(numbers_.size()) {}

  void build() {
    levels_.emplace(data_.tree, numbers_);
    generations_.revive();
  }

  void destroy() {
    for (std::uint32_t root = 0; root < data_.arrays.roots(); ++root) {
      levels_->destroy(numbers_[root], [this](std::uint32_t node) { generations_.destroy(node); });
    }
  }

  Complaint wrong_count() const {
    return levels_->size() == 0 ? generations_.wrong_count() : "nodes are left by hand";
  }

 private:
  const DoomedData& data_;
  NodeList numbers_;  // By node of the tree.
  std::optional<LevelArrays> levels_;
  Generations generations_;
};

Work delete_in_levels(DoomedData& data) {
  const auto levels = std::make_shared<DoomedLevels>(data);
  return {.step = [levels] { levels->destroy(); },
          .check = [levels] { return levels->wrong_count(); },
          .prepare = [levels] { levels->build(); }};
}

/// A tree that is built again each time that it has been destroyed.
class DoomedScene {
 public:
  explicit DoomedScene(Layout layout) : layout_(layout) {}

  void build(const DoomedData& data) {
    scene_.emplace(layout_);
    scene_->expect(data.script.locals.size());
    scene_->build(data.script);
    const std::vector<Entity> handles = by_node(data.script.creation, scene_->entities());
    roots_.assign(handles.begin(), handles.begin() + data.arrays.roots());
  }

  void destroy() {
    for (const Entity root : roots_) scene_->world().destroy(root);
  }

  Complaint wrong_rest() {
    World& world = scene_->world();
    if (world.size() != 0) return std::to_string(world.size()) + " entities are left";
    for (const Entity entity : scene_->entities()) {
      if (world.alive(entity)) return "entity " + to_string(entity) + " is still alive";
    }
    return world.validate().message();
  }

 private:
  Layout layout_;
  std::optional<Scene<Affine>> scene_;
  std::vector<Entity> roots_;
};

Work delete_trees(Layout layout, DoomedData& data) {
  const auto scene = std::make_shared<DoomedScene>(layout);
  return {.step = [scene] { scene->destroy(); },
          .check = [scene] { return scene->wrong_rest(); },
          .prepare = [scene, &data] { scene->build(data); }};
}

/// Rounds of leaves, a random 10 % each. What a step has destroyed is created again before the next.
struct ShedData : TreeData<Affine> {
  explicit ShedData(const Subject& subject) : TreeData(subject) {
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

Work delete_rows(ShedData& data) {
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
  ShedScene(Layout layout, const ShedData& data)
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
  const ShedData& data_;
  std::shared_ptr<Scene<Affine>> scene_;
  std::vector<Entity> handles_;  // By node.
  std::vector<Entity> doomed_;
  std::size_t round_ = 0;
};

Work delete_leaves(Layout layout, ShedData& data) {
  const auto scene = std::make_shared<ShedScene>(layout, data);
  return {.step = [scene] { scene->destroy_leaves(); },
          .check = [scene] { return scene->wrong_node(); },
          .prepare = [scene] { scene->prepare(); }};
}

void ask_delete_tree(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<DoomedData> kQuestion{
      .name = "delete_tree", .limit = delete_by_generations, .answer = delete_trees, .at_most = 8};
  ask(suite, kQuestion, subject, subject.is_typical()).answer("by_hand", delete_in_levels);
}

void ask_delete_leaves(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<ShedData> kQuestion{
      .name = "delete_leaves",
      .limit = delete_rows,
      .answer = delete_leaves,
      .items = [](const ShedData& data) { return data.rounds.front().size(); },
      .at_most = 4};
  ask(suite, kQuestion, subject, subject.is_typical());
}

}  // namespace

void ask_destroying(Suite& suite) {
  ask_for_trees(suite, {ask_delete_tree, ask_delete_leaves});
}

}  // namespace strata::bench
