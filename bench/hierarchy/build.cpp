#include <memory>
#include <optional>

#include "questions.hpp"
#include "subject.hpp"

namespace strata::bench {
namespace {

using Data = TreeData<Affine>;

/// The limit is built breadth-first: that order is what the arrays need.
Work build_arrays(Data& data) {
  const auto arrays = std::make_shared<Arrays<Affine>>();
  return {
      .step =
          [arrays, &data] {
            const std::uint32_t n = data.arrays.size();
            for (std::uint32_t node = 0; node < n; ++node) {
              arrays->append(data.arrays.parent(node), data.arrays.local(node));
            }
          },
      .check = [arrays, &data] { return arrays->size() == data.arrays.size() ? "" : "nodes are missing"; },
      .prepare = [arrays] { *arrays = {}; }};
}

Work build_scene(Layout layout, Data& data) {
  const auto scene = std::make_shared<std::optional<Scene<Affine>>>();
  return {.step = [scene, &data] { (*scene)->build(data.script); },
          .check = [scene, &data] { return (*scene)->wrong_node(data.script, data.tree); },
          .prepare =
              [scene, layout, &data] {
                scene->emplace(layout);
                (*scene)->expect(data.script.locals.size());
              }};
}

Bar bar(const Subject&, Layout) {
  return Bar::at_most(2);
}

}  // namespace

void ask_build(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<Data> kQuestion{
      .name = "build", .limit = build_arrays, .answer = build_scene, .bar = bar};
  ask(suite, kQuestion, subject, subject.is_typical());
}

}  // namespace strata::bench
