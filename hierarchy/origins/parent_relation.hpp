// ParentRelation: finds the values of parents and ancestors for queries.
#pragma once

#include <atomic>
#include <string>

#include "../../query/matching/relation.hpp"
#include "../../storage/store.hpp"
#include "../families/branches.hpp"
#include "../families/defragmenter.hpp"
#include "../links/child_lister.hpp"
#include "../links/links.hpp"
#include "origin_keeper.hpp"

namespace strata::detail {

/// Finds the values of parents and ancestors for queries with the terms `Parent<const T>` and `Up<const T>`, wherever T
/// is stored.
///
/// There are two ways to find the parents of the rows in a block. If the children of one parent have tables of their
/// own, each block of these tables has a label that identifies the parent. If the children of several parents share
/// tables, OriginKeeper caches where the parent of each row is stored.
///
/// Threads: any number of readers. The first reader after a change updates the cache; other readers wait until that is
/// done.
class ParentRelation : public Relation {
 public:
  /// At the start of a visit by depth, `defragmenter` may move rows into the order of their parents' rows; if
  /// `defragmenter` is null, no rows move. The OriginKeeper uses `defragmenter`, too. `pairs` tells which entities are
  /// linked by relations other than the parent; null if there are no such relations.
  ParentRelation(Store& store, const Links& links, Branches& branches, Defragmenter* defragmenter,
                 const PairReader* pairs = nullptr)
      : Relation(store.slots(), links, pairs),
        store_(store),
        links_(links),
        defragmenter_(defragmenter),
        children_(store, links),
        origins_(store, links, branches, defragmenter) {}

  void begin_cascade() const override {
    if (defragmenter_ != nullptr) defragmenter_->defragment_if_due();
  }
  std::uint64_t prepare(std::span<Archetype* const> archetypes, std::uint64_t state,
                        PlanCost& cost) const override;
  std::uint32_t find_shared(std::span<Block* const> blocks, std::uint32_t rank, ComponentId id,
                            const void** values) const override;
  void find_each(std::span<const Entity> rows, ComponentId id, const void** values) const override;
  void find_places(std::span<const Entity> rows, Place* places) const override;
  void find_nearest(std::span<const Entity> rows, ComponentId id, WalkMemo& memo,
                    const void** values) const override;
  void find_having(std::span<const Entity> rows, ComponentId id, Reach reach, WalkMemo& memo,
                   bool* found) const override;
  Entity find_parent(Entity entity) const override;
  void append_children(std::span<const VisitedRow> above, std::vector<VisitedRow>& children) const override {
    children_.append(above, children);
  }

  /// Returns: a sentence about a block whose cached locations of parents are marked as valid, but are wrong; empty if
  /// there is no such block.
  std::string check_invariants() const { return origins_.check_invariants(); }

 private:
  const void* find_value(std::uint32_t node, ComponentId id, const ComponentInfo& component) const;
  template <class Value, class Find>
  void find_by_parent(std::span<const Entity> rows, Value* values, Find find) const;
  bool has(std::uint32_t node, ComponentId id, const ComponentInfo& component) const;
  template <bool is_for_value>
  const void* walk_up(std::uint32_t from, ComponentId id, const ComponentInfo& component,
                      WalkMemo& memo) const;

  Store& store_;
  const Links& links_;
  Defragmenter* defragmenter_;
  ChildLister children_;
  mutable std::atomic_flag preparing_;
  mutable OriginKeeper origins_;
};

}  // namespace strata::detail
