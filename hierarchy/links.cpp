#include "links.hpp"

#include <algorithm>

#include "../core/reserve.hpp"

namespace strata {

Links::Family& Links::get_family(std::uint32_t node) {
  reserve(node);
  if (nodes_[node].family == kNone) {
    if (first_free_ == kNone) {
      detail::reserve_one(families_);
      nodes_[node].family = static_cast<std::uint32_t>(families_.size());
      families_.emplace_back();
    } else {
      nodes_[node].family = first_free_;
      first_free_ = families_[first_free_].first;
      families_[nodes_[node].family] = Family();
    }
  }
  return families_[nodes_[node].family];
}

void Links::drop_family(std::uint32_t node) noexcept {
  const std::uint32_t family = nodes_[node].family;
  families_[family] = Family();
  families_[family].first = first_free_;
  first_free_ = family;
  nodes_[node].family = kNone;
}

void Links::grow(std::uint32_t node) {
  nodes_.resize(std::max<std::size_t>(node + 1, nodes_.size() * 2));
}

void Links::attach(std::uint32_t node, std::uint32_t parent, std::uint32_t before) noexcept {
  Family& family = families_[nodes_[parent].family];
  Node& link = nodes_[node];
  link.parent = parent;
  link.next = before;
  if (family.first == kNone) {
    family.first = link.previous = node;
  } else {
    const std::uint32_t after = before != kNone ? before : family.first;  // The last precedes the first.
    link.previous = nodes_[after].previous;
    nodes_[after].previous = node;
    (before == family.first ? family.first : nodes_[link.previous].next) = node;
  }
  ++family.count;
}

void Links::detach(std::uint32_t node) noexcept {
  if (node >= nodes_.size() || nodes_[node].parent == kNone) return;
  Node& link = nodes_[node];
  Family& family = families_[nodes_[link.parent].family];
  const std::uint32_t after = link.next != kNone ? link.next : family.first;
  nodes_[after].previous = link.previous;
  (family.first == node ? family.first : nodes_[link.previous].next) = link.next;
  --family.count;
  link.parent = link.previous = link.next = kNone;
}

void Links::reorder(std::uint32_t node, std::span<const std::uint32_t> order) noexcept {
  if (order.empty()) return;
  std::uint32_t previous = order.back();
  for (std::size_t i = 0; i < order.size(); ++i) {
    nodes_[order[i]].previous = previous;
    nodes_[order[i]].next = i + 1 < order.size() ? order[i + 1] : kNone;
    previous = order[i];
  }
  families_[nodes_[node].family].first = order.front();
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
  return next_after_subtree(node, root);
}

std::uint32_t Links::next_after_subtree(std::uint32_t node, std::uint32_t root) const {
  for (; node != root; node = nodes_[node].parent) {
    if (nodes_[node].next != kNone) return nodes_[node].next;
  }
  return kNone;
}

std::uint32_t Links::unroll(std::uint32_t root) noexcept {
  if (root >= nodes_.size()) return root;
  // Breadth-first: each family's chain is hung on the end of what there is, by `next` while walking.
  std::uint32_t end = root;
  for (std::uint32_t node = root; node != kNone; node = nodes_[node].next) {
    const std::uint32_t first = first_child(node);
    if (first == kNone) continue;
    const std::uint32_t last = nodes_[first].previous;
    nodes_[end].next = first;
    nodes_[first].previous = end;
    end = last;
  }
  return end;
}

std::string Links::check_family(std::uint32_t node) const {
  const Family& family = families_[nodes_[node].family];
  std::uint32_t count = 0;
  std::uint32_t last = kNone;
  for (std::uint32_t child = family.first; child != kNone; child = nodes_[child].next) {
    const bool linked_back = last == kNone || nodes_[child].previous == last;
    if (nodes_[child].parent != node || !linked_back || ++count > family.count) {
      return "L1: the chain of children of slot " + std::to_string(node) + " is broken";
    }
    last = child;
  }
  if (family.count != count || (count != 0 && nodes_[family.first].previous != last)) {
    return "L1: the end or the count of the children of slot " + std::to_string(node) + " is wrong";
  }
  if (count == 0 && family.branch == nullptr && family.chooses_layout == 0) {
    return "L2: a family has neither children nor a branch nor a layout";
  }
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
