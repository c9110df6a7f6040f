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

  Complaint wrong_sum(const NumberData& data) const {
    std::vector<float> expected = sums_of(data);
    sum_children(data, expected);
    for (std::uint32_t node = 0; node < expected.size(); ++node) {
      if (scene_.world().get<Total>(scene_.handles()[node]).value != expected[node]) {
        return "the sum of the children of node " + std::to_string(node) + " is not the limit's";
      }
    }
    return "";
  }

 private:
  NumberScene scene_;
  Query<Total> totals_;
  Query<const Number, Parent<Total>> children_;
};

Work sum_in_scene(Layout layout, NumberData& data) {
  const auto sums = std::make_shared<FamilySums>(layout, data);
  return {.step = [sums] { sums->step(); }, .check = [sums, &data] { return sums->wrong_sum(data); }};
}

Bar bar(const Subject& subject, Layout layout) {
  const bool large_tables = subject.shape == Shape::wide && layout == Layout::per_parent;
  return Bar::at_most(large_tables ? 1.0 : 3.0);
}

}  // namespace

void ask_children_sum(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<NumberData> kQuestion{
      .name = "children_sum", .limit = sum_in_arrays, .answer = sum_in_scene, .bar = bar};
  ask(suite, kQuestion, subject, subject.is_typical());
}

}  // namespace strata::bench
