#include "forest_order.hpp"

#include <algorithm>
#include <numeric>

#include "../core/contract.hpp"

namespace strata {
namespace {

using Indices = std::span<const std::uint32_t>;

/// What children are sorted by: 0 for roots, whose parent wraps around, and the parent + 1 for others.
constexpr std::uint32_t key_of(std::uint32_t parent) {
  return parent + 1;
}

bool is_breadth_first(Indices parents) {
  std::uint32_t least = 0;
  std::uint32_t i = 0;
  while (i < parents.size() && parents[i] == kNoParent) ++i;
  for (; i < parents.size(); ++i) {
    if (parents[i] < least || parents[i] >= i) return false;
    least = parents[i];
  }
  return true;
}

/// Returns: the first bad parent of a forest that has one.
std::string describe_bad_parent(Indices parents) {
  std::uint32_t node = 0;
  while (parents[node] == kNoParent || (parents[node] < parents.size() && parents[node] != node)) ++node;
  const std::string name = "node " + std::to_string(node);
  if (parents[node] == node) return name + " is its own parent";
  return name + ": its parent " + std::to_string(parents[node]) + " is not one of the " +
         std::to_string(parents.size()) + " nodes";
}

/// Returns: the cycle that the lowest of the nodes which no root leads to hangs on.
std::string describe_cycle(Indices parents, Indices reached) {
  constexpr std::size_t kMostNamed = 8;
  std::vector<bool> seen(parents.size());
  for (const std::uint32_t node : reached) seen[node] = true;
  std::uint32_t node = 0;
  while (seen[node]) ++node;
  for (; !seen[node]; node = parents[node]) seen[node] = true;
  // The walk met a node again, so this one is on the cycle; it is told from its lowest node on.
  std::uint32_t lowest = node;
  std::size_t length = 1;
  for (std::uint32_t above = parents[node]; above != node; above = parents[above], ++length) {
    lowest = std::min(lowest, above);
  }
  std::string names;
  std::uint32_t named = lowest;
  for (std::size_t i = 0; i < std::min(length, kMostNamed); ++i, named = parents[named]) {
    names += (i == 0 ? "" : ", ") + std::to_string(named);
  }
  if (length > kMostNamed) names += ", ...";
  return "nodes " + names + " form a cycle of " + std::to_string(length) +
         ": each is followed by its parent, the last by node " + std::to_string(lowest);
}

}  // namespace

ForestOrder::ForestOrder(Indices parents, std::pmr::memory_resource* memory)
    : size_(static_cast<std::uint32_t>(parents.size())), nodes_(memory), first_children_(memory) {
  STRATA_EXPECTS(parents.size() < kNoParent, "a forest has less than 4,294,967,295 nodes");
  first_children_.resize(parents.size() + 1);
  if (is_breadth_first(parents)) {
    take_as_given(parents);
  } else {
    sort(parents);
  }
}

void ForestOrder::take_as_given(Indices parents) {
  const auto first = std::find_if(parents.begin(), parents.end(), [](auto p) { return p != kNoParent; });
  auto child = static_cast<std::uint32_t>(first - parents.begin());
  for (std::uint32_t position = 0; position < size_; ++position) {
    first_children_[position] = child;
    if (child == size_ || parents[child] != position) continue;
    ++family_count_;
    while (child < size_ && parents[child] == position) ++child;
  }
  first_children_[size_] = child;
}

/// A counting sort by parent finds the children of every node; a walk from the roots, their order.
void ForestOrder::sort(Indices parents) {
  auto* const memory = nodes_.get_allocator().resource();
  std::pmr::vector<std::uint32_t> begins(parents.size() + 3, 0, memory);
  for (std::uint32_t node = 0; node < size_; ++node) {
    const std::uint32_t key = key_of(parents[node]);
    if (key > size_ || key == key_of(node)) [[unlikely]] {
      refusal_ = describe_bad_parent(parents);
      return;
    }
    ++begins[key + 2];
  }
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  // Where a key's children begin is held one place ahead, and moves to where they end.
  std::pmr::vector<std::uint32_t> children(parents.size(), memory);
  for (std::uint32_t node = 0; node < size_; ++node) children[begins[key_of(parents[node]) + 1]++] = node;
  walk(begins, children);
  if (nodes_.size() < size_) refusal_ = describe_cycle(parents, nodes_);
}

/// The children of a key are those in [begins[key], begins[key + 1]).
void ForestOrder::walk(Indices begins, Indices children) {
  std::uint32_t reached = 0;
  const auto reach_children = [&](std::uint32_t key) {
    const std::uint32_t end = begins[key + 1];
    for (std::uint32_t i = begins[key]; i < end; ++i) nodes_[reached++] = children[i];
  };
  nodes_.resize(size_);
  reach_children(key_of(kNoParent));
  std::uint32_t position = 0;
  for (; position < reached; ++position) {
    const std::uint32_t first = reached;
    first_children_[position] = first;
    reach_children(key_of(nodes_[position]));
    family_count_ += reached != first ? 1 : 0;
  }
  first_children_[position] = reached;
  nodes_.resize(reached);
}

}  // namespace strata
