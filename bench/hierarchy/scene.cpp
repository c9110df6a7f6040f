#include "scene.hpp"

namespace strata::bench {

std::string to_string(Layout layout) {
  return layout == Layout::per_level ? "per_level" : "per_parent";
}

Script::Script(const Tree& tree, CreationOrder order) : creation(creation_of(tree, order)) {
  for (const std::uint32_t node : creation.nodes) locals.push_back(local_of(node));
}

Scene::Scene(Layout layout, std::pmr::memory_resource* memory)
    : world_(WorldOptions{.layout = layout, .memory = memory}),
      query_(world_.query<const LocalTransform, WorldTransform, Parent<const WorldTransform>>()) {}

void Scene::build(const Script& script) {
  const std::size_t n = script.locals.size();
  for (std::size_t turn = 0; turn < n; ++turn) {
    const std::uint32_t parent = script.creation.parents[turn];
    const Affine& local = script.locals[turn];
    if (parent == Tree::kNoParent) {
      entities_.push_back(world_.create(LocalTransform{local}, WorldTransform{local}));
    } else {
      const auto below_parent = child_of(entities_[parent]);
      entities_.push_back(world_.create(below_parent, LocalTransform{local}, WorldTransform{local}));
    }
  }
}

void Scene::settle() { world_.settle(); }

void Scene::update() {
  query_.cascade().each([](const LocalTransform& local, WorldTransform& world, const WorldTransform* parent) {
    world.matrix = parent == nullptr ? local.matrix : compose(parent->matrix, local.matrix);
  });
}

Complaint Scene::wrong_transform(const Script& script, const Arrays& limit) const {
  for (std::size_t turn = 0; turn < entities_.size(); ++turn) {
    const std::uint32_t node = script.creation.nodes[turn];
    if (agree(world_.get<WorldTransform>(entities_[turn]).matrix, limit.world(node))) continue;
    return "the world transform of node " + std::to_string(node) + " is not the limit's";
  }
  return "";
}

Complaint Scene::wrong_node(const Script& script, const Arrays& limit) const {
  if (world_.size() != limit.size()) return "the world has " + std::to_string(world_.size()) + " entities";
  for (std::size_t turn = 0; turn < entities_.size(); ++turn) {
    const std::uint32_t node = script.creation.nodes[turn];
    const std::uint32_t parent_turn = script.creation.parents[turn];
    const Entity parent = parent_turn == Tree::kNoParent ? Entity() : entities_[parent_turn];
    if (world_.parent(entities_[turn]) != parent) {
      return "the parent of node " + std::to_string(node) + " is not the one it was created below";
    }
    if (world_.get<LocalTransform>(entities_[turn]).matrix != limit.local(node)) {
      return "the local transform of node " + std::to_string(node) + " is not the limit's";
    }
  }
  const Outcome outcome = world_.validate();
  return outcome ? "" : outcome.message();
}

}  // namespace strata::bench
