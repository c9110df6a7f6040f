#include "edits.hpp"

#include <string>

namespace strata::bench {

Work edit_arrays(EditData& data) {
  const auto arrays = std::make_shared<Arrays<Affine>>(data.arrays);
  const auto traveller = std::make_shared<Traveller<std::uint32_t>>(data.rounds);
  return {.step = [arrays, traveller] {
    traveller->step([&](std::uint32_t node, std::uint32_t parent) { arrays->set_parent(node, parent); });
    arrays->update();
  }};
}

EditedLevels::EditedLevels(const EditData& data)
    : data_(data),
      numbers_(turns_of(data.script.creation)),
      levels_(data.tree, numbers_),
      traveller_(translated(data.rounds, numbers_)) {}

void EditedLevels::re_parent() {
  traveller_.step([this](std::uint32_t node, std::uint32_t parent) { levels_.set_parent(node, parent); });
}

Complaint EditedLevels::wrong_node() const {
  const Tree tree = after_steps(data_.tree, data_.rounds, traveller_.steps());
  for (std::uint32_t node = 0; node < numbers_.size(); ++node) {
    const std::uint32_t parent = tree.parents[node];
    if (levels_.is_below(numbers_[node], parent == Tree::kNoParent ? parent : numbers_[parent])) continue;
    return "node " + std::to_string(node) + " has the wrong parent or level by hand";
  }
  return "";
}

Complaint EditedLevels::wrong_update() const {
  const Complaint complaint = wrong_node();
  if (!complaint.empty()) return complaint;
  Arrays<Affine> expected(after_steps(data_.tree, data_.rounds, traveller_.steps()));
  expected.update();
  for (std::uint32_t node = 0; node < expected.size(); ++node) {
    if (agree(levels_.world(numbers_[node]), expected.world(node))) continue;
    return "node " + std::to_string(node) + " has the wrong value by hand";
  }
  return "";
}

EditedScene::EditedScene(Layout layout, const EditData& data, Defragmentation defragmentation)
    : data_(data),
      scene_(built_scene(layout, data.script, defragmentation)),
      traveller_(translated(data.rounds, by_node(data.script.creation, scene_->entities()))) {}

void EditedScene::re_parent() {
  World& world = scene_->world();
  traveller_.step([&](Entity node, Entity parent) {
    if (!world.set_parent(node, parent)) ++refusals_;
  });
}

Complaint EditedScene::wrong_node() const {
  if (refusals_ != 0) return std::to_string(refusals_) + " nodes were refused their parents";
  return scene_->wrong_node(data_.script, after_steps(data_.tree, data_.rounds, traveller_.steps()));
}

Complaint EditedScene::wrong_update() const {
  const Complaint complaint = wrong_node();
  if (!complaint.empty()) return complaint;
  Arrays<Affine> expected(after_steps(data_.tree, data_.rounds, traveller_.steps()));
  expected.update();
  return scene_->wrong_value(data_.script, expected);
}

}  // namespace strata::bench
