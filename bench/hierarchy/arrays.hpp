// Arrays: the limit of hierarchy benches, a tree as breadth-first arrays with a parent index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "payloads.hpp"
#include "shapes.hpp"

namespace strata::bench {

/// Values in the world by one pass over plain arrays: as little work as the task allows.
template <class Value>
class Arrays {
 public:
  Arrays() = default;

  /// Presized, all nodes of `tree`.
  explicit Arrays(const Tree& tree) {
    const auto n = static_cast<std::uint32_t>(tree.parents.size());
    parents_.reserve(n);
    locals_.reserve(n);
    worlds_.reserve(n);
    for (std::uint32_t node = 0; node < n; ++node) append(tree.parents[node], local_of<Value>(node));
  }

  /// Appends a node by push_back; its parent comes before it, and roots before all others.
  void append(std::uint32_t parent, const Value& local) {
    if (parent == Tree::kNoParent) ++roots_;
    parents_.push_back(parent);
    locals_.push_back(local);
    worlds_.push_back(local);
  }

  /// Computes every node's value in the world from its parent's.
  void update() {
    for (std::uint32_t i = 0; i < roots_; ++i) worlds_[i] = locals_[i];
    update_below(roots_, size());
  }

  /// Computes the values of nodes that are not roots, from `begin` up to `end`.
  void update_below(std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t* const parents = parents_.data();
    const Value* const locals = locals_.data();
    Value* const worlds = worlds_.data();
    for (std::size_t i = begin; i < end; ++i) worlds[i] = compose(worlds[parents[i]], locals[i]);
  }

  /// Contract: neither is a root's, and the new parent stands before the node.
  void set_parent(std::uint32_t node, std::uint32_t parent) { parents_[node] = parent; }
  void set_local(std::uint32_t node, const Value& local) { locals_[node] = local; }
  void set_world(std::uint32_t node, const Value& world) { worlds_[node] = world; }

  std::uint32_t size() const { return static_cast<std::uint32_t>(parents_.size()); }
  std::uint32_t roots() const { return roots_; }
  std::uint32_t parent(std::uint32_t node) const { return parents_[node]; }
  const Value& local(std::uint32_t node) const { return locals_[node]; }
  const Value& world(std::uint32_t node) const { return worlds_[node]; }

  std::size_t bytes() const {
    return parents_.capacity() * sizeof(std::uint32_t) +
           (locals_.capacity() + worlds_.capacity()) * sizeof(Value);
  }

 private:
  std::uint32_t roots_ = 0;  // They come first.
  std::vector<std::uint32_t> parents_;
  std::vector<Value> locals_;
  std::vector<Value> worlds_;
};

}  // namespace strata::bench
