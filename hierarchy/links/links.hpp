// Links: the links of every entity to its parent, children and siblings.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <utility>

#include "../../core/compiler.hpp"
#include "../../core/entity.hpp"
#include "../../core/memory_use.hpp"
#include "../../query/matching/link_records.hpp"
#include "node_marks.hpp"
#include "policies.hpp"

namespace strata::detail {

/// Loops over entities prefetch the links or the slot of the entity that comes this many entities later.
inline constexpr std::size_t kNodesAhead = 12;

/// The links of all entities of a world to their parents, siblings and children. An entity is called a node here, and
/// is given by its slot index (Entity::index); callers have checked that its handle is valid. A family is the record of
/// one node's children: the first, the last, their number, and the set of tables in which their rows are (see
/// Branches). The links take 16 bytes for each entity, and 16 more for each family.
///
/// Invariants:
///   L1. A node's children form a doubly linked list, from `first` to `last` of the node's family, of length `count`.
///       The parent of each child is that node.
///   L2. A node has a family exactly if it has children, a set of tables for them, or a layout of its own (see
///       World::set_layout).
///   L3. Following parents ends: there is no cycle.
class Links : public LinkRecords {
 public:
  // Inherits the types Node and Family and the constant kNone, which stands for "no node", from LinkRecords.

  /// The greatest number of nodes of a world. A family stores the number of its children in 28 bits, so it counts at
  /// most 2^28 - 1 children: just enough if one node is the parent of all others.
  static constexpr std::uint32_t kMaxNodes = 1u << 28;

  explicit Links(std::pmr::memory_resource* memory) : LinkRecords(memory), marks_(memory) {}

  std::uint32_t parent(std::uint32_t node) const {
    return node < nodes_.size() ? nodes_[node].parent : kNone;
  }
  /// `parent_of_linked` returns the parent of a node, `next_of_linked` its next sibling; kNone if there is none. There
  /// is no bounds check.
  /// Contract: the node has a parent or children, so it has an element in `nodes_`.
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

  /// Returns: whether a node has a parent or a family (a record of its children, see Family).
  bool is_linked(std::uint32_t node) const {
    // The bits of kNone are all set, so the result of & is kNone only if both are kNone.
    return node < nodes_.size() && (nodes_[node].parent & nodes_[node].family) != kNone;
  }
  bool has_family(std::uint32_t node) const { return node < nodes_.size() && nodes_[node].family != kNone; }
  using LinkRecords::find_family;
  Family* find_family(std::uint32_t node) {
    return const_cast<Family*>(static_cast<const LinkRecords*>(this)->find_family(node));
  }

  /// Returns: the record of a node's children.
  /// Contract: the node has such a record.
  const Family& family_of(std::uint32_t node) const { return families_[nodes_[node].family]; }

  /// Returns: the record of a node's children; creates an empty one if the node has none.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Invalidates: references to the records of other nodes, if a record is created.
  Family& get_family(std::uint32_t node) {
    Family* const family = find_family(node);
    return family != nullptr ? *family : add_family(node);
  }

  /// Reserves memory for `count` more families, so that the next `count` calls of `get_family` that create a family
  /// cannot fail. Memory for the links of the nodes is reserved separately, by `reserve`.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve_families(std::size_t count);

  /// Removes the record of a node's children.
  /// Contract: the node has such a record but no children. If there were tables for the rows of its children alone,
  /// they have been dropped.
  void drop_family(std::uint32_t node) noexcept;

  /// Makes sure that there is memory for the links of a node, so that `attach` cannot fail.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(std::uint32_t node) {
    if (node >= nodes_.size()) [[unlikely]]
      grow(node);
  }

  /// Reserves memory for the links of `count` nodes from `first` on, which are new. After that, calls of
  /// `create_family` and `add_new` for these nodes, in ascending order, cannot fail if `reserve_families` was called,
  /// too. `reserve_new` does not initialise the links, because `create_family` and `add_new` do: doing it here would be
  /// an additional pass over memory.
  /// Errors: std::bad_alloc; no link has changed then.
  void reserve_new(std::uint32_t first, std::uint32_t count);

  /// Initialises the links of new nodes up to slot index `last` to "no parent, no children". Does nothing if the links
  /// of node `last` are initialised already. Otherwise also initialises some nodes after it (see kStep), as far as
  /// there is memory, so that most calls do nothing.
  /// Contract: `reserve_new` has reserved memory for the links up to `last`.
  void add_new(std::uint32_t last) noexcept {
    if (last >= nodes_.size())
      nodes_.resize(std::min<std::size_t>(nodes_.capacity(), std::size_t{last} + kStep));
  }

