// Subject: a tree to ask about, and how a question about it is put: a limit, and an answer for each layout.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>

#include "arrays.hpp"
#include "scene.hpp"
#include "shapes.hpp"
#include "support/suite.hpp"

namespace strata::bench {

struct NamedLayout {
  Layout layout;
  const char* name;
};

/// What every question is answered with.
inline constexpr NamedLayout kLayouts[] = {
    {Layout::adaptive, "default"}, {Layout::per_level, "per_level"}, {Layout::per_parent, "per_parent"}};

struct Subject {
  Shape shape;
  std::uint32_t nodes;

  /// Returns: the path of a question about this tree.
  std::string path(const std::string& question) const {
    return "hierarchy/" + question + "/" + to_string(shape) + "/" + std::to_string(nodes);
  }

  /// Returns: whether the tree is of the size that a run without --all asks about.
  bool is_usual() const { return nodes == 100'000; }

  /// Returns: whether it also has one of the two shapes that stand for all where asking about each takes
  /// long.
  bool is_typical() const { return is_usual() && (shape == Shape::bushy || shape == Shape::mixed); }
};

/// A bar for each shape, in the order of `Shape`; 0: none.
struct ShapeBars {
  double wide, bushy, binary, chain, mixed, many_small;

  Bar of(Shape shape) const {
    const double most[] = {wide, bushy, binary, chain, mixed, many_small};
    const double one = most[static_cast<std::size_t>(shape)];
    return one > 0 ? Bar::at_most(one) : Bar{};
  }
};

/// The tree of a question, as the limit and the answers share it.
template <class Value>
struct TreeData {
  explicit TreeData(const Subject& subject)
      : tree(make_tree(subject.shape, subject.nodes)), script(tree), arrays(tree) {}

  Tree tree;
  Script<Value> script;
  Arrays<Value> arrays;
};

/// What is asked about a tree.
template <class Data>
struct TreeQuestion {
  const char* name;
  Work (*limit)(Data&);
  Work (*answer)(Layout, Data&);
  Bar (*bar)(const Subject&, Layout) = nullptr;             ///< Null: `at_most` is.
  std::size_t (*items)(const Data&) = nullptr;              ///< Null: as many as the tree has nodes.
  double at_most = 0;                                       ///< For all shapes and layouts; 0: no bar.
  std::shared_ptr<Data> (*make)(const Subject&) = nullptr;  ///< Null: by the constructor.
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

/// Asks the question about one tree; only on demand unless `usual`.
/// Returns: the question, for more answers.
template <class Data>
auto& ask(Suite& suite, const TreeQuestion<Data>& what, const Subject& subject, bool usual) {
  const auto make = [subject, make = what.make] {
    return make != nullptr ? make(subject) : std::make_shared<Data>(subject);
  };
  auto& question = suite.ask<Data>(subject.path(what.name), subject.nodes, make);
  if (!usual) question.only_on_demand();
  if (what.items != nullptr) question.count_items(what.items);
  question.limit(what.limit);
  for (const auto& [layout, name] : kLayouts) {
    const auto work = [answer = what.answer, layout = layout](Data& data) { return answer(layout, data); };
    Answer& answer = question.answer(name, work);
    if (what.bar != nullptr) answer.set_bar(what.bar(subject, layout));
    if (what.at_most != 0) answer.at_most(what.at_most);
  }
  return question;
}

/// Asks each question about trees of all shapes and sizes.
inline void ask_for_trees(Suite& suite, std::initializer_list<void (*)(Suite&, const Subject&)> questions) {
  for (const auto ask : questions) {
    for (const Shape shape : kShapes) {
      for (const std::uint32_t nodes : {10'000u, 100'000u, 1'000'000u}) ask(suite, {shape, nodes});
    }
  }
}

}  // namespace strata::bench
