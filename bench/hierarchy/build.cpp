#include <memory>
#include <optional>

#include "arrays.hpp"
#include "questions.hpp"
#include "scene.hpp"

namespace strata::bench {
namespace {

/// The limit is built breadth-first whatever the order of the subject: that order is what the arrays need.
struct BuildData {
  explicit BuildData(const Subject& subject)
      : tree(make_tree(subject.shape, subject.nodes)),
        ordered(tree, CreationOrder::breadth_first),
        script(tree, subject.order),
        expected(tree) {}

  Tree tree;
  Script ordered;
  Script script;
  Arrays expected;
};

Work build_arrays(BuildData& data) {
  auto arrays = std::make_shared<Arrays>();
  return {.step =
              [arrays, &data] {
                for (std::size_t i = 0; i < data.ordered.locals.size(); ++i) {
                  arrays->append(data.ordered.creation.parents[i], data.ordered.locals[i]);
                }
              },
          .check = [arrays,
                    &data] { return arrays->size() == data.tree.parents.size() ? "" : "nodes are missing"; },
          .prepare = [arrays] { *arrays = Arrays(); }};
}

Work build_scene(Layout layout, BuildData& data) {
  auto scene = std::make_shared<std::optional<Scene>>();
  return {.step = [scene, &data] { (*scene)->build(data.script); },
          .check = [scene, &data] { return (*scene)->wrong_node(data.script, data.expected); },
          .prepare =
              [scene, layout, &data] {
                scene->emplace(layout);
                (*scene)->expect(data.script.locals.size());
              }};
}

}  // namespace

void ask_build(Suite& suite, const Subject& subject) {
  auto& question = suite.ask<BuildData>(subject.path("build"), subject.nodes,
                                        [subject] { return std::make_shared<BuildData>(subject); });
  if (!subject.is_usual()) question.only_on_demand();
  question.limit(build_arrays);

  auto& per_level =
      question.answer("per_level", [](BuildData& data) { return build_scene(Layout::per_level, data); });
  auto& per_parent =
      question.answer("per_parent", [](BuildData& data) { return build_scene(Layout::per_parent, data); });
  if (subject.is_usual()) {
    per_level.at_most_above_limit(150);
    per_parent.at_most_above_limit(150);
  }
}

}  // namespace strata::bench
