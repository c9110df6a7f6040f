#include "links.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "../../core/reserve.hpp"

namespace strata::detail {

Links::Family& Links::add_family(std::uint32_t node) {
  reserve(node);
  if (first_free_ == kNone) reserve_one(families_);
  return create_family(node);
}

Links::Family& Links::recycle_family(std::uint32_t node) noexcept {
  nodes_[node].family = first_free_;
  first_free_ = families_[first_free_].first;
  return families_[nodes_[node].family] = Family();
}

void Links::reserve_families(std::size_t count) {
  // Free elements of `families_`, which could be used first, are not counted, so there may be more room than
  // needed.
  const std::size_t wanted = families_.size() + count;
  if (wanted > families_.capacity()) families_.reserve(std::max(wanted, families_.size() * 2 + 8));
}

void Links::drop_family(std::uint32_t node) noexcept {
  free_family(std::exchange(nodes_[node].family, kNone));
}

void Links::grow(std::uint32_t node) {
  const std::size_t size = std::max<std::size_t>(16, std::bit_ceil(std::size_t{node} + 1));
  marks_.reserve(size);
  nodes_.resize(size);
}

void Links::shrink() noexcept {
  const auto is_linked = [](const Node& node) { return node.parent != kNone || node.family != kNone; };
  while (!nodes_.empty() && !is_linked(nodes_.back())) nodes_.pop_back();
  nodes_.shrink_to_fit();
  marks_.shrink(nodes_.capacity());
  std::uint32_t used = 0;
  for (const Node& node : nodes_) {
    if (node.family != kNone) used = std::max(used, node.family + 1);
  }
  for (std::uint32_t* free = &first_free_; *free != kNone;) {
    if (*free < used) {
      free = &families_[*free].first;
    } else {
      *free = families_[*free].first;
    }
  }
  families_.resize(used);
  families_.shrink_to_fit();
}

void Links::reserve_new(std::uint32_t first, std::uint32_t count) {
  const std::size_t wanted = std::size_t{first} + count;
  if (wanted > nodes_.capacity()) nodes_.reserve(std::max(wanted, nodes_.size() * 2));
  marks_.reserve(nodes_.capacity());
  if (first > nodes_.size()) nodes_.resize(first);
}

void Links::attach_before(std::uint32_t node, std::uint32_t sibling) noexcept {
  Node& link = nodes_[node];
  Node& after = nodes_[sibling];
  Family& family = families_[nodes_[after.parent].family];
  link.parent = after.parent;
  link.previous = after.previous;
  link.next = sibling;
  (after.previous != kNone ? nodes_[after.previous].next : family.first) = node;
  after.previous = node;
  ++family.count;
}

void Links::attach_all(std::span<const Entity> nodes, std::uint32_t parent) noexcept {
  if (nodes.empty()) return;
  Family& family = families_[nodes_[parent].family];
  std::uint32_t previous = family.last;
  std::uint32_t node = nodes.front().index();
  (previous != kNone ? nodes_[previous].next : family.first) = node;
  for (std::size_t i = 1; i <= nodes.size(); ++i) {
    Node& link = nodes_[node];
    link.parent = parent;
    link.previous = std::exchange(previous, node);
    link.next = node = i < nodes.size() ? nodes[i].index() : kNone;
  }
  family.last = previous;
  family.count = (family.count + static_cast<std::uint32_t>(nodes.size())) & (kMaxNodes - 1);
}

std::size_t Links::attach_unchecked(std::span<const std::uint32_t> nodes, std::uint32_t parent) noexcept {
  Family& family = families_[nodes_[parent].family];
  const std::uint32_t known = size();
  std::uint32_t previous = family.last;
  std::size_t count = 0;
  for (const std::uint32_t node : nodes) {
    if (node >= known || node == parent || nodes_[node].parent != kNone) break;
    nodes_[node].parent = parent;
    nodes_[node].previous = previous;
    (previous != kNone ? nodes_[previous].next : family.first) = node;
    previous = node;
    ++count;
  }
  family.last = previous;
  family.count = (family.count + static_cast<std::uint32_t>(count)) & (kMaxNodes - 1);
  return count;
}

void Links::reorder(std::uint32_t node, std::span<const std::uint32_t> order) noexcept {
  if (order.empty()) return;
  for (std::size_t i = 0; i < order.size(); ++i) {
    nodes_[order[i]].previous = i != 0 ? order[i - 1] : kNone;
    nodes_[order[i]].next = i + 1 < order.size() ? order[i + 1] : kNone;
  }
  Family& family = families_[nodes_[node].family];
  family.first = order.front();
  family.last = order.back();
}

bool Links::walk_finds(std::uint32_t ancestor, std::uint32_t node) const {
  std::uint32_t at = parent(node);
  while (at != kNone && at != ancestor) at = nodes_[at].parent;
  return at == ancestor;
}

std::uint32_t Links::next_depth_first(std::uint32_t node, std::uint32_t root) const {
  if (const std::uint32_t child = first_child(node); child != kNone) return child;
  return next_after_subtree(node, root);
}

std::uint32_t Links::next_after_subtree(std::uint32_t node, std::uint32_t root) const {
  // `node` becomes kNone (the parent of a root) only if the entity has left the subtree of `root` since the caller's
  // walk came to it.
  for (; node != root && node != kNone; node = nodes_[node].parent) {
    if (nodes_[node].next != kNone) return nodes_[node].next;
  }
  return kNone;
}

std::string Links::check_family(std::uint32_t node) const {
  const Family& family = families_[nodes_[node].family];
  std::uint32_t count = 0;
  std::uint32_t previous = kNone;
  for (std::uint32_t child = family.first; child != kNone; child = nodes_[child].next) {
    if (nodes_[child].parent != node || nodes_[child].previous != previous || ++count > family.count) {
      return "L1: the chain of children of slot " + std::to_string(node) + " is broken";
    }
    previous = child;
  }
  if (family.last != previous || family.count != count) {
    return "L1: the end or the count of the children of slot " + std::to_string(node) + " is wrong";
  }
  if (count == 0 && family.branch == kNone && family.chooses_layout == 0) {
    return "L2: a family has neither children nor a branch nor a layout";
  }
  return "";
}

void Links::assign(const Links& other) {
  marks_.reserve(other.nodes_.size());
  families_.reserve(other.families_.size());
  nodes_.assign(other.nodes_);
  families_.assign(other.families_);
  first_free_ = other.first_free_;
}

std::string Links::check_invariants() const {
  std::size_t with_parent = 0;
  std::size_t children = 0;
  for (std::uint32_t node = 0; node < size(); ++node) {
    if (nodes_[node].parent != kNone) ++with_parent;
    if (nodes_[node].family == kNone) continue;
    if (std::string complaint = check_family(node); !complaint.empty()) return complaint;
    children += child_count(node);
  }
  if (children != with_parent) return "L1: a node with a parent is not in that parent's chain";

  // Counts the entities at and below all roots. Entities on a cycle of parents, or below one, are below no root. So the
  // count is too small if there is a cycle.
  std::size_t reached = 0;
  for (std::uint32_t root = 0; root < size(); ++root) {
    if (nodes_[root].parent != kNone) continue;
    for (std::uint32_t node = root; node != kNone && reached <= size(); node = next_depth_first(node, root)) {
      ++reached;
    }
  }
  return reached == size() ? "" : "L3: following parents does not end";
}

}  // namespace strata::detail
