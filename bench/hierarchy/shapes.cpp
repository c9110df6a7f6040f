#include "shapes.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "support/random.hpp"

namespace strata::bench {
namespace {

constexpr std::uint32_t kChainLength = 1000;
constexpr std::uint32_t kSmallTree = 8;

/// One root, and each inner node with `fan_out` children.
Tree regular(std::uint32_t n, std::uint32_t fan_out) {
  Tree tree;
  for (std::uint32_t i = 0; i < n; ++i) tree.parents.push_back(i == 0 ? Tree::kNoParent : (i - 1) / fan_out);
  return tree;
}

Tree chains(std::uint32_t n) {
  const std::uint32_t count = (n + kChainLength - 1) / kChainLength;
  Tree tree;
  for (std::uint32_t i = 0; i < n; ++i) tree.parents.push_back(i < count ? Tree::kNoParent : i - count);
  return tree;
}

/// The children of each node, in one array: those of `node` start at `first[node]`.
struct Families {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> children;
  std::vector<std::uint32_t> roots;
};

Families families_of(const std::vector<std::uint32_t>& parents) {
  const std::size_t n = parents.size();
  Families families{std::vector<std::uint32_t>(n + 1), {}, {}};
  for (const std::uint32_t parent : parents) {
    if (parent != Tree::kNoParent) ++families.first[parent + 1];
  }
  std::partial_sum(families.first.begin(), families.first.end(), families.first.begin());
  families.children.resize(families.first[n]);
  std::vector<std::uint32_t> next(families.first.begin(), families.first.end() - 1);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (parents[i] == Tree::kNoParent) {
      families.roots.push_back(i);
    } else {
      families.children[next[parents[i]]++] = i;
    }
  }
  return families;
}

/// Renumbers a forest, whatever its order, breadth-first.
Tree breadth_first(const std::vector<std::uint32_t>& parents) {
  const Families families = families_of(parents);
  std::vector<std::uint32_t> queue = families.roots;
  Tree tree{std::vector<std::uint32_t>(queue.size(), Tree::kNoParent)};
  for (std::uint32_t turn = 0; turn < queue.size(); ++turn) {
    const std::uint32_t node = queue[turn];
    for (std::uint32_t child = families.first[node]; child < families.first[node + 1]; ++child) {
      queue.push_back(families.children[child]);
      tree.parents.push_back(turn);
    }
  }
  return tree;
}

Tree random_recursive(std::uint32_t n) {
  std::mt19937 random(2026);
  std::vector<std::uint32_t> parents;
  for (std::uint32_t i = 0; i < n; ++i) parents.push_back(i == 0 ? Tree::kNoParent : below(random, i));
  return breadth_first(parents);
}

Tree small_trees(std::uint32_t n) {
  // Below the root a child, and below it a binary tree's next two levels: 1 + 1 + 2 + 4 nodes.
  constexpr std::uint32_t kAbove[kSmallTree] = {0, 0, 1, 1, 2, 2, 3, 3};
  std::vector<std::uint32_t> parents;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t place = i % kSmallTree;
    parents.push_back(place == 0 ? Tree::kNoParent : i - place + kAbove[place]);
  }
  return breadth_first(parents);
}

/// Each turn takes a random node among those whose parents have had their turn.
std::vector<std::uint32_t> shuffled_nodes(const Tree& tree) {
  std::mt19937 random(7);
  const Families families = families_of(tree.parents);
  std::vector<std::uint32_t> open = families.roots;
  std::vector<std::uint32_t> nodes;
  while (!open.empty()) {
    std::swap(open[below(random, static_cast<std::uint32_t>(open.size()))], open.back());
    const std::uint32_t node = open.back();
    open.pop_back();
    nodes.push_back(node);
    for (std::uint32_t child = families.first[node]; child < families.first[node + 1]; ++child) {
      open.push_back(families.children[child]);
    }
  }
  return nodes;
}

}  // namespace

std::string to_string(Shape shape) {
  constexpr const char* kNames[] = {"wide", "bushy", "binary", "chain", "mixed", "many_small"};
  return kNames[static_cast<std::size_t>(shape)];
}

Tree make_tree(Shape shape, std::uint32_t n) {
  switch (shape) {
    case Shape::wide:
      return regular(n, 1000);
    case Shape::bushy:
      return regular(n, 10);
    case Shape::binary:
      return regular(n, 2);
    case Shape::chain:
      return chains(n);
    case Shape::mixed:
      return random_recursive(n);
    case Shape::many_small:
      return small_trees(n);
  }
  return {};
}

Creation creation_of(const Tree& tree) {
  Creation creation{shuffled_nodes(tree), {}};
  const std::vector<std::uint32_t> turns = turns_of(creation);
  for (const std::uint32_t node : creation.nodes) {
    const std::uint32_t parent = tree.parents[node];
    creation.parents.push_back(parent == Tree::kNoParent ? parent : turns[parent]);
  }
  return creation;
}

std::vector<std::uint32_t> turns_of(const Creation& creation) {
  std::vector<std::uint32_t> turns(creation.nodes.size());
  for (std::uint32_t turn = 0; turn < turns.size(); ++turn) turns[creation.nodes[turn]] = turn;
  return turns;
}

namespace {

std::uint32_t size_of(const Tree& tree) {
  return static_cast<std::uint32_t>(tree.parents.size());
}

template <class Wanted>
NodeList nodes_that(const Tree& tree, Wanted wanted) {
  NodeList nodes;
  for (std::uint32_t node = 0; node < size_of(tree); ++node) {
    if (wanted(node)) nodes.push_back(node);
  }
  return nodes;
}

}  // namespace

ChildRanges::ChildRanges(const Tree& tree) : first(tree.parents.size() + 1) {
  const auto roots = std::count(tree.parents.begin(), tree.parents.end(), Tree::kNoParent);
  first[0] = static_cast<std::uint32_t>(roots);
  for (const std::uint32_t parent : tree.parents) {
    if (parent != Tree::kNoParent) ++first[parent + 1];
  }
  for (std::size_t node = 1; node < first.size(); ++node) first[node] += first[node - 1];
}

NodeList leaves_of(const Tree& tree) {
  const ChildRanges children(tree);
  return nodes_that(tree, [&](std::uint32_t node) {
    return children.is_leaf(node) && tree.parents[node] != Tree::kNoParent;
  });
}

NodeList inner_nodes_of(const Tree& tree) {
  const ChildRanges children(tree);
  return nodes_that(tree, [&](std::uint32_t node) { return !children.is_leaf(node); });
}

NodeList children_of(const Tree& tree) {
  return nodes_that(tree, [&](std::uint32_t node) { return tree.parents[node] != Tree::kNoParent; });
}

NodeList depths_of(const Tree& tree) {
  NodeList depths(tree.parents.size());
  for (std::uint32_t node = 0; node < size_of(tree); ++node) {
    const std::uint32_t parent = tree.parents[node];
    if (parent != Tree::kNoParent) depths[node] = depths[parent] + 1;
  }
  return depths;
}

NodeList subtree_sizes_of(const Tree& tree) {
  NodeList sizes(tree.parents.size(), 1);
  for (std::uint32_t node = size_of(tree); node-- > 0;) {
    const std::uint32_t parent = tree.parents[node];
    if (parent != Tree::kNoParent) sizes[parent] += sizes[node];
  }
  return sizes;
}

}  // namespace strata::bench
