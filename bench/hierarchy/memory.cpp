#include "questions.hpp"
#include "subject.hpp"
#include "support/counting_memory.hpp"

namespace strata::bench {
namespace {

/// Bytes per node beyond the two components.
Amounts extra_bytes(const Subject& subject, Layout layout) {
  const TreeData<Affine> data(subject);
  CountingMemory memory;
  Scene<Affine> scene(layout, &memory);
  scene.expect(subject.nodes);
  scene.build(data.script);
  scene.update();  // What a cascade keeps for itself counts as well.
  const double nodes = subject.nodes;
  constexpr double kComponents = sizeof(LocalOf<Affine>) + sizeof(WorldOf<Affine>);
  return {static_cast<double>(memory.bytes()) / nodes - kComponents,
          static_cast<double>(data.arrays.bytes()) / nodes - kComponents};
}

/// Returns: the bar in bytes per node; 0: none.
double most_bytes(const Subject& subject, Layout layout) {
  if (subject.nodes != 1'000'000) return 0;
  if (subject.shape != Shape::bushy && subject.shape != Shape::many_small) return 0;
  if (layout != Layout::per_parent) return 56;
  return subject.shape == Shape::bushy ? 100 : 160;
}

}  // namespace

void ask_memory(Suite& suite, const Subject& subject) {
  for (const auto& [layout, name] : kLayouts) {
    suite.count({.path = subject.path("memory") + "/" + name,
                 .items = subject.nodes,
                 .take = [subject, layout = layout] { return extra_bytes(subject, layout); },
                 .most = most_bytes(subject, layout),
                 .on_demand = !subject.is_typical()});
  }
}

}  // namespace strata::bench
