// Scene: the tree of a hierarchy bench in a strata world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <strata/strata.hpp>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "payloads.hpp"
#include "shapes.hpp"
#include "support/work.hpp"

namespace strata::bench {

template <class Value>
struct LocalOf {
  Value value;
};

template <class Value>
struct WorldOf {
  Value value;
};

/// Computes an entity's value in the world from its parent's, as a cascade calls it.
template <class Value>
void update_world(const LocalOf<Value>& local, WorldOf<Value>& world, const WorldOf<Value>* parent) {
  world.value = parent == nullptr ? local.value : compose(parent->value, local.value);
}

/// Nodes in the order in which they are created, with all that creating them takes.
template <class Value>
struct Script {
  explicit Script(const Tree& tree) : creation(creation_of(tree)) {
    for (const std::uint32_t node : creation.nodes) locals.push_back(local_of<Value>(node));
  }

  Creation creation;
  std::vector<Value> locals;  ///< By turn.
};

/// A world with one entity per node, created one at a time.
template <class Value>
class Scene {
 public:
  using Local = LocalOf<Value>;
  using InWorld = WorldOf<Value>;
  using Nodes = Query<const Local, InWorld, Parent<const InWorld>>;

  explicit Scene(Layout layout, std::pmr::memory_resource* memory = nullptr,
                 Defragmentation defragmentation = Defragmentation::automatic);

  /// Creates all nodes of the script, each below its parent.
  /// Contract: the scene is empty, and `expect` was called with the script's size.
  void build(const Script<Value>& script);

  /// Makes room for the handles, so that building times the world alone.
  void expect(std::size_t nodes) { entities_.reserve(nodes); }

  /// Computes every node's value in the world with one cascade.
  void update();
  /// Does the same on the workers of an executor.
  void update(Executor& executor, std::size_t grain = detail::kParallelGrain);

  World& world() { return world_; }
  const World& world() const { return world_; }
  Nodes& nodes() { return nodes_; }

  /// Returns: the first node whose parent or local value is not the limit's, or what the world's own validation says.
  Complaint wrong_node(const Creation& creation, const Arrays<Value>& limit) const;

  /// Returns: the first node whose value in the world is not the limit's.
  Complaint wrong_value(const Creation& creation, const Arrays<Value>& limit) const;

  /// Returns: the handles in the order of creation.
  const std::vector<Entity>& entities() const { return entities_; }

 private:
  World world_;
  Nodes nodes_;
  std::vector<Entity> entities_;  // By turn.
};

extern template class Scene<Affine>;
extern template class Scene<Position>;
extern template class Scene<float>;
extern template class Scene<WithNormal>;

/// Returns: handles by node of the tree, given by turn.
std::vector<Entity> by_node(const Creation& creation, const std::vector<Entity>& entities);

/// Returns: the handle of a node's parent; none for a root.
inline Entity parent_in(const std::vector<Entity>& handles, std::uint32_t parent) {
  return parent == Tree::kNoParent ? Entity() : handles[parent];
}

/// `handles`, `parents` and `locals` are by node; `locals` are `Value` or `LocalOf<Value>`. The entities of `gone` must
/// be destroyed, and all others alive.
/// Returns: the first entity that is not below the one of its parent or has another local value, or what the world's
/// own validation says.
template <class Value, class Locals>
Complaint wrong_tree(const World& world, const std::vector<Entity>& handles, const NodeList& parents,
                     const Locals& locals, const std::vector<Entity>& gone = {}) {
  if (world.size() + gone.size() != parents.size())
    return "the world has " + std::to_string(world.size()) + " entities, not " +
           std::to_string(parents.size() - gone.size());
  for (const Entity entity : gone) {
    if (world.alive(entity)) return "entity " + to_string(entity) + " is still alive";
  }
  const Complaint wrong =
      first_fault(parents.size(), "has the wrong parent or value", [&](std::uint32_t node) {
        // One of `gone`: the count above leaves no other.
        if (!gone.empty() && !world.alive(handles[node])) return true;
        return world.parent(handles[node]) == parent_in(handles, parents[node]) &&
               world.get<LocalOf<Value>>(handles[node]).value == LocalOf<Value>{locals[node]}.value;
      });
  return wrong.empty() ? world.validate().message() : wrong;
}

}  // namespace strata::bench
