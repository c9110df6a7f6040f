// Links: the parent, children and siblings of every node.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../core/compiler.hpp"
#include "../../core/entity.hpp"
#include "../../core/memory_use.hpp"
#include "../../query/matching/link_records.hpp"
#include "node_marks.hpp"
#include "policies.hpp"

namespace strata::detail {

/// How many nodes ahead of the current one a loop prefetches links and slots.
inline constexpr std::size_t kNodesAhead = 12;

/// The links of all entities of a world to their parents, siblings and children. An entity is called a node,
/// and is given by its slot index; callers have checked its handle. A family is the record of one node's
/// children: the first, the last, their number, and the branch of their rows (see Branches). The links take
/// 16 bytes for each entity, and 16 more for each family.
///
/// Invariants:
///   L1. A node's children form a doubly linked list, from its family's first to its last, of length `count`.
///       The parent of each is that node.
///   L2. A node has a family exactly if it has children, a branch for them, or a layout of its own.
///   L3. Following parents ends: there is no cycle.
class Links : public LinkRecords {
 public:
  // From LinkRecords: Node, Family and kNone.

  /// The most nodes, limited by the child count of a family.
  static constexpr std::uint32_t kMaxNodes = 1u << 28;

  explicit Links(std::pmr::memory_resource* memory) : LinkRecords(memory), marks_(memory) {}

  std::uint32_t parent(std::uint32_t node) const {
    return node < nodes_.size() ? nodes_[node].parent : kNone;
  }
  /// Like `parent`, without a bounds check.
  /// Contract: the node has a parent or children.
  std::uint32_t parent_of_linked(std::uint32_t node) const { return nodes_[node].parent; }
  std::uint32_t next_of_linked(std::uint32_t node) const { return nodes_[node].next; }
  std::uint32_t next(std::uint32_t node) const { return node < nodes_.size() ? nodes_[node].next : kNone; }
  std::uint32_t first_child(std::uint32_t node) const {
    const Family* family = find_family(node);
    return family != nullptr ? family->first : kNone;
  }
  std::uint32_t child_count(std::uint32_t node) const {
    const Family* family = find_family(node);
    return family != nullptr ? family->count : 0;
  }

  /// Returns: whether a node has a parent or a family.
  bool is_linked(std::uint32_t node) const {
    // Their bits are all set exactly if both are kNone.
    return node < nodes_.size() && (nodes_[node].parent & nodes_[node].family) != kNone;
  }
  bool has_family(std::uint32_t node) const { return node < nodes_.size() && nodes_[node].family != kNone; }
  using LinkRecords::find_family;
  Family* find_family(std::uint32_t node) {
    return const_cast<Family*>(static_cast<const LinkRecords*>(this)->find_family(node));
  }

  /// Returns: the family of a node.
  /// Contract: the node has a family.
  const Family& family_of(std::uint32_t node) const { return families_[nodes_[node].family]; }

  /// Returns: the family of a node, created if it has none.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Invalidates: references to other families.
  Family& get_family(std::uint32_t node) {
    Family* const family = find_family(node);
    return family != nullptr ? *family : add_family(node);
  }

  /// Reserves `count` more families, so that `get_family` cannot fail for nodes that `reserve` was called
  /// for.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve_families(std::size_t count);

  /// Removes a node's family.
  /// Contract: the node has no children, and the branch of the family has been dropped.
  void drop_family(std::uint32_t node) noexcept;

  /// Makes sure that the links of a node exist, so that `attach` cannot fail.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(std::uint32_t node) {
    if (node >= nodes_.size()) [[unlikely]]
      grow(node);
  }

  /// Reserves the links of `count` nodes from `first` on, whose slots are new, so that calls of
  /// `create_family` and `add_new` for them in ascending order cannot fail. The nodes are created together
  /// with their links: filling them before would be an additional pass.
  /// Errors: std::bad_alloc; no link has changed then.
  void reserve_new(std::uint32_t first, std::uint32_t count);

  /// Creates the nodes up to slot index `last`, without parents and children.
  /// Contract: they were reserved by `reserve_new`.
  void add_new(std::uint32_t last) noexcept {
    if (last >= nodes_.size())
      nodes_.resize(std::min<std::size_t>(nodes_.capacity(), std::size_t{last} + kStep));
  }

