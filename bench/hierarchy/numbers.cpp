#include "numbers.hpp"

#include "scene.hpp"

namespace strata::bench {

NumberData::NumberData(const Subject& subject)
    : tree(make_tree(subject.shape, subject.nodes)),
      creation(creation_of(tree)),
      roots(ChildRanges(tree).first.front()) {
  for (std::uint32_t node = 0; node < subject.nodes; ++node) numbers.push_back(static_cast<float>(node % 16));
}

NumberScene::NumberScene(Layout layout, const NumberData& data) : world_(WorldOptions{.layout = layout}) {
  std::vector<Entity> entities;  // By turn.
  entities.reserve(data.numbers.size());
  for (std::size_t turn = 0; turn < data.numbers.size(); ++turn) {
    const std::uint32_t parent = data.creation.parents[turn];
    const Number number{data.numbers[data.creation.nodes[turn]]};
    entities.push_back(parent == Tree::kNoParent
                           ? world_.create(number, Total{})
                           : world_.create(child_of(entities[parent]), number, Total{}));
  }
  world_.settle();
  handles_ = by_node(data.creation, entities);
}

}  // namespace strata::bench
