// Walks over a tree with a number per node: sums of each node's children, and of each leaf's ancestors.
#include <algorithm>
#include <memory>
#include <span>
#include <strata/strata.hpp>
#include <string>
#include <vector>

#include "subject.hpp"

namespace strata::bench {
namespace {

using Number = LocalOf<float>;
using Total = WorldOf<float>;
using NumberData = TreeData<float>;

/// The tree in a world, the rows defragmented.
class NumberScene {
 public:
  NumberScene(Layout layout, const NumberData& data)
      : scene_(built_scene(layout, data.script)),
        handles_(by_node(data.script.creation, scene_->entities())) {
    world().defragment();
  }

  World& world() { return scene_->world(); }
  const World& world() const { return scene_->world(); }

  /// Returns: the handles by node.
  const std::vector<Entity>& handles() const { return handles_; }

 private:
  std::shared_ptr<Scene<float>> scene_;
  std::vector<Entity> handles_;
};

std::vector<float> sums_of(const NumberData& data) {
  return std::vector<float>(data.arrays.size());
}

void sum_children(const NumberData& data, std::vector<float>& sums) {
  std::fill(sums.begin(), sums.end(), 0.0f);
  const std::size_t n = sums.size();
  const std::uint32_t* const parents = data.tree.parents.data();
  const float* const numbers = &data.arrays.local(0);
  for (std::size_t node = data.arrays.roots(); node < n; ++node) sums[parents[node]] += numbers[node];
}

Work sum_in_arrays(NumberData& data) {
  const auto sums = std::make_shared<std::vector<float>>(sums_of(data));
  return {.step = [sums, &data] { sum_children(data, *sums); }};
}

Complaint wrong_sum(const NumberScene& scene, const NumberData& data) {
  std::vector<float> expected = sums_of(data);
  sum_children(data, expected);
  for (std::uint32_t node = 0; node < expected.size(); ++node) {
    if (scene.world().get<Total>(scene.handles()[node]).value != expected[node]) {
      return "the sum of the children of node " + std::to_string(node) + " is not the limit's";
    }
  }
  return "";
}

/// Folds every number into its parent's total, a family at a time where families lie together.
class FamilySums {
 public:
  FamilySums(Layout layout, const NumberData& data)
      : data_(data),
        scene_(layout, data),
        totals_(scene_.world().query<Total>()),
        children_(scene_.world().query<const Number, Parent<Total>>()) {}

  void step() {
    totals_.each([](Total& total) { total.value = 0; });
    children_.cascade(up).each_block([](std::span<const Number> numbers, Parent<Total>::Span parents) {
      if (!parents.is_shared()) {
        for (std::size_t i = 0; i < numbers.size(); ++i) parents[i]->value += numbers[i].value;
      } else if (parents[0] != nullptr) {
        float sum = 0;
        for (const Number& number : numbers) sum += number.value;
        parents[0]->value += sum;
      }
    });
  }

  Complaint check() const { return wrong_sum(scene_, data_); }

 private:
  const NumberData& data_;
  NumberScene scene_;
  Query<Total> totals_;
  Query<const Number, Parent<Total>> children_;
};

/// The same from the parent's side: node by node, by a walk over its children.
class NodeSums {
 public:
  explicit NodeSums(const NumberData& data)
      : scene_(Layout::adaptive, data),
        nodes_(scene_.world().query<Entity, Total>()),
        numbers_(scene_.world().query<const Number>()),
        number_(scene_.world().accessor<const Number>()) {}

  void step_by_query() {
    nodes_.cascade().each([&](Entity entity, Total& total) {
      float sum = 0;
      numbers_.children_of(entity).each([&](const Number& number) { sum += number.value; });
      total.value = sum;
    });
  }
  void step_by_range() {
    const World& world = scene_.world();
    nodes_.cascade().each([&](Entity entity, Total& total) {
      float sum = 0;
      for (const Entity child : world.children(entity)) sum += number_.get(child).value;
      total.value = sum;
    });
  }

  Complaint wrong_result(const NumberData& data) const { return wrong_sum(scene_, data); }

