#include <memory>
#include <string>

#include "numbers.hpp"
#include "questions.hpp"

namespace strata::bench {
namespace {

struct Data : NumberData {
  explicit Data(const Subject& subject) : NumberData(subject), leaves(leaves_of(tree)) {}

  NodeList leaves;
};

std::vector<float> sums_of(const Data& data) {
  return std::vector<float>(data.leaves.size());
}

void sum_ancestors(const Data& data, std::vector<float>& sums) {
  const std::uint32_t* const parents = data.tree.parents.data();
  const float* const numbers = data.numbers.data();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    float sum = 0;
    for (std::uint32_t node = parents[data.leaves[i]]; node != Tree::kNoParent; node = parents[node]) {
      sum += numbers[node];
    }
    sums[i] = sum;
  }
}

Work sum_in_arrays(Data& data) {
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
  LeafSums(Layout layout, const Data& data) : scene_(layout, data), sums_(sums_of(data)) {
    for (const std::uint32_t leaf : data.leaves) leaves_.push_back(scene_.handles()[leaf]);
  }

  void step() {
    const World& world = scene_.world();
    for (std::size_t i = 0; i < leaves_.size(); ++i) sums_[i] = sum_above(world, leaves_[i]);
  }

  Complaint wrong_sum(const Data& data) const {
    std::vector<float> expected = sums_of(data);
    sum_ancestors(data, expected);
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      if (sums_[i] == expected[i]) continue;
      return "the sum of the ancestors of node " + std::to_string(data.leaves[i]) + " is not the limit's";
    }
    return "";
  }

 private:
  NumberScene scene_;
  std::vector<Entity> leaves_;
  std::vector<float> sums_;  // By leaf.
};

template <float (*sum_above)(const World&, Entity)>
Work sum_in_scene(Layout layout, Data& data) {
  const auto sums = std::make_shared<LeafSums<sum_above>>(layout, data);
  return {.step = [sums] { sums->step(); }, .check = [sums, &data] { return sums->wrong_sum(data); }};
}

Bar bar(const Subject&, Layout) {
  return Bar::at_most(4);
}

}  // namespace

void ask_ancestors_sum(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<Data> kQuestion{
      .name = "ancestors_sum", .limit = sum_in_arrays, .answer = sum_in_scene<sum_of_values>, .bar = bar};
  auto& question = ask(suite, kQuestion, subject, subject.is_typical());
  question.answer("ancestors_and_get",
                  [](Data& data) { return sum_in_scene<sum_by_get>(Layout::adaptive, data); });
}

}  // namespace strata::bench
