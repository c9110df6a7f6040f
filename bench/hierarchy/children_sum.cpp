#include <algorithm>
#include <memory>
#include <span>
#include <string>

#include "numbers.hpp"
#include "questions.hpp"

namespace strata::bench {
namespace {

std::vector<float> sums_of(const NumberData& data) {
  return std::vector<float>(data.numbers.size());
}

void sum_children(const NumberData& data, std::vector<float>& sums) {
  std::fill(sums.begin(), sums.end(), 0.0f);
  const std::size_t n = sums.size();
  const std::uint32_t* const parents = data.tree.parents.data();
  const float* const numbers = data.numbers.data();
  for (std::size_t node = data.roots; node < n; ++node) sums[parents[node]] += numbers[node];
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
      : scene_(layout, data),
        totals_(scene_.world().query<Total>()),
        children_(scene_.world().query<const Number, Parent<Total>>()) {}

  void step() {
    totals_.each([](Total& total) { total.value = 0; });
    children_.cascade(up).each_block([](std::span<const Number> numbers, RelatedSpan<Total> parents) {
      if (!parents.is_shared()) {
        for (std::size_t i = 0; i < numbers.size(); ++i) parents[i]->value += numbers[i].value;
      } else if (parents[0] != nullptr) {
        float sum = 0;
        for (const Number& number : numbers) sum += number.value;
        parents[0]->value += sum;
      }
    });
  }

  Complaint wrong_sum(const NumberData& data) const { return strata::bench::wrong_sum(scene_, data); }

 private:
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

  Complaint wrong_sum(const NumberData& data) const { return strata::bench::wrong_sum(scene_, data); }

 private:
  NumberScene scene_;
  Query<Entity, Total> nodes_;
  Query<const Number> numbers_;
  Accessor<const Number> number_;
};

Work sum_in_scene(Layout layout, NumberData& data) {
  const auto sums = std::make_shared<FamilySums>(layout, data);
  return {.step = [sums] { sums->step(); }, .check = [sums, &data] { return sums->wrong_sum(data); }};
}

template <void (NodeSums::*step)()>
Work sum_by_node(NumberData& data) {
  const auto sums = std::make_shared<NodeSums>(data);
  return {.step = [sums] { ((*sums).*step)(); }, .check = [sums, &data] { return sums->wrong_sum(data); }};
}

Bar bar(const Subject& subject, Layout layout) {
  const bool large_tables = subject.shape == Shape::wide && layout == Layout::per_parent;
  return Bar::at_most(large_tables ? 1.0 : 3.0);
}

}  // namespace

void ask_children_sum(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<NumberData> kQuestion{
      .name = "children_sum", .limit = sum_in_arrays, .answer = sum_in_scene, .bar = bar};
  auto& question = ask(suite, kQuestion, subject, subject.is_typical());
  question.answer("children_of", sum_by_node<&NodeSums::step_by_query>);
  question.answer("children_and_accessor", sum_by_node<&NodeSums::step_by_range>);
}

}  // namespace strata::bench
