// FamilyRows: keeps the rows of children in the branches that the tree and the layouts require.
#pragma once

#include <cstdint>
#include <vector>

#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "../links/policies.hpp"
#include "branches.hpp"
#include "family_mover.hpp"

namespace strata::detail {

/// Keeps the rows of each family (the children of one parent) in the tables that its layout requires: tables
/// shared by all families of a level, or tables of the family's own. Such a group of tables is a branch.
/// Moving a subtree has two steps: `prepare_move` does everything that can fail, `apply_move` moves the rows.
///
/// A family with Layout::adaptive is in its level's tables until it has more than `large_family` children. It
/// returns when it has at most a quarter of that; without this distance, a family of changing size would move
/// back and forth. A family that is large when it is created, or that at least doubles in one call, gets its
/// own tables at once. Other families move when rows are defragmented, so adding a child never moves its
/// siblings.
class FamilyRows {
 public:
  FamilyRows(Store& store, Links& links, LayoutPolicy policy)
      : store_(store),
        links_(links),
        branches_(store.tables(), store.memory()),
        mover_(store, links, branches_),
        policy_(policy),
        below_(store.memory()),
        resized_(store.memory()) {}

  Branches& branches() { return branches_; }
  const Branches& branches() const { return branches_; }

  /// Returns: the depth of a live node: the rank of its row's table.
  std::uint32_t depth_of(std::uint32_t node) const {
    return table_of(*store_.slots().place_of(node).block).rank();
  }

  /// Returns: the layout of families below roots, unless they have their own.
  Layout layout_of_roots() const { return policy_.layout; }

  /// Returns: the layout of the rows of a node's children, even if it has no children yet.
  Layout layout_below(std::uint32_t node) const;

  /// Sets the layout of all rows below a node. Nodes below that have their own layout keep it.
  /// Errors: std::bad_alloc; the tree is unchanged, and the layout is set for none or some of the families.
  /// Complexity: O(subtree).
  void set_layout(std::uint32_t node, Layout layout);

  /// Returns: the branch for the rows of a new family of `children` children: that of the level, or a new one
  /// for this family. `depth` is the depth of `parent`.
  /// Errors: std::bad_alloc; nothing has changed then.
  Branch& open_branch(std::uint32_t parent, std::uint32_t depth, Layout layout, std::size_t children) {
    const bool large = children > policy_.large_family && layout == Layout::adaptive;
    return large || layout == Layout::per_parent ? branches_.open(parent, depth) : branches_.level(depth + 1);
  }

  /// Returns: the branch for the rows of one or of `children` new children of `parent`. Creates it for a new
  /// family. If the family at least doubles and becomes large, moves its rows to a branch of their own
  /// before.
  /// Errors: std::bad_alloc; nothing has changed then.
  Branch& branch_for_child(std::uint32_t parent) { return branch_for_children(parent, 1); }
  Branch& branch_for_children(std::uint32_t parent, std::size_t children) {
    Branch* const branch = branches_.find(links_.find_family(parent));
    if (branch == nullptr) [[unlikely]]
      return open_branch(parent, children);
    if (Branches::is_level(*branch) && grows_large(*links_.find_family(parent), children)) [[unlikely]]
      return branch_of_grown(parent, children);
    return *branch;
  }

  /// Returns: whether a child can change from the family `left` to `joined` without moving its row or any row
  /// below it. Both families must have their rows in the same level with the same layout, and one more child
  /// must not make `joined` large.
  bool share_level(const Links::Family& left, const Links::Family& joined) const {
    // Only the branch of a level can belong to two families.
    return joined.branch == left.branch && joined.layout == left.layout && !grows_large(joined, 1);
  }

  /// Clears the links of a node and releases the branch of its children. Does not update the links of its
  /// parent, siblings and children; see Links::clear.
  void forget(std::uint32_t node) noexcept {
    links_.clear(node, [this](const Links::Family& family) { close_branch(family); });
  }

  /// Releases the branch of a family that is about to be removed.
  void close_branch(const Links::Family& family) noexcept {
    if (Branch* const branch = branches_.find(&family)) branches_.close(*branch);
  }

  /// Must be called when a family has lost a child. Queues the family for `move_resized_families` if it has
  /// just become small.
  void child_left(std::uint32_t parent) noexcept {
    if (links_.family_of(parent).count == small_below() - 1) [[unlikely]]
      mark_small(parent);
  }

  /// Moves families that have become large to tables of their own, and families that have become small back
  /// to the tables of their level. A family moves as a whole. If it has more rows than `budget`, it waits
  /// until the saved budgets suffice.
  /// Returns: the part of the budget, in rows, that was used or saved.
  /// Errors: std::bad_alloc; the families before the one that failed have moved.
  std::size_t move_resized_families(std::size_t budget);
  bool has_resized_families() noexcept;

