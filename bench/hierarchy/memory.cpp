#include "arrays.hpp"
#include "questions.hpp"
#include "scene.hpp"
#include "support/counting_memory.hpp"

namespace strata::bench {
namespace {

Amounts bytes_per_node(const Subject& subject, Layout layout) {
  const Tree tree = make_tree(subject.shape, subject.nodes);
  const Script script(tree, subject.order);
  const Arrays arrays(tree);
  CountingMemory memory;
  Scene scene(layout, &memory);
  scene.expect(script.locals.size());
  scene.build(script);
  scene.update();  // What a cascade keeps for itself counts as well.
  const double nodes = subject.nodes;
  return {static_cast<double>(memory.bytes()) / nodes, static_cast<double>(arrays.bytes()) / nodes};
}

}  // namespace

void ask_memory(Suite& suite, const Subject& subject) {
  for (const Layout layout : {Layout::per_level, Layout::per_parent}) {
    suite.count({.path = subject.path("memory") + "/" + to_string(layout),
                 .items = subject.nodes,
                 .take = [subject, layout] { return bytes_per_node(subject, layout); },
                 .most = subject.is_usual() && layout == Layout::per_parent ? 400.0 : 0.0,
                 .on_demand = !subject.is_usual()});
  }
}

}  // namespace strata::bench