  /// Makes a node the last child of `parent`; `attach_before` makes it a sibling directly before `sibling`.
  /// Contract: both nodes were reserved; `node` has no parent; `parent` has a family and is not below `node`.
  /// Complexity: O(1).
  void attach(std::uint32_t node, std::uint32_t parent) noexcept {
    Family& family = families_[nodes_[parent].family];
    Node& link = nodes_[node];
    link.parent = parent;
    link.previous = family.last;
    (family.last != kNone ? nodes_[family.last].next : family.first) = node;
    family.last = node;
    ++family.count;
  }
  void attach_before(std::uint32_t node, std::uint32_t sibling) noexcept;

  /// Makes nodes the last children of `parent`, in their order.
  /// Contract: as `attach`, for each of them.
  /// Complexity: O(nodes).
  void attach_all(std::span<const Entity> nodes, std::uint32_t parent) noexcept;

  /// Gives `parent` a family of `count` children. `child_at(i)` returns the slot index of child i; `branch`
  /// is the branch of their rows.
  /// Contract: as `attach`, for each of them, but `parent` has no family yet and one was reserved.
  /// Complexity: O(children).
  template <class ChildAt>
  void create_family(std::uint32_t parent, std::uint32_t count, Layout layout, std::uint32_t branch,
                     ChildAt child_at) noexcept {
    const std::uint32_t last = child_at(count - 1);
    add_new(last);
    Family& family = create_family(parent);
    std::uint32_t node = child_at(0);
    family.first = node;
    family.last = last;
    family.count = count & (kMaxNodes - 1);
    family.layout = static_cast<std::uint32_t>(layout) & 3u;
    family.chooses_layout = 0;
    family.branch = branch;
    std::uint32_t previous = kNone;
    for (std::uint32_t i = 1; i <= count; ++i) {
      Node& link = nodes_[node];
      link.parent = parent;
      link.previous = std::exchange(previous, node);
      link.next = node = i < count ? child_at(i) : kNone;
    }
  }

  /// Removes a node from its parent, if it has one.
  /// Complexity: O(1).
  void detach(std::uint32_t node) noexcept {
    if (parent(node) == kNone) return;
    Node& link = nodes_[node];
    Family& family = families_[nodes_[link.parent].family];
    (link.previous != kNone ? nodes_[link.previous].next : family.first) = link.next;
    (link.next != kNone ? nodes_[link.next].previous : family.last) = link.previous;
    --family.count;
    link.parent = link.previous = link.next = kNone;
  }

  /// Moves a node from its parent to `parent`, as the last child. Equivalent to `detach` and `attach`.
  /// Contract: as `attach`, but the node has a parent.
  void move(std::uint32_t node, std::uint32_t parent) noexcept {
    Node& link = nodes_[node];
    Family& left = families_[nodes_[link.parent].family];
    Family& joined = families_[nodes_[parent].family];
    (link.previous != kNone ? nodes_[link.previous].next : left.first) = link.next;
    (link.next != kNone ? nodes_[link.next].previous : left.last) = link.previous;
    --left.count;
    (joined.last != kNone ? nodes_[joined.last].next : joined.first) = node;
    link = {parent, joined.last, kNone, link.family};
    joined.last = node;
    ++joined.count;
  }

  /// Reorders the children of a node.
  /// Contract: `order` holds each of them once.
  /// Complexity: O(children).
  void reorder(std::uint32_t node, std::span<const std::uint32_t> order) noexcept;

  /// Returns: whether `ancestor` is an ancestor of `node`.
  /// Complexity: O(depth).
  bool is_ancestor(std::uint32_t ancestor, std::uint32_t node) const;

  /// Returns: the node after `node` in a depth-first walk of the subtree of `root`, parents first; kNone at
  /// the end.
  /// Complexity: O(1) on average.
  std::uint32_t next_depth_first(std::uint32_t node, std::uint32_t root) const;

  /// Returns: the node after the whole subtree of `node` in a depth-first walk of the subtree of `root`;
  /// kNone at the end.
  std::uint32_t next_after_subtree(std::uint32_t node, std::uint32_t root) const;

