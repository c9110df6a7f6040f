#include <cstddef>
#include <memory>

#include "edits.hpp"
#include "questions.hpp"
#include "support/random.hpp"

namespace strata::bench {
namespace {

/// Each round, 1 % of the nodes go below random nodes that stand before them in the arrays.
struct Data : EditData {
  explicit Data(const Subject& subject) : EditData(subject) {
    std::mt19937 random(11);
    for (int round = 0; round < 4; ++round) {
      Excursions<std::uint32_t>& excursions = rounds.emplace_back();
      for (const std::uint32_t node : chosen(random, children_of(tree), tree.parents.size() / 100)) {
        excursions.push_back({node, below(random, node), tree.parents[node]});
      }
    }
  }
};

Work edit_scene(Layout layout, Data& data) {
  const auto scene = std::make_shared<EditedScene>(layout, data);
  scene->world().settle();
  return {.step =
              [scene] {
                scene->re_parent();
                scene->update();
              },
          .check = [scene] { return scene->wrong_update(); }};
}

Work in_arrays(Data& data) {
  return edit_arrays(data);
}

Bar bar(const Subject&, Layout) {
  return Bar::at_most(2);
}

}  // namespace

void ask_update_after_edits(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<Data> kQuestion{
      .name = "update_after_edits", .limit = in_arrays, .answer = edit_scene, .bar = bar};
  ask(suite, kQuestion, subject, subject.is_typical()).answer("by_hand", edit_levels);
}

}  // namespace strata::bench