  /// `attach` makes `node` the last child of `parent`; `attach_before` makes it the sibling directly before
  /// `sibling`, which has a parent.
  /// Contract: `reserve` was called for `node` and for its new parent. `node` has no parent yet. The new parent has a
  /// family, and is neither `node` nor below it.
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

  /// Appends `nodes` to the children of `parent`, in the order of the span. Does nothing if `nodes` is empty.
  /// Contract: `reserve` or `add_new` was called for all nodes and for `parent`. The nodes have no parents. `parent`
  /// has a family, and is neither one of the nodes nor below one of them.
  /// Complexity: O(nodes).
  void attach_all(std::span<const Entity> nodes, std::uint32_t parent) noexcept;

  /// Does what `attach_all` does, for `nodes` that were read from a saved world and may be invalid. Stops before the
  /// first node that is not less than `size()`, has a parent, or is `parent`. Does not check whether `parent` is below
  /// one of the nodes, so the caller must look for cycles before it uses the links.
  /// Contract: `reserve` or `add_new` was called for `parent`, which has a family.
  /// Returns: how many nodes have become children.
  /// Complexity: O(nodes).
  std::size_t attach_unchecked(std::span<const std::uint32_t> nodes, std::uint32_t parent) noexcept;

  /// Creates a family for `parent`, with `count` children; `count` is at least 1. `child_at(i)` returns the slot index
  /// of child i. `layout` and `branch` say in which tables the children's rows are stored (see FamilyRows).
  /// Contract: memory was reserved for the links of `parent` and the children (`reserve` or `reserve_new`) and for one
  /// more family (`reserve_families`). If some children are new (`reserve_new`), the last child is the new one with the
  /// highest index. The children have no parents. `parent` has no family and is not below any of them.
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

  /// Makes a node a root: removes the node from the children of its parent. Does nothing if the node has no parent.
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

  /// Makes `node`, which already has a parent, the last child of `parent`. Has the same result as `detach` and then
  /// `attach`.
  /// Contract: `node` has a parent. `parent` has a family (a record of its children), and is not `node` or below it.
  /// Complexity: O(1).
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

  /// Puts the children of a node into the order of `order`, a list of their slot indices.
  /// Contract: `order` holds each of the children once.
  /// Complexity: O(children).
  void reorder(std::uint32_t node, std::span<const std::uint32_t> order) noexcept;

  /// Returns: whether `ancestor` is an ancestor of `node`; false if both are the same node.
  /// Complexity: O(depth).
  bool is_ancestor(std::uint32_t ancestor, std::uint32_t node) const {
    // An entity without children is not an ancestor. This is the most frequent case and needs no walk.
    return first_child(ancestor) != kNone && walk_finds(ancestor, node);
  }

  /// Returns: the node that follows `node` in a depth-first walk of `root` and the nodes below it, parents
  /// first; kNone if `node` is the last one.
  /// Complexity: O(1) on average.
  STRATA_API std::uint32_t next_depth_first(std::uint32_t node, std::uint32_t root) const;

  /// Returns: the first node after the subtree of `node` in a depth-first walk of the subtree of `root`, parents first;
  /// kNone if the walk ends with the subtree of `node`.
  std::uint32_t next_after_subtree(std::uint32_t node, std::uint32_t root) const;

