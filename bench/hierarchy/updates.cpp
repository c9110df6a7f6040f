// Values in the world computed by a cascade, when nothing else changes and when nodes have got other parents.
#include "edits.hpp"
#include "subject.hpp"
#include "support/random.hpp"

namespace strata::bench::updates {
namespace {

/// A world that has never been told to defragment, a hundred frames after the build.
template <class Data>
struct AgedScene : SceneAtRest<Data> {
  explicit AgedScene(const Data& tree) : SceneAtRest<Data>(Layout::adaptive, tree) {
    for (int frame = 0; frame < 100; ++frame) this->update();
  }
};

template <class Value>
void ask_for_values(Suite& suite, const char* name, Bar (*bar)(const Subject&, Layout)) {
  using Data = TreeData<Value>;
  ask_about_trees<Data>(suite, {.name = name,
                                .limit = done_by<ArraysAtRest<Data>>,
                                .answer = done_in<Defragmented<SceneAtRest<Data>>>,
                                .bar = bar,
                                .usual = Usual::all_shapes,
                                .more_answers = {{"by_itself", done_by<AgedScene<Data>, Data>}}});
}

/// Bars by shape.
using ShapeBars = double[std::size(kShapes)];
Bar bar_of(const ShapeBars& bars, Shape shape) {
  return Bar::at_most(bars[static_cast<std::size_t>(shape)]);
}

//                             wide, bushy, binary, chain, mixed, many_small
constexpr ShapeBars kPerParent{1.0, 2.5, 5, 9, 5, 5};
constexpr ShapeBars kPerLevel{1.0, 1.0, 1.2, 1.4, 1.2, 1.2};
constexpr ShapeBars kPositions{0.8, 1.0, 1.5, 3, 1.5, 1.5};

Bar affine_bar(const Subject& subject, Layout layout) {
  return bar_of(layout == Layout::per_parent ? kPerParent : kPerLevel, subject.shape);
}
Bar pos_bar(const Subject& subject, Layout layout) {
  return layout == Layout::per_parent ? Bar{} : bar_of(kPositions, subject.shape);
}

/// In each round, 1 % of the nodes go below random nodes that stand before them in the arrays.
struct RandomNodes : EditData {
  explicit RandomNodes(const Subject& subject) : EditData(subject) {
    add_random_rounds(11, 4, subject.nodes / 100);
  }
};

/// All inner nodes of depth 2 go below their parents' parents and come back. Where there are none, every second inner node
/// of depth 1 goes below the one before it. Either way most nodes change their depth, so that the cascade costs a
/// re-parented node little more than its own share.
struct InnerNodes : EditData {
  explicit InnerNodes(const Subject& subject) : EditData(subject) {
    const NodeList depths = depths_of(tree);
    Rounds<std::uint32_t> up(1), aside(1);
    std::uint32_t before = Tree::kNoParent;
    for (const std::uint32_t node : inner_nodes_of(tree)) {
      const std::uint32_t parent = tree.parents[node];
      if (depths[node] == 2) up[0].push_back({node, tree.parents[parent], parent});
      if (depths[node] != 1) continue;
      if (before != Tree::kNoParent) aside[0].push_back({node, before, parent});
      before = before == Tree::kNoParent ? node : Tree::kNoParent;
    }
    rounds = up[0].empty() ? aside : up;
  }
};

std::size_t nodes_that_move(const InnerNodes& data) {
  const NodeList sizes = subtree_sizes_of(data.tree);
  std::size_t nodes = 0;
  for (const auto& excursion : data.rounds.front()) nodes += sizes[excursion.node];
  return nodes;
}

/// Random leaves go below random other parents: 1 % of the nodes, or all leaves if they are fewer.
struct RandomLeaves : EditData {
  explicit RandomLeaves(const Subject& subject) : EditData(subject) {
    std::mt19937 random(19);
    const NodeList leaves = leaves_of(tree);
    const NodeList inner = inner_nodes_of(tree);
    const auto parents = static_cast<std::uint32_t>(inner.size());
    for (int round = 0; round < 8; ++round) {
      auto& excursions = rounds.emplace_back();
      for (const std::uint32_t leaf : chosen(random, leaves, tree.parents.size() / 100)) {
        const std::uint32_t home = tree.parents[leaf];
        std::uint32_t away = inner[below(random, parents)];
        if (away == home) away = home != inner.front() ? inner.front() : inner.back();
        excursions.push_back({leaf, away, home});
      }
    }
  }
};

/// The limit of re-parenting alone.
struct MovedLinks {
  explicit MovedLinks(const EditData& edits)
      : data(edits), links(data.tree.parents), traveller(data.rounds) {}

  void step() {
    traveller.step([this](std::uint32_t node, std::uint32_t parent) { links.set_parent(node, parent); });
  }
  Complaint check() const { return links.wrong_parent(data.after_steps(traveller.steps()).parents); }

  const EditData& data;
  LinkArrays links;
  Traveller<std::uint32_t> traveller;
};

const Family kFamily([](Suite& suite) {
  ask_for_values<Affine>(suite, "update_affine", affine_bar);
  ask_for_values<Position>(suite, "update_pos", pos_bar);
  ask_about_trees<RandomNodes>(suite,
                               {.name = "update_after_edits",
                                .limit = done_by<EditedArrays>,
                                .answer = done_in<Updated<Defragmented<EditedScene>>>,
                                .at_most = 2,
                                .more_answers = {{"by_hand", done_by<Updated<EditedLevels>, RandomNodes>}}});
  ask_about_trees<RandomLeaves>(
      suite, {.name = "reparent_leaf",
              .limit = done_by<MovedLinks>,
              .answer = done_in<ReParented<EditedScene>>,
              .at_most = 3,
              .items = [](const RandomLeaves& data) { return data.rounds.front().size(); },
              .more_answers = {{"by_hand", done_by<ReParented<EditedLevels>, RandomLeaves>}}});
  ask_about_trees<InnerNodes>(suite,
                              {.name = "reparent_inner",
                               .limit = done_by<EditedArrays>,
                               .answer = done_in<Updated<EditedScene>>,
                               .bar = [](const Subject&, Layout) { return Bar::at_most_ns(60); },
                               .items = nodes_that_move,
                               .more_answers = {{"by_hand", done_by<Updated<EditedLevels>, InnerNodes>}}});
});

}  // namespace
}  // namespace strata::bench::updates
