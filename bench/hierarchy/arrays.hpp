// Arrays: the limit of hierarchy benches, a tree as breadth-first arrays with a parent index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "affine.hpp"
#include "shapes.hpp"

namespace strata::bench {

/// World transforms by one pass over plain arrays: as little work as the task allows.
class Arrays {
 public:
  Arrays() = default;

  /// Presized, all nodes of `tree`.
  explicit Arrays(const Tree& tree);

  /// Appends a node by push_back; its parent comes before it.
  void append(std::uint32_t parent, const Affine& local) {
    if (parent == Tree::kNoParent) ++roots_;
    parents_.push_back(parent);
    locals_.push_back(local);
    worlds_.push_back(local);
  }

  /// Computes every node's world transform from its parent's.
  void update();

  std::size_t size() const { return parents_.size(); }
  std::uint32_t parent(std::size_t node) const { return parents_[node]; }
  const Affine& local(std::size_t node) const { return locals_[node]; }
  const Affine& world(std::size_t node) const { return worlds_[node]; }

  std::size_t bytes() const;

 private:
  std::size_t roots_ = 0;  // They come first.
  std::vector<std::uint32_t> parents_;
  std::vector<Affine> locals_;
  std::vector<Affine> worlds_;
};

}  // namespace strata::bench