  /// Turns `root`, which has no parent, and all nodes below it into one list, so that the caller can destroy them
  /// without allocating memory. The list is linked by `previous`: the deepest nodes come first, and every node comes
  /// before its parent. Calls `visit` for each node in the opposite order, from `root` on. If `visit` returns false,
  /// stops there, and the list is incomplete. In both cases, the links between siblings are overwritten; links to
  /// parents stay valid, so `mark_subtree` still finds these nodes.
  /// Returns: the first node of the list, which ends at `root`; kNone if `visit` has returned false.
  /// Complexity: O(subtree); allocates nothing.
  template <class Visit>
  std::uint32_t unroll(std::uint32_t root, Visit visit) noexcept {
    // `next` links the nodes to one list, which the loop goes through from `root` on. It appends the children of each
    // node to the end of this list, so that it comes to them later.
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

  /// Clears a node's links. If the node has a family, calls `visit(const Family&)` before removing the family. Does not
  /// update the links of the node's parent, siblings and children: the caller has to clear or detach these nodes, too.
  template <class Visit>
  void clear(std::uint32_t node, Visit visit) noexcept {
    if (node >= nodes_.size()) return;
    const std::uint32_t family = std::exchange(nodes_[node], Node()).family;
    if (family == kNone) return;
    visit(std::as_const(families_[family]));
    free_family(family);
  }

  /// First calls `visit(const Family&)` for each family (the record of a node's children) and for each record that is
  /// free for a new family (it has no set of tables). Then clears the links of all nodes and removes all records.
  /// Complexity: O(families).
  template <class Visit>
  void clear_all(Visit visit) noexcept {
    for (const Family& family : families_) visit(family);  // Also for free records: they have no branch.
    nodes_.clear();
    families_.clear();
    first_free_ = kNone;
  }

  /// Marks `root` and all nodes below it. Follows only links to parents, so the function also works after `unroll`,
  /// which changes the other links.
  /// Contract: no node is marked; `clear_marked` has removed the marks of an earlier call.
  /// Returns: the marks.
  /// Complexity: O(nodes of the world); allocates nothing.
  const NodeMarks& mark_subtree(std::uint32_t root) noexcept {
    marks_.mark_subtree(root, size(), [this](std::uint32_t node) { return nodes_[node].parent; });
    return marks_;
  }

  /// Clears the links of all nodes that `mark_subtree` has marked, and then removes the marks. Calls
  /// `visit(const Family&)` for the record of each marked node's children (its Family) before the record is removed.
  /// Complexity: O(nodes of the world).
  template <class Visit>
  void clear_marked(Visit visit) noexcept {
    // First collects the records of children of up to 64 nodes, then visits them. The memory accesses in
    // these loops do not wait for each other.
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

  /// Prefetches the links of a node, so that a later access does not wait for memory.
  void prefetch(std::uint32_t node) const {
    if (node < nodes_.size()) prefetch_to_read(&nodes_[node]);
  }
  /// `prefetch_family` reads a node's links and prefetches its Family (the record of its children), if it has one.
  /// `prefetch_first_child` reads the links and the Family, and prefetches the links of the first child, if there is
  /// one.
  void prefetch_family(std::uint32_t node) const {
    if (const Family* const family = find_family(node)) prefetch_to_read(family);
  }
  void prefetch_first_child(std::uint32_t node) const { prefetch(first_child(node)); }

  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }

  /// Makes these links a copy of `other`.
  /// Errors: std::bad_alloc; the links are unchanged then.
  void assign(const Links& other);
  /// Exchanges the links of this object and `other`. Called on the links of the world when an earlier state, `other`,
  /// is restored. A branch (a set of tables) may have had another number then than it has now. So this function calls
  /// `number(Family&)` for each family that this object gets from `other` and that has a branch; `number` sets
  /// Family::branch to the present number of the branch. The families that `other` gets keep their numbers.
  template <class Number>
  void swap(Links& other, Number number) noexcept {
    nodes_.swap(other.nodes_);
    families_.swap(other.families_);
    std::swap(marks_, other.marks_);
    std::swap(first_free_, other.first_free_);
    for (Family& family : families_) {
      if (family.branch != kNone) number(family);
    }
  }

  MemoryUse memory_use() const {
    return memory_use_of(nodes_) + memory_use_of(families_) + marks_.memory_use();
  }

  /// Frees the memory at the end of the list of links, behind the last node that has a parent or a family. Does the
  /// same for the list of families, behind the last family in use.
  /// Invalidates: references to families.
  /// Complexity: O(nodes + families).
  void shrink() noexcept;

  std::string check_invariants() const;

 private:
  /// The number of nodes whose links `add_new` initialises at a time: so few that the links are still in the
  /// first-level cache when they are set.
  static constexpr std::size_t kStep = 256;

  /// Returns: whether `ancestor` is above `node`; false if they are the same node. Walks up from the parent of `node`.
  bool walk_finds(std::uint32_t ancestor, std::uint32_t node) const;
  void grow(std::uint32_t node);
  void free_family(std::uint32_t family) noexcept {
    families_[family] = Family();
    families_[family].first = std::exchange(first_free_, family);
  }
  Family& create_family(std::uint32_t node) noexcept {
    if (first_free_ != kNone) return recycle_family(node);
    nodes_[node].family = static_cast<std::uint32_t>(families_.size());
    return families_.append();
  }
  Family& recycle_family(std::uint32_t node) noexcept;
  Family& add_family(std::uint32_t node);
  std::string check_family(std::uint32_t node) const;

  NodeMarks marks_;  // Has room for all nodes; nodes are marked only while a subtree is destroyed.
  std::uint32_t first_free_ = kNone;  // Head of the list of free families, linked by Family::first.
};

}  // namespace strata::detail
