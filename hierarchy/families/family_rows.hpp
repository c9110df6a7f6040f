// FamilyRows: decides in which tables the rows of children are stored, and moves the rows when the decision changes.
#pragma once

#include <cstdint>
#include <vector>

#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "../links/policies.hpp"
#include "branches.hpp"
#include "family_mover.hpp"

namespace strata::detail {

/// Keeps the rows of each family (the children of one parent) in the tables that its Layout requires: tables that
/// several families of one depth share (a level), or tables of the family's own. Such a set of tables is a branch. An
/// entity with all entities below it is moved in two steps: `prepare_move` does everything that can fail, `apply_move`
/// moves the rows.
///
/// A family with Layout::adaptive moves between its level's tables and tables of its own:
/// - The family is in its level's tables until it has more than `large_family` children, and returns there when it has
///   at most a quarter of that number. The gap between these numbers keeps a family of changing size from moving back
///   and forth.
/// - A family that is large when it is created gets its own tables at once, and so does a family that becomes large in
///   a call that at least doubles the number of its children.
/// - Other families move when rows are defragmented, so adding one child never moves its siblings.
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

  /// Returns: the depth of a live entity, given by its slot index (Entity::index). A table stores the depth of its
  /// entities as its rank.
  std::uint32_t depth_of(std::uint32_t node) const {
    return table_of(*store_.slots().place_of(node).block).rank();
  }

  const LayoutPolicy& policy() const { return policy_; }

  /// Returns: the layout of the world: which tables hold the rows of an entity's children. Every entity has this
  /// layout, unless `set_layout` was called for the entity or an ancestor.
  Layout layout_of_roots() const { return policy_.layout; }

  /// Returns: the layout of an entity: which tables hold the rows of its children, also of future children.
  Layout layout_below(std::uint32_t node) const;

  /// Sets the layout of an entity and of all entities below it, and moves the rows of their children accordingly. The
  /// layout of an entity says which tables hold the rows of its children. If `set_layout` was called before for an
  /// entity below `node`, that entity and all entities below it keep their layouts.
  /// Errors: std::bad_alloc; parents and children are unchanged, but the layout may have been set for a part of the
  /// entities below.
  /// Complexity: O(subtree).
  void set_layout(std::uint32_t node, Layout layout);

  /// Called when a saved world is loaded: records that `layout` was set for the entity `node`. The rows of its
  /// children, if it has any, are already in the tables that this layout demands.
  /// Errors: std::bad_alloc.
  void restore_layout(std::uint32_t node, Layout layout) {
    Links::Family& family = links_.get_family(node);
    family.layout = static_cast<std::uint32_t>(layout) & 3u;
    family.chooses_layout = 1;
    layouts_differ_ = true;
  }

  /// Chooses the branch (set of tables) for the rows of the first children of an entity, `parent`; `children` is their
  /// number. `layout` is the layout for the children, `depth` the depth of `parent`. With Layout::per_parent, or with
  /// Layout::adaptive and more children than LayoutPolicy::large_family, creates a branch for these children alone.
  /// Otherwise chooses the branch that is shared by families of their depth.
  /// Returns: the branch. The caller records it as Links::Family::branch.
  /// Errors: std::bad_alloc; nothing has changed then.
  Branch& open_branch(std::uint32_t parent, std::uint32_t depth, Layout layout, std::size_t children) {
    const bool large = children > policy_.large_family && layout == Layout::adaptive;
    return large || layout == Layout::per_parent ? branches_.open(parent, depth) : branches_.level(depth + 1);
  }

  /// `branch_for_child` returns the branch (set of tables) for the row of one more child of `parent`.
  /// `branch_for_children` returns the branch for the rows of `children` more children. If the parent never had a
  /// child, both functions choose its branch (see `open_branch`). If the parent's children become too many for shared
  /// tables (see LayoutPolicy::large_family), and at least half of them are new, both functions first move the rows of
  /// the present children to tables of their own. If less than half of them are new, both put `parent` into the queue
  /// of `move_resized_families`.
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

