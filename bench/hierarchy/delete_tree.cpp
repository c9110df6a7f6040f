#include <memory>
#include <optional>
#include <string>

#include "families.hpp"
#include "level_arrays.hpp"
#include "questions.hpp"
#include "subject.hpp"

namespace strata::bench {
namespace {

struct Data : TreeData<Affine> {
  explicit Data(const Subject& subject) : TreeData(subject), children(tree) {}

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

Work delete_in_arrays(Data& data) {
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
  explicit DoomedLevels(const Data& data)
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
  const Data& data_;
  NodeList numbers_;  // By node of the tree.
  std::optional<LevelArrays> levels_;
  Generations generations_;
};

Work delete_in_levels(Data& data) {
  const auto levels = std::make_shared<DoomedLevels>(data);
  return {.step = [levels] { levels->destroy(); },
          .check = [levels] { return levels->wrong_count(); },
          .prepare = [levels] { levels->build(); }};
}

/// A tree that is built again each time that it has been destroyed.
class DoomedScene {
 public:
  explicit DoomedScene(Layout layout) : layout_(layout) {}

  void build(const Data& data) {
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

Work delete_in_scene(Layout layout, Data& data) {
  const auto scene = std::make_shared<DoomedScene>(layout);
  return {.step = [scene] { scene->destroy(); },
          .check = [scene] { return scene->wrong_rest(); },
          .prepare = [scene, &data] { scene->build(data); }};
}

Bar bar(const Subject&, Layout) {
  return Bar::at_most(8);
}

}  // namespace

void ask_delete_tree(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<Data> kQuestion{
      .name = "delete_tree", .limit = delete_in_arrays, .answer = delete_in_scene, .bar = bar};
  ask(suite, kQuestion, subject, subject.is_typical()).answer("by_hand", delete_in_levels);
}

}  // namespace strata::bench