  /// Returns: whether a family is in its level's tables and must get its own when rows are defragmented.
  bool outgrows_level(const Links::Family& family) const {
    return family.resized != 0 && is_large(family) &&
           static_cast<Layout>(family.layout) == Layout::adaptive &&
           Branches::is_level(*branches_.find(&family));
  }

  /// Makes `own` the branch of a family whose rows have just moved there from the tables of its level.
  void enter_own_branch(std::uint32_t parent, const Branch& own) noexcept {
    Links::Family& family = *links_.find_family(parent);
    family.branch = own.number;
    family.resized = 0;
  }

  /// Sorts the queue of families for `move_resized_families` so that moving all of them is cheapest if levels
  /// are sorted afterwards.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Complexity: O(n * (log n + blocks of a table)) for n families.
  void sort_resized_families();

  /// Moves the row of a node without a family to `target`, because its parent changes. At the same depth, the
  /// row may stay.
  /// Errors: std::bad_alloc; nothing has changed then.
  void move_alone(std::uint32_t node, Branch& target) {
    const Place place = store_.slots().place_of(node);
    const Table& source = table_of(*place.block);
    if (&source.branch() == &target) return store_.rows().changes().mark_related(place);
    Table& table = store_.tables().get(source.archetype(), target);
    store_.rows().ensure_room(table, 1);
    store_.rows().move(place, table);
  }

  /// Does everything that can fail when a node's row moves to `target` together with its subtree.
  /// Errors: std::bad_alloc; nothing has changed then.
  void prepare_move(std::uint32_t node, Branch& target);

  /// Moves the row of a node to `target`, and the rows below it to the tables for their new depths.
  /// Contract: `prepare_move` was called for this node and target; only prepared moves were made since.
  void apply_move(std::uint32_t node, Branch& target) noexcept;

  /// Sets the layout of the families below `node` to `inherited`, that of the parent that the node is about
  /// to get.
  /// Errors: std::bad_alloc; the caller must call `recall_layout` then.
  void follow_layout(std::uint32_t node, Layout inherited);

  /// Undoes `follow_layout`: sets the layout of the families below `node` back to `inherited`. Rows that have
  /// moved stay: rows in another branch are slower, but never wrong.
  void recall_layout(std::uint32_t node, Layout inherited) noexcept;

  /// Frees the lists of nodes from earlier moves.
  void shrink() noexcept {
    below_.clear();
    below_.shrink_to_fit();
    listed_ = Links::kNone;
    resized_.shrink_to_fit();
  }
  MemoryUse memory_use() const {
    return MemoryUse{0, below_.capacity() * sizeof(std::uint32_t)} + memory_use_of(resized_);
  }

  /// Returns: the layout that families below a node inherit, unless they have their own.
  Layout layout_above(std::uint32_t node) const {
    const std::uint32_t parent = links_.parent(node);
    return parent != Links::kNone ? layout_below(parent) : policy_.layout;
  }

 private:
  Branch& open_branch(std::uint32_t parent, std::size_t children);
  bool grows_large(const Links::Family& family, std::size_t children) const {
    return family.count + children > policy_.large_family &&
           static_cast<Layout>(family.layout) == Layout::adaptive;
  }
  bool is_resized(std::uint32_t parent) const;
  void mark_small(std::uint32_t parent) noexcept;
  Branch& branch_of_grown(std::uint32_t parent, std::size_t children);
  void list_below(std::uint32_t node);
  void reserve_below(std::uint32_t change);
  void reserve_family(std::uint32_t parent, std::uint32_t change);
  void move_family_branch(std::uint32_t parent, std::uint32_t change) noexcept;
  void move_rows_below(std::uint32_t change) noexcept;
  template <class Visit>
  void for_each_follower(std::uint32_t node, Visit visit);
  void move_to_own_branch(std::uint32_t parent);
  void lay_out(std::uint32_t parent, Layout layout);
  bool is_large(const Links::Family& family) const { return family.count > policy_.large_family; }
  bool is_small(const Links::Family& family) const { return family.count < small_below(); }
  std::uint32_t small_below() const { return policy_.large_family / 4 + 1; }

  Store& store_;
  Links& links_;
  Branches branches_;
  FamilyMover mover_;
  LayoutPolicy policy_;
  bool layouts_differ_ = false;            // Some entity has had a layout of its own.
  std::pmr::vector<std::uint32_t> below_;  // Nodes below `listed_`, while they are being moved.
  std::uint32_t listed_ = Links::kNone;
  std::pmr::vector<std::uint32_t> resized_;  // Queue: parents of adaptive families that may have to move.
  std::size_t saved_ = 0;                    // Budget saved for the last of them.
};

}  // namespace strata::detail
