#include "forest_order.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "../../core/contract.hpp"

namespace strata::detail {
namespace {

using Indices = std::span<const std::uint32_t>;

/// The number of steps along a node's list of children that are made without testing for the end of the list. Most
/// nodes have few children, and a mispredicted jump costs more than two unnecessary steps.
constexpr int kBlindSteps = 2;

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

/// Returns: a message about the first node whose parent index is neither kNoParent nor the index of another
/// node.
/// Contract: there is such a node.
std::string describe_bad_parent(Indices parents) {
  std::uint32_t node = 0;
  while (parents[node] == kNoParent || (parents[node] < parents.size() && parents[node] != node)) ++node;
  const std::string name = "node " + std::to_string(node);
  if (parents[node] == node) return name + " is its own parent";
  return name + ": its parent " + std::to_string(parents[node]) + " is not one of the " +
         std::to_string(parents.size()) + " nodes";
}

/// Returns: a message about one cycle of nodes. `reached` holds the roots and the nodes below them.
/// Contract: some node is missing in `reached`. Following parents from that node leads to a cycle.
std::string describe_cycle(Indices parents, Indices reached) {
  constexpr std::size_t kMostNamed = 8;
  std::vector<bool> seen(parents.size());
  for (const std::uint32_t node : reached) seen[node] = true;
  std::uint32_t node = 0;
  while (seen[node]) ++node;
  for (; !seen[node]; node = parents[node]) seen[node] = true;
  // The walk has come to a node for the second time, so that node is on the cycle. Find the node of the cycle with the
  // lowest index: the message starts with it.
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
    : size_(static_cast<std::uint32_t>(parents.size())), nodes_(memory), families_(memory) {
  STRATA_EXPECTS(parents.size() < kNoParent, "a forest has fewer than " + std::to_string(kNoParent) +
                                                 " nodes, and this one has " +
                                                 std::to_string(parents.size()));
  if (is_breadth_first(parents)) {
    take_as_given(parents);
  } else {
    sort(parents);
  }
}

void ForestOrder::take_as_given(Indices parents) {
  while (root_count_ < size_ && parents[root_count_] == kNoParent) ++root_count_;
  for (std::uint32_t node = root_count_; node < size_; ++node) {
    family_count_ += node == root_count_ || parents[node] != parents[node - 1] ? 1 : 0;
  }
  families_.allocate(family_count_);
  std::uint32_t child = root_count_;
  for (std::size_t family = 0; family < family_count_; ++family) {
    const std::uint32_t parent = parents[child];
    while (child < size_ && parents[child] == parent) ++child;
    families_[family] = {parent, child};
  }
}

/// Finds the breadth-first order of nodes that are given in another order: makes a linked list of the children of each
/// node, then walks the nodes depth by depth. If a parent index is neither kNoParent nor that of another node, or if
/// the parents form a cycle, sets `refusal_` to the reason.
void ForestOrder::sort(Indices parents) {
  auto* const memory = nodes_.memory();
  // Each linked list (of roots, or of the children of one node) ends at an extra node, `none`. The next node of `none`
  // is `none` itself, so steps beyond the end of a list stay there.
  const std::uint32_t none = size_;
  ScratchArray<std::uint32_t> first(parents.size(), memory);
  ScratchArray<std::uint32_t> next(parents.size() + 1, memory);
  std::fill_n(first.data(), size_, none);
  next[none] = none;
  std::uint32_t first_root = none;
  for (std::uint32_t node = size_; node-- > 0;) {
    const std::uint32_t parent = parents[node];
    if (parent >= size_ || parent == node) [[unlikely]] {
      if (parent != kNoParent) {
        refusal_ = describe_bad_parent(parents);
        return;
      }
      next[node] = std::exchange(first_root, node);
    } else {
      family_count_ += first[parent] == none ? 1 : 0;
      next[node] = std::exchange(first[parent], node);
    }
  }
  // To avoid conditional jumps, `walk` writes to the next element of an array even if there is no child or no family to
  // write there. The next write overwrites that element. The last one may lie after the results, so each array has one
  // element more than the results need.
  nodes_.allocate(parents.size() + 1);
  families_.allocate(std::size_t{family_count_} + 1);
  const std::uint32_t reached = walk(first_root, first.data(), next.data());
  if (reached < size_) refusal_ = describe_cycle(parents, {nodes_.data(), reached});
}

/// Writes the nodes that can be reached from the roots to `nodes_` in breadth-first order, and the number of roots to
/// `root_count_`. For each of these nodes that has children, writes a Family to `families_`. The input is linked lists:
/// the list of roots starts at `first_root`, the list of the children of node i starts at `first[i]`, and the node
/// after node i in its list is `next[i]`. `size_` stands for "no node".
/// Returns: the number of nodes reached.
std::uint32_t ForestOrder::walk(std::uint32_t first_root, const std::uint32_t* first,
                                const std::uint32_t* next) {
  const std::uint32_t none = size_;
  std::uint32_t* const nodes = nodes_.data();
  std::uint32_t reached = 0;
  for (std::uint32_t root = first_root; root != none; root = next[root]) nodes[reached++] = root;
  root_count_ = reached;
  Family* family = families_.data();
  for (std::uint32_t position = 0; position < reached; ++position) {
    std::uint32_t child = first[nodes[position]];
    const bool has_children = child != none;
    for (int step = 0; step < kBlindSteps; ++step) {
      nodes[reached] = child;
      reached += child != none ? 1 : 0;
      child = next[child];
    }
    for (; child != none; child = next[child]) nodes[reached++] = child;
    *family = {position, reached};
    family += has_children ? 1 : 0;
  }
  return reached;
}

}  // namespace strata::detail
