#include "links.hpp"

#include <algorithm>

namespace strata {

Links::Family& Links::get_family(std::uint32_t node) {
  reserve(node);
  if (nodes_[node].family == kNone) {
    if (free_families_.empty()) {
      // Room in the free list for every family there is, so that dropping one cannot throw.
      if (families_.size() == families_.capacity()) {
        free_families_.reserve(families_.size() * 2 + 8);
        families_.reserve(families_.size() * 2 + 8);
      }
      nodes_[node].family = static_cast<std::uint32_t>(families_.size());
      families_.emplace_back();
    } else {
      nodes_[node].family = free_families_.back();
      free_families_.pop_back();
    }
  }
  return families_[nodes_[node].family];
}

void Links::drop_family(std::uint32_t node) noexcept {
  const std::uint32_t family = nodes_[node].family;
  families_[family] = Family();
  free_families_.push_back(family);
  nodes_[node].family = kNone;
}

void Links::grow(std::uint32_t node) {
  nodes_.resize(std::max<std::size_t>(node + 1, nodes_.size() * 2));
}

void Links::attach(std::uint32_t node, std::uint32_t parent) noexcept {
  Family& family = families_[nodes_[parent].family];
  nodes_[node].parent = parent;
  nodes_[node].previous = family.last;
  nodes_[node].next = kNone;
  (family.last != kNone ? nodes_[family.last].next : family.first) = node;
  family.last = node;
  ++family.count;
}

void Links::detach(std::uint32_t node) noexcept {
  if (node >= nodes_.size() || nodes_[node].parent == kNone) return;
  Node& link = nodes_[node];
  Family& family = families_[nodes_[link.parent].family];
  (link.previous != kNone ? nodes_[link.previous].next : family.first) = link.next;
  (link.next != kNone ? nodes_[link.next].previous : family.last) = link.previous;
  --family.count;
  link.parent = link.previous = link.next = kNone;
}

bool Links::is_ancestor(std::uint32_t ancestor, std::uint32_t node) const {
  // A node without children is nobody's ancestor: the most frequent case needs no walk.
  if (first_child(ancestor) == kNone) return false;
  std::uint32_t at = parent(node);
  while (at != kNone && at != ancestor) at = nodes_[at].parent;
  return at == ancestor;
}

std::uint32_t Links::next_depth_first(std::uint32_t node, std::uint32_t root) const {
  if (const std::uint32_t child = first_child(node); child != kNone) return child;
  for (; node != root; node = nodes_[node].parent) {
    if (nodes_[node].next != kNone) return nodes_[node].next;
  }
  return kNone;
}

std::uint32_t Links::first_leaf(std::uint32_t node) const {
  for (std::uint32_t child = first_child(node); child != kNone; child = first_child(node)) node = child;
  return node;
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
  if (count == 0 && family.branch == nullptr) return "L2: a family has neither children nor a branch";
  return "";
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

  // A walk down from all roots reaches everything exactly when there is no cycle.
  std::size_t reached = 0;
  for (std::uint32_t root = 0; root < size(); ++root) {
    if (nodes_[root].parent != kNone) continue;
    for (std::uint32_t node = root; node != kNone && reached <= size(); node = next_depth_first(node, root)) {
      ++reached;
    }
  }
  return reached == size() ? "" : "L3: following parents does not end";
}

}  // namespace strata
