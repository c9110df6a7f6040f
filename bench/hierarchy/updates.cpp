// Values in the world computed by a cascade, when nothing else changes and when nodes have got other parents.
#include <cstddef>
#include <memory>

#include "edits.hpp"
#include "subject.hpp"
#include "support/random.hpp"

namespace strata::bench {
namespace {

template <class Value>
Work update_arrays(TreeData<Value>& data) {
  return {.step = [&data] { data.arrays.update(); }};
}

template <class Value>
Work update_scene(const std::shared_ptr<Scene<Value>>& scene, const TreeData<Value>& data) {
  return {.step = [scene] { scene->update(); },
          .check = [scene, &data] { return scene->wrong_value(data.script, data.arrays); }};
}

template <class Value>
Work update_defragmented(Layout layout, TreeData<Value>& data) {
  const auto scene = built_scene(layout, data.script);
  scene->world().defragment();
  return update_scene(scene, data);
}

/// The same in a world that has never been told to defragment, a hundred frames after the build.
template <class Value>
Work update_fragmented(TreeData<Value>& data) {
  const auto scene = built_scene(Layout::adaptive, data.script);
  for (int frame = 0; frame < 100; ++frame) scene->update();
  return update_scene(scene, data);
}

Bar affine_bar(const Subject& subject, Layout layout) {
  constexpr ShapeBars kPerParent{
      .wide = 1.0, .bushy = 2.5, .binary = 5, .chain = 9, .mixed = 5, .many_small = 5};
  constexpr ShapeBars kPerLevel{
      .wide = 1.0, .bushy = 1.0, .binary = 1.2, .chain = 1.4, .mixed = 1.2, .many_small = 1.2};
  return (layout == Layout::per_parent ? kPerParent : kPerLevel).of(subject.shape);
}

Bar pos_bar(const Subject& subject, Layout layout) {
  constexpr ShapeBars kPerLevel{
      .wide = 0.8, .bushy = 1.0, .binary = 1.5, .chain = 3, .mixed = 1.5, .many_small = 1.5};
  return layout == Layout::per_parent ? Bar{} : kPerLevel.of(subject.shape);
}

/// Excursions of nodes of a tree, by rounds.
using Rounds = std::vector<Excursions<std::uint32_t>>;

template <Rounds (*rounds_of)(const Tree&)>
std::shared_ptr<EditData> with_rounds(const Subject& subject) {
  const auto data = std::make_shared<EditData>(subject);
  data->rounds = rounds_of(data->tree);
  return data;
}

/// In each round, 1 % of the nodes go below random nodes that stand before them in the arrays.
Rounds random_nodes(const Tree& tree) {
  Rounds rounds;
  std::mt19937 random(11);
  for (int round = 0; round < 4; ++round) {
    Excursions<std::uint32_t>& excursions = rounds.emplace_back();
    for (const std::uint32_t node : chosen(random, children_of(tree), tree.parents.size() / 100)) {
      excursions.push_back({node, below(random, node), tree.parents[node]});
    }
  }
  return rounds;
}

/// All inner nodes of depth 2 go below their parents' parents and come back. Where there are none, every second inner node
/// of depth 1 goes below the one before it. Either way most nodes change their depth, so that the cascade costs a
/// re-parented node little more than its own share.
Rounds inner_nodes(const Tree& tree) {
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
  return {up.empty() ? aside : up};
}

/// Random leaves go below random other parents: 1 % of the nodes, or all leaves if they are fewer.
Rounds random_leaves(const Tree& tree) {
  Rounds rounds;
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
  return rounds;
}

std::size_t nodes_that_move(const EditData& data) {
  const NodeList sizes = subtree_sizes_of(data.tree);
  std::size_t nodes = 0;
  for (const auto& excursion : data.rounds.front()) nodes += sizes[excursion.node];
  return nodes;
}

Work edit_levels(EditData& data) {
  return edit(std::make_shared<EditedLevels>(data));
}

Work edit_built_scene(Layout layout, EditData& data) {
  return edit(std::make_shared<EditedScene>(layout, data));
}

Work edit_defragmented_scene(Layout layout, EditData& data) {
  const auto scene = std::make_shared<EditedScene>(layout, data);
  scene->world().defragment();
  return edit(scene);
}

Work move_in_arrays(EditData& data) {
  struct State {
    LinkArrays links;
    Traveller<std::uint32_t> traveller;
  };
  return work_on(
      std::make_shared<State>(State{LinkArrays(data.tree), Traveller<std::uint32_t>(data.rounds)}),
      [](State& s) {
        s.traveller.step([&](std::uint32_t node, std::uint32_t parent) { s.links.set_parent(node, parent); });
      },
      [&data](State& s) {
        return s.links.wrong_parent(after_steps(data.tree, data.rounds, s.traveller.steps()));
      });
}

Work move_in_scene(Layout layout, EditData& data) {
  return re_parent(std::make_shared<EditedScene>(layout, data));
}

Work move_between_levels(EditData& data) {
  return re_parent(std::make_shared<EditedLevels>(data));
}

void ask_update_affine(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<TreeData<Affine>> kQuestion{
      .name = "update_affine", .limit = update_arrays, .answer = update_defragmented, .bar = affine_bar};
  ask(suite, kQuestion, subject, subject.is_usual()).answer("by_itself", update_fragmented<Affine>);
}

void ask_update_pos(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<TreeData<Position>> kQuestion{
      .name = "update_pos", .limit = update_arrays, .answer = update_defragmented, .bar = pos_bar};
  ask(suite, kQuestion, subject, subject.is_usual()).answer("by_itself", update_fragmented<Position>);
}

void ask_update_after_edits(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<EditData> kQuestion{.name = "update_after_edits",
                                             .limit = edit_arrays,
                                             .answer = edit_defragmented_scene,
                                             .at_most = 2,
                                             .make = with_rounds<random_nodes>};
  ask(suite, kQuestion, subject, subject.is_typical()).answer("by_hand", edit_levels);
}

void ask_reparent_leaf(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<EditData> kQuestion{
      .name = "reparent_leaf",
      .limit = move_in_arrays,
      .answer = move_in_scene,
      .items = [](const EditData& data) { return data.rounds.front().size(); },
      .at_most = 3,
      .make = with_rounds<random_leaves>};
  ask(suite, kQuestion, subject, subject.is_typical()).answer("by_hand", move_between_levels);
}

void ask_reparent_inner(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<EditData> kQuestion{
      .name = "reparent_inner",
      .limit = edit_arrays,
      .answer = edit_built_scene,
      .bar = [](const Subject&, Layout) { return Bar::at_most_ns(60); },
      .items = nodes_that_move,
      .make = with_rounds<inner_nodes>};
  ask(suite, kQuestion, subject, subject.is_typical()).answer("by_hand", edit_levels);
}

void ask_updates(Suite& suite) {
  ask_for_trees(suite, {ask_update_affine, ask_update_pos, ask_update_after_edits, ask_reparent_leaf,
                        ask_reparent_inner});
}

const Family kFamily(ask_updates);

}  // namespace
}  // namespace strata::bench
