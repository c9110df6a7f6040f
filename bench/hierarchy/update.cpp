#include <memory>

#include "arrays.hpp"
#include "questions.hpp"
#include "scene.hpp"

namespace strata::bench {
namespace {

struct UpdateData {
  explicit UpdateData(const Subject& subject)
      : tree(make_tree(subject.shape, subject.nodes)), script(tree, subject.order), arrays(tree) {}

  Tree tree;
  Script script;
  Arrays arrays;
};

Work update(Layout layout, UpdateData& data) {
  auto scene = std::make_shared<Scene>(layout);
  scene->expect(data.script.locals.size());
  scene->build(data.script);
  scene->settle();
  return {.step = [scene] { scene->update(); },
          .check = [scene, &data] { return scene->wrong_transform(data.script, data.arrays); }};
}

}  // namespace

void ask_update_affine(Suite& suite, const Subject& subject) {
  auto& question = suite.ask<UpdateData>(subject.path("update_affine"), subject.nodes,
                                         [subject] { return std::make_shared<UpdateData>(subject); });
  if (!subject.is_usual()) question.only_on_demand();
  question.limit([](UpdateData& data) { return Work{.step = [&data] { data.arrays.update(); }}; });

  auto& per_level =
      question.answer("per_level", [](UpdateData& data) { return update(Layout::per_level, data); });
  auto& per_parent =
      question.answer("per_parent", [](UpdateData& data) { return update(Layout::per_parent, data); });
  if (subject.is_usual()) {
    per_level.at_most(3);
    per_parent.at_most(4);
  }
}

}  // namespace strata::bench