  /// Returns: whether a child can leave the family `left` for the family `joined` without moving the child's row or any
  /// row below it. No row has to move if both families have their rows in the same shared tables and have the same
  /// layout, and `joined` does not get too many children for shared tables.
  bool share_level(const Links::Family& left, const Links::Family& joined) const {
    // Tables of one parent's children are never used for another parent. So if both families have the same branch (set
    // of tables), it is the one that is shared by families of their depth.
    return joined.branch == left.branch && joined.layout == left.layout && !grows_large(joined, 1);
  }

  /// Clears the links of an entity. If the entity's children had tables of their own, drops these tables. Does not
  /// update the links of the entity's parent, siblings and children; see Links::clear.
  void forget(std::uint32_t node) noexcept {
    links_.clear(node, [this](const Links::Family& family) { close_branch(family); });
  }

  /// `family` is the record of the children of one parent, and is about to be removed. If these children had tables of
  /// their own, drops the tables.
  /// Contract: these tables have no rows.
  void close_branch(const Links::Family& family) noexcept {
    if (Branch* const branch = branches_.find(&family)) branches_.close(*branch);
  }

  /// Must be called each time that `parent` has lost a child. If the number of children has just fallen to a quarter of
  /// LayoutPolicy::large_family, and the children have tables of their own because of Layout::adaptive, puts `parent`
  /// into the queue of `move_resized_families`, which moves the rows of the children back to shared tables.
  void child_left(std::uint32_t parent) noexcept {
    if (links_.family_of(parent).count == small_below() - 1) [[unlikely]]
      mark_small(parent);
  }

  /// `move_resized_families` goes through the queue of parents whose number of children has risen above
  /// LayoutPolicy::large_family or fallen to a quarter of that number. For a parent with many children now, it moves
  /// the rows of the children to tables of their own; for a parent with few, it moves the rows back to the shared
  /// tables of their depth. The rows of one parent's children move together. `budget` is a number of rows. If its rest
  /// is too small for the children of the next parent, the function stops before that parent, and saves the rest for
  /// the next calls.
  /// Returns: the part of `budget` that was used or saved.
  /// Errors: std::bad_alloc; the children of earlier parents in the queue have moved then.
  /// `has_resized_families` returns whether there are parents in the queue.
  std::size_t move_resized_families(std::size_t budget);
  bool has_resized_families() noexcept;

  /// Returns: whether `move_resized_families` has to move the rows of the children that `family` records from the
  /// shared tables of their depth to tables of their own: their parent is in its queue, has more than
  /// LayoutPolicy::large_family children, and stores them with Layout::adaptive.
  bool outgrows_level(const Links::Family& family) const {
    return family.resized != 0 && is_large(family) &&
           static_cast<Layout>(family.layout) == Layout::adaptive &&
           Branches::is_level(*branches_.find(&family));
  }

  /// Records that the rows of the children of `parent` are now in `own`, a set of tables for them alone, and that
  /// `move_resized_families` need not move them. Called after LevelLayout has moved these rows from the shared tables
  /// of their depth to `own`.
  void enter_own_branch(std::uint32_t parent, const Branch& own) noexcept {
    Links::Family& family = *links_.find_family(parent);
    family.branch = own.number;
    family.resized = 0;
  }

  /// Sorts the queue of `move_resized_families` so that the last rows of a table leave it first. In another order, last
  /// rows that fill gaps might have to move again. Call it when the rows of shared tables are sorted (see FamilyOrder).
  /// Errors: std::bad_alloc; the order of the queue is unchanged then.
  /// Complexity: O(n * (log n + b)) for n parents in the queue, whose children are in tables of at most b blocks.
  void sort_resized_families();

  /// Moves the row of an entity without children, which gets another parent, to one of the tables of `target` (a set of
  /// tables): the table for its archetype. If the row is in that table already, only records that the entity has
  /// another parent.
  /// Errors: std::bad_alloc; nothing has changed then.
  void move_alone(std::uint32_t node, Branch& target) {
    const Place place = store_.slots().place_of(node);
    const Table& source = table_of(*place.block);
    if (&source.branch() == &target) return store_.rows().changes().mark_related(place);
    Table& table = store_.tables().get(source.archetype(), target);
    store_.rows().ensure_room(table, 1);
    store_.rows().move(place, table);
  }

