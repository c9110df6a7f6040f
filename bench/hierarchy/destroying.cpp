// Trees that are destroyed by their roots, and leaves that are destroyed here and there.
#include <memory>
#include <optional>
#include <string>

#include "subject.hpp"
#include "support/packed_set.hpp"
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

/// All nodes, root by root.
class DoomedArrays {
 public:
  explicit DoomedArrays(const DoomedData& data) : data_(data), generations_(data.tree.parents.size()) {}

  void prepare() { generations_.revive(); }
  void step() {
    for (std::uint32_t root = 0; root < data_.arrays.roots(); ++root) {
      generations_.destroy(data_.children, root);
    }
  }
  Complaint check() const { return generations_.wrong_count(); }

 private:
  const DoomedData& data_;
  Generations generations_;
};

/// The same in arrays by level, each node a row, in the order in which a scene creates them.
class DoomedLevels {
 public:
  explicit DoomedLevels(const DoomedData& data)
      : data_(data), numbers_(turns_of(data.script.creation)), generations_(numbers_.size()) {}

  void prepare() {
    levels_.emplace(data_.tree, numbers_);
    generations_.revive();
  }

  void step() {
    for (std::uint32_t root = 0; root < data_.arrays.roots(); ++root) {
      levels_->destroy(numbers_[root], [this](std::uint32_t node) { generations_.destroy(node); });
    }
  }

  Complaint check() const {
    return levels_->size() == 0 ? generations_.wrong_count() : "nodes are left by hand";
  }

 private:
  const DoomedData& data_;
  NodeList numbers_;  // By node of the tree.
  std::optional<LevelArrays> levels_;
  Generations generations_;
};

/// A tree that is built again each time that it has been destroyed.
class DoomedScene {
 public:
  DoomedScene(Layout layout, const DoomedData& data) : layout_(layout), data_(data) {}

  void prepare() {
    scene_.emplace(layout_);
    scene_->expect(data_.script.locals.size());
    scene_->build(data_.script);
    const std::vector<Entity> handles = by_node(data_.script.creation, scene_->entities());
    roots_.assign(handles.begin(), handles.begin() + data_.arrays.roots());
  }

  void step() {
    for (const Entity root : roots_) scene_->world().destroy(root);
  }

  Complaint check() {
    World& world = scene_->world();
    if (world.size() != 0) return std::to_string(world.size()) + " entities are left";
    for (const Entity entity : scene_->entities()) {
      if (world.alive(entity)) return "entity " + to_string(entity) + " is still alive";
    }
    return world.validate().message();
  }

 private:
  Layout layout_;
  const DoomedData& data_;
  std::optional<Scene<Affine>> scene_;
  std::vector<Entity> roots_;
};

/// Rounds of leaves, a random 10 % each. What a step has destroyed is created again before the next.
struct ShedData : TreeData<Affine> {
  explicit ShedData(const Subject& subject) : TreeData(subject) {
    std::mt19937 random(17);
    const NodeList leaves = leaves_of(tree);
    for (int round = 0; round < 8; ++round) rounds.push_back(chosen(random, leaves, leaves.size() / 10));
  }

  std::vector<NodeList> rounds;
};

/// The limit: packed rows, of which a round of leaves is destroyed in each step. The list of free numbers gives each
/// leaf its own again.
class ShedRows {
 public:
  explicit ShedRows(const ShedData& data) : data_(data), rows_(data.arrays.size()) {
    for (std::uint32_t node = 0; node < data.arrays.size(); ++node) create(node);
  }

  void prepare() {
    const NodeList& last = data_.rounds[round_];
    const bool destroyed = rows_.size() != data_.arrays.size();  // Not before the first round.
    for (std::size_t i = destroyed ? last.size() : 0; i-- > 0;) create(last[i]);
    round_ = (round_ + 1) % data_.rounds.size();
  }
  void step() {
    for (const std::uint32_t leaf : data_.rounds[round_]) rows_.destroy(leaf);
  }
  Complaint check() const {
    const std::size_t destroyed = data_.rounds.front().size();
    if (rows_.size() + destroyed != data_.arrays.size()) return "the number of rows is wrong";
    for (std::uint32_t node = 0; node < data_.arrays.size(); ++node) {
      if (!rows_.set().contains(node)) continue;
      const bool right = rows_.set().get<std::uint32_t>(node) == data_.arrays.parent(node) &&
                         rows_.set().get<LocalOf<Affine>>(node).value == data_.arrays.local(node);
      if (!right) return "the row of node " + std::to_string(node) + " is wrong";
    }
    return "";
  }

 private:
  void create(std::uint32_t node) {
    const Affine& local = data_.arrays.local(node);
    rows_.create(data_.arrays.parent(node), {local}, {local});
  }

  const ShedData& data_;
  PackedRows<std::uint32_t, LocalOf<Affine>, WorldOf<Affine>> rows_;
  std::size_t round_ = 0;
};

/// A scene whose leaves come and go.
class ShedScene {
 public:
  ShedScene(Layout layout, const ShedData& data)
      : data_(data),
        scene_(built_scene(layout, data.script)),
        handles_(by_node(data.script.creation, scene_->entities())) {}

  void step() {
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
  Complaint check() {
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

void ask_delete_tree(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<DoomedData> kQuestion{
      .name = "delete_tree", .limit = done_by<DoomedArrays>, .answer = done_in<DoomedScene>, .at_most = 8};
  ask(suite, kQuestion, subject, subject.is_typical()).answer<DoomedLevels>("by_hand");
}

void ask_delete_leaves(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<ShedData> kQuestion{
      .name = "delete_leaves",
      .limit = done_by<ShedRows>,
      .answer = done_in<ShedScene>,
      .items = [](const ShedData& data) { return data.rounds.front().size(); },
      .at_most = 4};
  ask(suite, kQuestion, subject, subject.is_typical());
}

void ask_destroying(Suite& suite) {
  ask_for_trees(suite, {ask_delete_tree, ask_delete_leaves});
}

const Family kFamily(ask_destroying);

}  // namespace
}  // namespace strata::bench