 private:
  NumberScene scene_;
  Query<Entity, Total> nodes_;
  Query<const Number> numbers_;
  Accessor<const Number> number_;
};

template <void (NodeSums::*step)()>
Work sum_by_node(NumberData& data) {
  const auto sums = std::make_shared<NodeSums>(data);
  return {.step = [sums] { ((*sums).*step)(); }, .check = [sums, &data] { return sums->wrong_result(data); }};
}

Bar bar_of_children(const Subject& subject, Layout layout) {
  const bool large_tables = subject.shape == Shape::wide && layout == Layout::per_parent;
  return Bar::at_most(large_tables ? 1.0 : 3.0);
}

struct LeafData : NumberData {
  explicit LeafData(const Subject& subject) : NumberData(subject), leaves(leaves_of(tree)) {}

  NodeList leaves;
};

std::vector<float> sums_of(const LeafData& data) {
  return std::vector<float>(data.leaves.size());
}

void sum_ancestors(const LeafData& data, std::vector<float>& sums) {
  const std::uint32_t* const parents = data.tree.parents.data();
  const float* const numbers = &data.arrays.local(0);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    float sum = 0;
    for (std::uint32_t node = parents[data.leaves[i]]; node != Tree::kNoParent; node = parents[node]) {
      sum += numbers[node];
    }
    sums[i] = sum;
  }
}

Work sum_above_in_arrays(LeafData& data) {
  const auto sums = std::make_shared<std::vector<float>>(sums_of(data));
  return {.step = [sums, &data] { sum_ancestors(data, *sums); }};
}

/// How the numbers of an entity's ancestors are summed up: by what is there for it, or entity by entity.
float sum_of_values(const World& world, Entity entity) {
  float sum = 0;
  for (const Number& number : world.ancestors_with<Number>(entity)) sum += number.value;
  return sum;
}
float sum_by_get(const World& world, Entity entity) {
  float sum = 0;
  for (const Entity ancestor : world.ancestors(entity)) sum += world.get<Number>(ancestor).value;
  return sum;
}

/// The same in a world, by walking up from each leaf.
template <float (*sum_above)(const World&, Entity)>
class LeafSums {
 public:
  LeafSums(Layout layout, const LeafData& data) : data_(data), scene_(layout, data), sums_(sums_of(data)) {
    for (const std::uint32_t leaf : data.leaves) leaves_.push_back(scene_.handles()[leaf]);
  }

  void step() {
    const World& world = scene_.world();
    for (std::size_t i = 0; i < leaves_.size(); ++i) sums_[i] = sum_above(world, leaves_[i]);
  }

  Complaint check() const {
    std::vector<float> expected = sums_of(data_);
    sum_ancestors(data_, expected);
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      if (sums_[i] == expected[i]) continue;
      return "the sum of the ancestors of node " + std::to_string(data_.leaves[i]) + " is not the limit's";
    }
    return "";
  }

 private:
  const LeafData& data_;
  NumberScene scene_;
  std::vector<Entity> leaves_;
  std::vector<float> sums_;  // By leaf.
};

void ask_children_sum(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<NumberData> kQuestion{
      .name = "children_sum", .limit = sum_in_arrays, .answer = done_in<FamilySums>, .bar = bar_of_children};
  auto& question = ask(suite, kQuestion, subject, subject.is_typical());
  question.answer("children_of", sum_by_node<&NodeSums::step_by_query>);
  question.answer("children_and_accessor", sum_by_node<&NodeSums::step_by_range>);
}

void ask_ancestors_sum(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<LeafData> kQuestion{.name = "ancestors_sum",
                                             .limit = sum_above_in_arrays,
                                             .answer = done_in<LeafSums<sum_of_values>>,
                                             .at_most = 4};
  auto& question = ask(suite, kQuestion, subject, subject.is_typical());
  question.answer<LeafSums<sum_by_get>>("ancestors_and_get", Layout::adaptive);
}

void ask_walks(Suite& suite) {
  ask_for_trees(suite, {ask_children_sum, ask_ancestors_sum});
}

const Family kFamily(ask_walks);

}  // namespace
}  // namespace strata::bench