  /// Turns the subtree of a node without a parent into one list, linked by `previous`. Deepest nodes come
  /// first, and every node comes before its parent. The list is only good for destroying the nodes. Calls
  /// `visit` for each node in the opposite order and stops when it returns false; visited nodes are linked by
  /// `next`.
  /// Returns: the first node of the list, which ends at `root`; kNone if `visit` stopped it.
  /// Complexity: O(subtree), without memory.
  template <class Visit>
  std::uint32_t unroll(std::uint32_t root, Visit visit) noexcept {
    // Each family's list is appended to the whole list by `next`, while the walk goes along it.
    std::uint32_t end = root;
    for (std::uint32_t node = root; node != kNone; node = nodes_[node].next) {
      if (!visit(node)) return kNone;
      const std::uint32_t family = nodes_[node].family;
      if (family == kNone || families_[family].first == kNone) continue;
      const std::uint32_t first = families_[family].first;
      nodes_[end].next = first;
      nodes_[first].previous = end;
      end = families_[family].last;
    }
    return end;
  }

  std::uint32_t previous(std::uint32_t node) const {
    return node < nodes_.size() ? nodes_[node].previous : kNone;
  }

  /// Clears a node's links. If the node has a family, calls `visit(const Family&)`, then removes the family.
  /// Does not update the links of its parent, siblings and children: the caller has to clear or detach them,
  /// too.
  template <class Visit>
  void clear(std::uint32_t node, Visit visit) noexcept {
    if (node >= nodes_.size()) return;
    const std::uint32_t family = std::exchange(nodes_[node], Node()).family;
    if (family == kNone) return;
    visit(std::as_const(families_[family]));
    free_family(family);
  }

  /// Marks the nodes of a subtree. Follows only links to parents, so `unroll` may have changed the others.
  /// Returns: the marks.
  /// Complexity: O(nodes of the world), without memory.
  const NodeMarks& mark_subtree(std::uint32_t root) noexcept {
    marks_.mark_subtree(root, size(), [this](std::uint32_t node) { return nodes_[node].parent; });
    return marks_;
  }

  /// Removes all marked nodes and clears the marks. Calls `visit(const Family&)` for each of their families
  /// before.
  /// Complexity: O(nodes of the world).
  template <class Visit>
  void clear_marked(Visit visit) noexcept {
    // Families are collected first, without a branch per node, so that memory accesses are independent.
    std::array<std::uint32_t, 64> families;
    for (std::uint32_t end = size(); end != 0;) {
      const std::uint32_t begin = end - std::min<std::uint32_t>(end, families.size());
      std::size_t count = 0;
      for (; end != begin; --end) {
        if (!marks_.is_marked(end - 1)) continue;
        families[count] = nodes_[end - 1].family;
        count += families[count] != kNone ? 1 : 0;
        nodes_[end - 1] = Node();
      }
      for (std::size_t i = 0; i < count; ++i) {
        visit(std::as_const(families_[families[i]]));
        free_family(families[i]);
      }
    }
    marks_.clear();
  }

  /// Prefetches the links of a node.
  void prefetch(std::uint32_t node) const {
    if (node < nodes_.size()) prefetch_to_read(&nodes_[node]);
  }
  /// Prefetch the family of a node, which reads the node; or the links of its first child, which also reads
  /// the family.
  void prefetch_family(std::uint32_t node) const {
    if (const Family* const family = find_family(node)) prefetch_to_read(family);
  }
  void prefetch_first_child(std::uint32_t node) const { prefetch(first_child(node)); }

  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }

  MemoryUse memory_use() const {
    return memory_use_of(nodes_) + memory_use_of(families_) + marks_.memory_use();
  }

  /// Frees the memory behind the last linked node and the last family in use.
  /// Invalidates: references to families.
  /// Complexity: O(nodes + families).
  void shrink() noexcept;

  std::string check_invariants() const;

 private:
  /// How many nodes `add_new` adds at a time: few enough to be in the nearest cache when their links are
  /// written.
  static constexpr std::size_t kStep = 256;

  void grow(std::uint32_t node);
  void free_family(std::uint32_t family) noexcept {
    families_[family] = Family();
    families_[family].first = std::exchange(first_free_, family);
  }
  Family& create_family(std::uint32_t node) noexcept {
    if (first_free_ != kNone) return recycle_family(node);
    nodes_[node].family = static_cast<std::uint32_t>(families_.size());
    return families_.emplace_back();
  }
  Family& recycle_family(std::uint32_t node) noexcept;
  Family& add_family(std::uint32_t node);
  std::string check_family(std::uint32_t node) const;

  NodeMarks marks_;                   // Sized for all nodes; marks exist only while a subtree is destroyed.
  std::uint32_t first_free_ = kNone;  // Free families are linked by `first`.
};

}  // namespace strata::detail
