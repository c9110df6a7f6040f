#include <algorithm>
#include <memory>
#include <string>

#include "edits.hpp"
#include "link_arrays.hpp"
#include "questions.hpp"
#include "support/random.hpp"

namespace strata::bench {
namespace {

/// Rounds of random leaves that go below random other parents: 1 % of the nodes, or all leaves if they are
/// fewer.
struct Data : EditData {
  explicit Data(const Subject& subject) : EditData(subject) {
    std::mt19937 random(19);
    const NodeList leaves = leaves_of(tree);
    const NodeList inner = inner_nodes_of(tree);
    const auto parents = static_cast<std::uint32_t>(inner.size());
    for (int round = 0; round < 8; ++round) {
      Excursions<std::uint32_t>& excursions = rounds.emplace_back();
      for (const std::uint32_t leaf : chosen(random, leaves, tree.parents.size() / 100)) {
        const std::uint32_t home = tree.parents[leaf];
        std::uint32_t away = inner[below(random, parents)];
        if (away == home) away = home != inner.front() ? inner.front() : inner.back();
        excursions.push_back({leaf, away, home});
      }
    }
  }
};

Work move_in_arrays(Data& data) {
  const auto links = std::make_shared<LinkArrays>(data.tree);
  const auto traveller = std::make_shared<Traveller<std::uint32_t>>(data.rounds);
  return {.step =
              [links, traveller] {
                traveller->step(
                    [&](std::uint32_t node, std::uint32_t parent) { links->set_parent(node, parent); });
              },
          .check =
              [links, traveller, &data] {
                return links->wrong_parent(after_steps(data.tree, data.rounds, traveller->steps()));
              }};
}

Work move_in_scene(Layout layout, Data& data) {
  const auto scene = std::make_shared<EditedScene>(layout, data);
  return {.step = [scene] { scene->re_parent(); }, .check = [scene] { return scene->wrong_node(); }};
}

Work move_between_levels(Data& data) {
  const auto levels = std::make_shared<EditedLevels>(data);
  return {.step = [levels] { levels->re_parent(); }, .check = [levels] { return levels->wrong_node(); }};
}

Bar bar(const Subject&, Layout) {
  return Bar::at_most(3);
}

}  // namespace

void ask_reparent_leaf(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<Data> kQuestion{
      .name = "reparent_leaf",
      .limit = move_in_arrays,
      .answer = move_in_scene,
      .bar = bar,
      .items = [](const Data& data) { return data.rounds.front().size(); }};
  ask(suite, kQuestion, subject, subject.is_typical()).answer("by_hand", move_between_levels);
}

}  // namespace strata::bench
