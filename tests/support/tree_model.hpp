// A forest kept the dumb way: from every entity to its parent, and to its children in their order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "../../core/entity.hpp"

namespace strata::test {

class TreeModel {
 public:
  bool contains(Entity entity) const { return nodes_.contains(entity); }
  std::size_t size() const { return nodes_.size(); }

  void create(Entity entity, Entity parent = {}) {
    nodes_[entity].parent = parent;
    if (parent) nodes_[parent].children.push_back(entity);
  }

  /// Returns: whether the tree may be changed so: both exist and no cycle comes of it.
  bool can_set_parent(Entity child, Entity parent) const {
    return contains(child) && contains(parent) && child != parent && !is_ancestor(child, parent);
  }
  /// Makes `child` the last child of `parent`; where it is already one, it keeps its place.
  void set_parent(Entity child, Entity new_parent) {
    if (parent(child) == new_parent) return;
    clear_parent(child);
    nodes_[child].parent = new_parent;
    nodes_[new_parent].children.push_back(child);
  }
  void clear_parent(Entity child) {
    Entity& parent = nodes_.at(child).parent;
    if (parent) std::erase(nodes_.at(parent).children, child);
    parent = {};
  }

  /// Returns: whether `sibling` has a parent below which `child` may be put.
  bool can_move_before(Entity child, Entity sibling) const {
    return parent(sibling) && child != sibling && can_set_parent(child, parent(sibling));
  }
  void move_before(Entity child, Entity sibling) {
    set_parent(child, parent(sibling));
    std::vector<Entity>& siblings = nodes_.at(parent(sibling)).children;
    std::erase(siblings, child);
    siblings.insert(std::find(siblings.begin(), siblings.end(), sibling), child);
  }
  /// Returns: whether the children may be set so: all exist, each is given once, and no cycle comes of it.
  bool can_set_children(Entity parent, std::vector<Entity> children) const {
    if (!contains(parent)) return false;
    for (const Entity child : children) {
      if (!can_set_parent(child, parent)) return false;
    }
    std::sort(children.begin(), children.end());
    return std::adjacent_find(children.begin(), children.end()) == children.end();
  }
  void set_children(Entity parent, const std::vector<Entity>& new_children) {
    for (const Entity child : children(parent)) clear_parent(child);
    for (const Entity child : new_children) set_parent(child, parent);
  }
  template <class Less>
  void sort_children(Entity parent, Less less) {
    std::vector<Entity>& children = nodes_.at(parent).children;
    std::stable_sort(children.begin(), children.end(), less);
  }

  /// Destroys the entity, and either its whole subtree or only its own place in the tree.
  void destroy(Entity entity) {
    for (const Entity below : breadth_first(entity)) {
      if (below != entity) nodes_.erase(below);
    }
    clear_parent(entity);
    nodes_.erase(entity);
  }
  void destroy_alone(Entity entity) {
    for (const Entity child : children(entity)) nodes_.at(child).parent = {};
    clear_parent(entity);
    nodes_.erase(entity);
  }

  void destroy_children(Entity entity) {
    for (const Entity child : children(entity)) destroy(child);
  }

  void clear() { nodes_.clear(); }

  /// Returns: all entities, in the order of their handles.
  std::vector<Entity> all() const {
    std::vector<Entity> found;
    for (const auto& [entity, node] : nodes_) found.push_back(entity);
    return found;
  }
  Entity parent(Entity entity) const {
    const auto found = nodes_.find(entity);
    return found != nodes_.end() ? found->second.parent : Entity();
  }
  std::vector<Entity> children(Entity entity) const {
    const auto found = nodes_.find(entity);
    return found != nodes_.end() ? found->second.children : std::vector<Entity>();
  }
  std::vector<Entity> ancestors(Entity entity) const {
    std::vector<Entity> found;
    for (Entity above = parent(entity); above; above = parent(above)) found.push_back(above);
    return found;
  }
  /// Returns: the sibling so many places further; null if there is none.
  Entity sibling(Entity entity, std::ptrdiff_t places) const {
    const std::vector<Entity> siblings = children(parent(entity));
    const auto found = std::find(siblings.begin(), siblings.end(), entity);
    const std::ptrdiff_t place = found - siblings.begin() + places;
    const bool there = found != siblings.end() && place >= 0 && place < std::ssize(siblings);
    return there ? siblings[static_cast<std::size_t>(place)] : Entity();
  }
  std::vector<Entity> roots() const {
    std::vector<Entity> found = all();
    std::erase_if(found, [this](Entity entity) { return parent(entity) != Entity(); });
    std::sort(found.begin(), found.end(), [](Entity a, Entity b) { return a.index() < b.index(); });
    return found;
  }
  bool is_ancestor(Entity ancestor, Entity of) const {
    Entity above = parent(of);
    while (above && above != ancestor) above = parent(above);
    return static_cast<bool>(above);
  }
  std::uint32_t depth(Entity entity) const {
    std::uint32_t levels = 0;
    for (Entity above = parent(entity); above; above = parent(above)) ++levels;
    return levels;
  }

  std::vector<Entity> breadth_first(Entity root) const {
    if (!contains(root)) return {};
    std::vector<Entity> order{root};
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const Entity child : children(order[i])) order.push_back(child);
    }
    return order;
  }
  std::vector<Entity> depth_first(Entity root) const {
    std::vector<Entity> order;
    std::vector<Entity> ahead;
    if (contains(root)) ahead.push_back(root);
    while (!ahead.empty()) {
      const Entity next = ahead.back();
      ahead.pop_back();
      order.push_back(next);
      const std::vector<Entity> below = children(next);
      ahead.insert(ahead.end(), below.rbegin(), below.rend());
    }
    return order;
  }

 private:
  struct Node {
    Entity parent;
    std::vector<Entity> children;
  };
  std::map<Entity, Node> nodes_;
};

}  // namespace strata::test