  /// Prepares a move of an entity's row to `target` (a set of tables), for `apply_move`. Does all steps of the move
  /// that can fail, such as reserving room for this row and for the rows of the entities below. Several moves may be
  /// prepared before they are applied.
  /// Errors: std::bad_alloc. No row has moved then, and the room reserved by this call and by earlier calls is
  /// released.
  void prepare_move(std::uint32_t node, Branch& target);

  /// Moves the row of an entity to `target` (a set of tables), and the rows of the entities below it from the shared
  /// tables of their old depths to the shared tables of their new depths. A table of one parent's children keeps its
  /// rows, and its rank is set to the new depth.
  /// Contract: `prepare_move` was called for this entity and target. After that call, rows were moved by
  /// `apply_move` only.
  void apply_move(std::uint32_t node, Branch& target) noexcept;

  /// Called when the layout that `node` takes over from its parent changes, for example because `node` gets a new
  /// parent. A layout says which tables hold the rows of an entity's children. Sets the layout of `node` and of the
  /// entities below it to `inherited`, and moves their children's rows accordingly. Leaves out entities for which
  /// `set_layout` was called, and the entities below those.
  /// Errors: std::bad_alloc; in that case, the caller must call `recall_layout`.
  void follow_layout(std::uint32_t node, Layout inherited);

  /// Undoes `follow_layout` for `node` and the entities below it: sets their layout (which tables hold the rows of
  /// children) back to `inherited`, the layout that they had before that call. Rows that have moved stay where they
  /// are: rows in tables that do not suit the layout cost time, but their values are right.
  void recall_layout(std::uint32_t node, Layout inherited) noexcept;

  /// What an image (a copy of a world's state, see History) stores of this object; the links are stored separately.
  /// `resized` is the queue of `move_resized_families`, whose next parent is the last element. `saved` is the part of
  /// the budgets of earlier calls of `move_resized_families` that these calls have saved for that parent.
  /// `layouts_differ` says whether `set_layout` or `restore_layout` was ever called.
  struct Queue {
    bool layouts_differ = false;
    std::size_t saved = 0;
    std::vector<std::uint32_t> resized = {};
  };
  Queue queue() const { return {layouts_differ_, saved_, {resized_.begin(), resized_.end()}}; }
  /// Allocates the memory that `restore_queue` needs to take over `queue`, a part of an image (a copy of the world's
  /// state).
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve_queue(const Queue& queue) { resized_.reserve(queue.resized.size()); }
  /// Called when the world is set back to an image (a copy of its state): takes over all members of `queue`, which is a
  /// part of the image.
  /// Contract: `reserve_queue` was called with this `queue`.
  void restore_queue(const Queue& queue) noexcept {
    layouts_differ_ = queue.layouts_differ;
    saved_ = queue.saved;
    resized_.assign(queue.resized.begin(), queue.resized.end());
    listed_ = Links::kNone;
  }

  /// Frees working memory that earlier moves have kept for reuse.
  /// Contract: no move is prepared (see `prepare_move`).
  void shrink() noexcept {
    below_.clear();
    below_.shrink_to_fit();
    listed_ = Links::kNone;
    resized_.shrink_to_fit();
  }
  MemoryUse memory_use() const {
    return MemoryUse{0, below_.capacity() * sizeof(std::uint32_t)} + memory_use_of(resized_);
  }

  /// Returns: the layout (which tables hold the rows of children) that an entity takes over from its parent; for a
  /// root, the layout of the world.
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
  bool layouts_differ_ = false;            // Whether any entity has had a layout of its own.
  std::pmr::vector<std::uint32_t> below_;  // The entities below `listed_`, whose rows are to move.
  std::uint32_t listed_ = Links::kNone;
  std::pmr::vector<std::uint32_t> resized_;  // Queue: parents whose children's rows may have to move.
  std::size_t saved_ = 0;                    // Budget saved for the last parent in `resized_`.
};

}  // namespace strata::detail
