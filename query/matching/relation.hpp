// Relation: the interface through which queries read the hierarchy, for example the value of an entity's
// parent.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../../core/block.hpp"
#include "../../core/component.hpp"
#include "../../core/entity.hpp"
#include "../../core/slots.hpp"
#include "../../storage/tables/archetype.hpp"
#include "link_records.hpp"
#include "origins.hpp"
#include "pair_reader.hpp"
#include "walk_memo.hpp"

namespace strata::detail {

/// Counts the work of all calls of Relation::prepare for one query. Such a call updates outdated origins. The origin of
/// a row is the cached location of the parent's row (see Origins).
struct PlanCost {
  std::uint64_t patches = 0;       ///< Number of blocks in which origins were updated.
  std::uint64_t patched_rows = 0;  ///< Number of rows whose origins were updated.
  // An estimate of the time that each visit loses because rows are not sorted in the order of their parents' rows: then
  // the parents of successive rows are far apart in memory. The implementation of Relation chooses the unit.
  std::uint64_t loss = 0;
};

/// An entity to visit, with the location of its row. CascadeQuery::propagate and `changed_subtrees` make lists of
/// these: the changed entities and the entities below them, depth by depth.
struct VisitedRow {
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  Entity entity;
  const Block* block;
  std::uint32_t row;
  std::uint32_t above;  ///< The parent's index in the list of the depth above; kNone if not listed.
};

/// Which entities a search that starts at an entity looks at: only the entity's parent, or all of its ancestors.
enum class Reach : std::uint8_t { parent, ancestors };

/// The interface through which queries read the hierarchy: the relation from a child to its parent. Each entity has at
/// most one parent. Queries use a Relation to find values of parents and ancestors, and to list the children of an
/// entity. They read the pairs of other relations through `pairs`. Most functions take many rows at a time, so that a
/// virtual call costs little for each row.
///
/// Threads: any number of readers.
class Relation {
 public:
  /// The greatest number of blocks that may be passed to one call of `find_shared`, whose result has a bit
  /// for each block.
  static constexpr std::size_t kMostBlocks = 32;

  virtual ~Relation() = default;

  /// May sort rows in the order of their parents' rows, which makes visits by depth faster. Called before such a visit
  /// if the query may change the world. Does nothing while the store refuses structural changes, for example during an
  /// iteration.
  virtual void begin_cascade() const {}

  /// Updates the cached locations of parents' rows (see Origins) for the rows of these archetypes, where the rows or
  /// their parents' rows have changed since the call that returned `state`. Adds the work to `cost`.
  /// Complexity: O(1) if nothing in the world has changed since that call. Otherwise O(blocks + moved rows + children +
  /// rows of grown blocks). Blocks: those in tables that the children of several parents share. Moved rows, children:
  /// all rows of the world that have moved since the last update, and the children of their entities. Grown blocks:
  /// those that have new rows, because the origins of a grown block are copied.
  /// Returns: a value to pass as `state` to the next call for these archetypes. Pass 0 to the first call.
  virtual std::uint64_t prepare(std::span<Archetype* const> archetypes, std::uint64_t state,
                                PlanCost& cost) const = 0;

  /// Finds the parent's value of component `id` for whole tables, where all rows of a table have the same
  /// parent. Each block in `blocks` is the first one of a table, and all these tables have the same rank
  /// (depth). Writes to `values` one pointer for each block: to the parent's value, or null if there is no
  /// parent or the parent does not have the component. If the rows of a table have different parents, writes
  /// nothing for its block.
  /// Returns: a bit for each block, set if the rows of its table have different parents.
  virtual std::uint32_t find_shared(std::span<Block* const> blocks, std::uint32_t rank, ComponentId id,
                                    const void** values) const = 0;

  /// Writes to `values`, for each row, a pointer to the parent's value of the component; null if there is no
  /// parent or the parent does not have the component.
  /// Complexity: O(rows).
  virtual void find_each(std::span<const Entity> rows, ComponentId id, const void** values) const = 0;

  /// Writes to `places`, for each row, the block and row where the parent is stored; the block is null if
  /// there is no parent.
  /// Complexity: O(rows).
  virtual void find_places(std::span<const Entity> rows, Place* places) const = 0;

  /// Writes to `values`, for each row, a pointer to the component's value on the nearest ancestor that has the
  /// component; null if none has it. `memo` keeps the results of long searches. Pass the same memo to all calls of one
  /// iteration.
  /// Errors: std::bad_alloc.
  /// Complexity: O(rows + c * a) for all calls with one memo together, where c is the number of components that these
  /// calls search for, and a the number of all ancestors of the rows.
  virtual void find_nearest(std::span<const Entity> rows, ComponentId id, WalkMemo& memo,
                            const void** values) const = 0;

  /// Writes to `found`, for each row, whether its parent or, with Reach::ancestors, one of its ancestors has
  /// the component, which may be a tag; false if there is no parent. `memo` keeps the results of long
  /// searches. Pass the same memo to all calls of one iteration; calls of `find_nearest` may share it.
  /// Errors: std::bad_alloc.
  /// Complexity: with Reach::parent, that of `find_each`; with Reach::ancestors, that of `find_nearest`.
  virtual void find_having(std::span<const Entity> rows, ComponentId id, Reach reach, WalkMemo& memo,
                           bool* found) const = 0;

  /// Returns: whether this relation can list the children of an entity, that is, whether `chain_of` may be
  /// called.
  bool knows_chains() const { return records_ != nullptr; }

  /// Returns: the list of the children of `entity`; an empty list if `entity` is stale.
  /// Contract: `knows_chains()` is true.
  /// Invalidates: the list, by any structural change.
  RelatedChain chain_of(Entity entity) const {
    return slots_->alive(entity) ? records_->chain_of(entity.index()) : RelatedChain();
  }

  /// Returns: the reader of the pairs of all relations (links from an entity to a target entity); null if there are no
  /// relations.
  const PairReader* pairs() const { return pairs_; }

  /// Returns: the parent of `entity`; a null handle if `entity` has no parent or is stale.
  virtual Entity find_parent(Entity entity) const = 0;

  /// Appends to `children` the children of the entities in `above`: first the children of the first entity, in their
  /// order among siblings, then the children of the second, and so on.
  /// Errors: std::bad_alloc.
  /// Complexity: O(entities in `above` + entities appended).
  virtual void append_children(std::span<const VisitedRow> above,
                               std::vector<VisitedRow>& children) const = 0;

  /// Returns: the cached locations of the parents of a block's rows (see Origins). Null if the parent of each row must
  /// be looked up: there is no cache, it is not valid, or it has no locations (Form::scattered).
  static const Origins* find_origins(const Block& block) {
    const auto* const origins = static_cast<const Origins*>(block.cache);
    const bool known = origins != nullptr && origins->valid && origins->form != Origins::Form::scattered;
    return known ? origins : nullptr;
  }

 protected:
  Relation() = default;
  Relation(const Slots& slots, const LinkRecords& records, const PairReader* pairs)
      : slots_(&slots), records_(&records), pairs_(pairs) {}

 private:
  const Slots* slots_ = nullptr;
  const LinkRecords* records_ = nullptr;  // Null: lists of children are not available.
  const PairReader* pairs_ = nullptr;
};

}  // namespace strata::detail
