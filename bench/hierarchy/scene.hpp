// Scene: the tree of a hierarchy bench in a strata world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <strata/strata.hpp>
#include <string>
#include <vector>

#include "affine.hpp"
#include "arrays.hpp"
#include "shapes.hpp"
#include "support/work.hpp"

namespace strata::bench {

struct LocalTransform {
  Affine matrix;
};

struct WorldTransform {
  Affine matrix;
};

std::string to_string(Layout layout);

/// Nodes in the order in which they are created, with all that creating them takes.
struct Script {
  Script(const Tree& tree, CreationOrder order);

  Creation creation;
  std::vector<Affine> locals;  ///< By turn.
};

/// A world with one entity per node, created one at a time.
class Scene {
 public:
  explicit Scene(Layout layout, std::pmr::memory_resource* memory = nullptr);

  /// Creates all nodes of the script, each below its parent.
  /// Contract: the scene is empty, and `expect` was called with the script's size.
  void build(const Script& script);

  /// Makes room for the handles, so that building times the world alone.
  void expect(std::size_t nodes) { entities_.reserve(nodes); }

  void settle();

  /// Computes every node's world transform with one cascade.
  void update();

  std::size_t size() const { return world_.size(); }

  /// Returns: the first node whose world transform is not the limit's.
  Complaint wrong_transform(const Script& script, const Arrays& limit) const;

  /// Returns: the first node whose parent or local transform is not the limit's, or what the world's own
  /// validation says.
  Complaint wrong_node(const Script& script, const Arrays& limit) const;

 private:
  World world_;
  Query<const LocalTransform, WorldTransform, Parent<const WorldTransform>> query_;
  std::vector<Entity> entities_;  // By turn.
};

}  // namespace strata::bench
