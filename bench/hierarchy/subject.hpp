// Subject: a tree to ask about, by hand and in a world, and how a question about it is put: a limit, and an answer for
// each layout.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "scene.hpp"
#include "shapes.hpp"
#include "support/suite.hpp"

namespace strata::bench {

/// What every question is answered with.
inline constexpr std::pair<Layout, const char*> kLayouts[] = {
    {Layout::adaptive, "default"}, {Layout::per_level, "per_level"}, {Layout::per_parent, "per_parent"}};

/// Which shapes a run without --all asks about, of one size. Two stand for all where asking about each takes long.
enum class Usual { none, two_shapes, all_shapes };

struct Subject {
  Shape shape;
  std::uint32_t nodes;

  /// Returns: the path of a question about this tree.
  std::string path(const std::string& question) const {
    return "hierarchy/" + question + "/" + to_string(shape) + "/" + std::to_string(nodes);
  }

  bool is_usual(Usual usual) const {
    const bool is_typical = shape == Shape::bushy || shape == Shape::mixed;
    return nodes == 100'000 && (usual == Usual::all_shapes || (usual == Usual::two_shapes && is_typical));
  }
};

/// Calls a function for trees of all shapes and sizes.
template <class Ask>
void for_each_subject(Ask ask) {
  for (const Shape shape : kShapes) {
    for (const std::uint32_t nodes : {10'000u, 100'000u, 1'000'000u}) ask(Subject{shape, nodes});
  }
}

/// The tree of a question, as the limit and the answers share it.
template <class Payload>
struct TreeData {
  using Value = Payload;

  explicit TreeData(const Subject& subject)
      : tree(make_tree(subject.shape, subject.nodes)), script(tree), arrays(tree) {}

  Tree tree;
  Script<Value> script;
  Arrays<Value> arrays;
};

/// The limit of values in the world: they are computed in breadth-first arrays.
template <class Data>
struct ArraysAtRest {
  explicit ArraysAtRest(Data& tree) : data(tree) {}

  void step() { data.arrays.update(); }

  Data& data;
};

/// The tree of a question in a world, created node by node.
template <class Data>
struct TreeScene : Scene<typename Data::Value> {
  using Value = typename Data::Value;

  TreeScene(Layout layout, const Data& tree, Defragmentation defragmentation = Defragmentation::automatic)
      : Scene<Value>(layout, nullptr, defragmentation), data(tree) {
    this->expect(data.script.locals.size());
    this->build(data.script);
  }

  /// Returns: the handles by node.
  std::vector<Entity> handles() const { return by_node(data.script.creation, this->entities()); }

  Complaint wrong_node(const Arrays<Value>& limit) const {
    return Scene<Value>::wrong_node(data.script.creation, limit);
  }
  Complaint wrong_value(const Arrays<Value>& limit) const {
    return Scene<Value>::wrong_value(data.script.creation, limit);
  }

  const Data& data;
};

/// A scene of which no node moves.
template <class Data>
struct SceneAtRest : TreeScene<Data> {
  using TreeScene<Data>::TreeScene;

  /// Does nothing; frames call it for every kind of scene.
  void re_parent() {}
  void step() { this->update(); }
  Complaint check() const { return this->wrong_value(this->data.arrays); }
};

/// A scene that is defragmented once.
template <class Base>
struct Defragmented : Base {
  template <class Data>
  Defragmented(Layout layout, const Data& tree) : Base(layout, tree) {
    this->world().defragment();
  }
};

/// The nodes of a tree in any order, as the columns from which a world is built in one go.
struct TreeColumns {
  TreeColumns(const Tree& tree, const NodeList& nodes) {
    const NodeList places = places_in(nodes);
    for (const std::uint32_t node : nodes) {
      const std::uint32_t parent = tree.parents[node];
      parents.push_back(parent == Tree::kNoParent ? parent : places[parent]);
      locals.push_back({local_of<Affine>(node)});
      worlds.push_back({local_of<Affine>(node)});
    }
  }

  /// Builds all nodes. `above` is `child_of(entity)`, to build below that entity, or nothing.
  template <class... Above>
  BuiltHierarchy build(World& world, Above... above) const {
    return world.build_hierarchy(above..., std::span<const std::uint32_t>(parents),
                                 std::span<const LocalOf<Affine>>(locals),
                                 std::span<const WorldOf<Affine>>(worlds));
  }

  NodeList parents;
  std::vector<LocalOf<Affine>> locals;
  std::vector<WorldOf<Affine>> worlds;
};

/// What is asked about trees of all shapes and sizes.
template <class Data>
struct TreeQuestion {
  const char* name;
  Work (*limit)(Data&) = nullptr;
  Work (*answer)(Layout, Data&) = nullptr;
  double at_most = 0;                            ///< For all shapes and layouts; 0: no bar.
  Bar (*bar)(const Subject&, Layout) = nullptr;  ///< Instead of `at_most`.
  std::size_t (*items)(const Data&) = nullptr;   ///< Null: as many as the tree has nodes.
  Usual usual = Usual::two_shapes;
  std::vector<std::pair<const char*, std::function<Work(Data&)>>> more_answers = {};
};

/// The work of a `Doer` that is made of the data, for `limit` of a question.
template <class Doer, class Data>
Work done_by(Data& data) {
  return work_by<Doer>(data);
}

/// The same of one that is made of a layout and the data, for `answer`.
template <class Doer, class Data>
Work done_in(Layout layout, Data& data) {
  return work_by<Doer>(layout, data);
}

/// Asks about one tree.
template <class Data>
Question<Data>& ask_about_tree(Suite& suite, const char* name, const Subject& subject, Usual usual) {
  auto& question = suite.ask<Data>(subject.path(name), subject.nodes,
                                   [subject] { return std::make_shared<Data>(subject); });
  if (!subject.is_usual(usual)) question.only_on_demand();
  return question;
}

/// Asks about trees of all shapes and sizes.
template <class Data>
void ask_about_trees(Suite& suite, const TreeQuestion<Data>& what) {
  for_each_subject([&](const Subject& subject) {
    auto& question = ask_about_tree<Data>(suite, what.name, subject, what.usual);
    if (what.items != nullptr) question.count_items(what.items);
    question.limit(what.limit);
    for (const auto& [layout, name] : kLayouts) {
      const auto work = [answer = what.answer, layout = layout](Data& data) { return answer(layout, data); };
      const Bar most = what.at_most != 0 ? Bar::at_most(what.at_most) : Bar{};
      question.answer(name, work).set_bar(what.bar != nullptr ? what.bar(subject, layout) : most);
    }
    for (const auto& [name, work] : what.more_answers) question.answer(name, work);
  });
}

}  // namespace strata::bench
