#include <cstddef>
#include <memory>

#include "edits.hpp"
#include "questions.hpp"

namespace strata::bench {
namespace {

/// All inner nodes of depth 2 go below their parents' parents and come back. Where there are none, every
/// second inner node of depth 1 goes below the one before it. Either way most nodes change their depth, so that
/// the cascade costs a re-parented node little more than its own share.
struct Data : EditData {
  explicit Data(const Subject& subject) : EditData(subject) {
    const NodeList depths = depths_of(tree);
    Excursions<std::uint32_t> up;
    Excursions<std::uint32_t> aside;
    std::uint32_t before = Tree::kNoParent;
    for (const std::uint32_t node : inner_nodes_of(tree)) {
      const std::uint32_t parent = tree.parents[node];
      if (depths[node] == 2) up.push_back({node, tree.parents[parent], parent});
      if (depths[node] != 1) continue;
      if (before != Tree::kNoParent) aside.push_back({node, before, parent});
      before = before == Tree::kNoParent ? node : Tree::kNoParent;
    }
    rounds.push_back(up.empty() ? aside : up);
  }
};

std::size_t nodes_that_move(const Data& data) {
  const NodeList sizes = subtree_sizes_of(data.tree);
  std::size_t nodes = 0;
  for (const auto& excursion : data.rounds.front()) nodes += sizes[excursion.node];
  return nodes;
}

Work move_in_scene(Layout layout, Data& data) {
  const auto scene = std::make_shared<EditedScene>(layout, data);
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
  return Bar::at_most_ns(60);
}

}  // namespace

void ask_reparent_inner(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<Data> kQuestion{.name = "reparent_inner",
                                         .limit = in_arrays,
                                         .answer = move_in_scene,
                                         .bar = bar,
                                         .items = nodes_that_move};
  ask(suite, kQuestion, subject, subject.is_typical()).answer("by_hand", edit_levels);
}

}  // namespace strata::bench
