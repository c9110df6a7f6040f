// Walks over a tree with a number per node: sums of each node's children, and of each leaf's ancestors.
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "subject.hpp"

namespace strata::bench::walks {
namespace {

using Number = LocalOf<float>;
using Total = WorldOf<float>;
using NumberData = TreeData<float>;

/// Sums up each node's children, by node.
void sum_children(const NumberData& data, std::vector<float>& sums) {
  std::fill(sums.begin(), sums.end(), 0.0f);
  const std::size_t n = sums.size();
  const std::uint32_t* const parents = data.tree.parents.data();
  const float* const numbers = data.arrays.locals.data();
  for (std::size_t node = data.arrays.roots; node < n; ++node) sums[parents[node]] += numbers[node];
}

Work sum_in_arrays(NumberData& data) {
  const auto sums = std::make_shared<std::vector<float>>(data.arrays.size());
  return {.step = [sums, &data] { sum_children(data, *sums); }};
}

using NumberScene = Defragmented<TreeScene<NumberData>>;

Complaint wrong_sum(const NumberScene& scene) {
  const std::vector<Entity> handles = scene.handles();
  std::vector<float> sums(handles.size());
  sum_children(scene.data, sums);
  return first_fault(sums.size(), "has another sum of its children than the limit", [&](std::uint32_t node) {
    return scene.world().get<Total>(handles[node]).value == sums[node];
  });
}

/// Folds every number into its parent's total, a family at a time where families lie together.
class FamilySums : NumberScene {
 public:
  using NumberScene::NumberScene;

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

  Complaint check() const { return wrong_sum(*this); }

 private:
  Query<Total> totals_ = world().query<Total>();
  Query<const Number, Parent<Total>> children_ = world().query<const Number, Parent<Total>>();
};

/// The same from the parent's side: node by node, by a walk over its children.
class NodeSums : NumberScene {
 public:
  explicit NodeSums(const NumberData& tree) : NumberScene(Layout::adaptive, tree) {}

  void step_by_query() {
    nodes_.cascade().each([&](Entity entity, Total& total) {
      float sum = 0;
      numbers_.children_of(entity).each([&](const Number& number) { sum += number.value; });
      total.value = sum;
    });
  }
  void step_by_range() {
    const World& here = world();
    nodes_.cascade().each([&](Entity entity, Total& total) {
      float sum = 0;
      for (const Entity child : here.children(entity)) sum += number_.get(child).value;
      total.value = sum;
    });
  }

  Complaint check() const { return wrong_sum(*this); }

 private:
  Query<Entity, Total> nodes_ = world().query<Entity, Total>();
  Query<const Number> numbers_ = world().query<const Number>();
  Accessor<const Number> number_ = world().accessor<const Number>();
};

template <void (NodeSums::*step)()>
Work sum_by_node(NumberData& data) {
  const auto sums = std::make_shared<NodeSums>(data);
  return {.step = [sums] { ((*sums).*step)(); }, .check = [sums] { return sums->check(); }};
}

Bar bar_of_children(const Subject& subject, Layout layout) {
  const bool large_tables = subject.shape == Shape::wide && layout == Layout::per_parent;
  return Bar::at_most(large_tables ? 1.0 : 3.0);
}

struct LeafData : NumberData {
  explicit LeafData(const Subject& subject) : NumberData(subject), leaves(leaves_of(tree)) {}

  NodeList leaves;
};

/// Sums up each leaf's ancestors, by leaf.
void sum_ancestors(const LeafData& data, std::vector<float>& sums) {
  const std::uint32_t* const parents = data.tree.parents.data();
  const float* const numbers = data.arrays.locals.data();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    float sum = 0;
    for (std::uint32_t node = parents[data.leaves[i]]; node != Tree::kNoParent; node = parents[node]) {
      sum += numbers[node];
    }
    sums[i] = sum;
  }
}

Work sum_above_in_arrays(LeafData& data) {
  const auto sums = std::make_shared<std::vector<float>>(data.leaves.size());
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
class LeafSums : Defragmented<TreeScene<LeafData>> {
 public:
  LeafSums(Layout layout, const LeafData& tree) : Defragmented(layout, tree), sums_(data.leaves.size()) {
    const std::vector<Entity> entities = handles();
    for (const std::uint32_t leaf : data.leaves) leaves_.push_back(entities[leaf]);
  }

  void step() {
    for (std::size_t i = 0; i < leaves_.size(); ++i) sums_[i] = sum_above(world(), leaves_[i]);
  }
  Complaint check() const {
    std::vector<float> expected(sums_.size());
    sum_ancestors(data, expected);
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      if (sums_[i] != expected[i])
        return "node " + std::to_string(data.leaves[i]) + " has another sum of its ancestors than the limit";
    }
    return "";
  }

 private:
  std::vector<Entity> leaves_;
  std::vector<float> sums_;  // By leaf.
};

const Family kFamily([](Suite& suite) {
  ask_about_trees<NumberData>(
      suite, {.name = "children_sum",
              .limit = sum_in_arrays,
              .answer = done_in<FamilySums>,
              .bar = bar_of_children,
              .more_answers = {{"children_of", sum_by_node<&NodeSums::step_by_query>},
                               {"children_and_accessor", sum_by_node<&NodeSums::step_by_range>}}});
  ask_about_trees<LeafData>(suite, {.name = "ancestors_sum",
                                    .limit = sum_above_in_arrays,
                                    .answer = done_in<LeafSums<sum_of_values>>,
                                    .at_most = 4,
                                    .more_answers = {{"ancestors_and_get", [](LeafData& data) {
                                                        return work_by<LeafSums<sum_by_get>>(Layout::adaptive,
                                                                                             data);
                                                      }}}});
});

}  // namespace
}  // namespace strata::bench::walks
