// Relation: finds values on another entity, such as the parent of a row's entity.
#pragma once

#include <span>
#include <vector>

#include "../../core/block.hpp"
#include "../../core/component.hpp"
#include "../../core/entity.hpp"
#include "../../core/slots.hpp"
#include "../../storage/tables/archetype.hpp"
#include "link_records.hpp"
#include "origins.hpp"
#include "walk_memo.hpp"

namespace strata::detail {

/// Measures of the work that Relation::prepare has done for a query: it updates the origins of rows (see
/// Origins).
struct PlanCost {
  std::uint64_t patches = 0;       ///< Blocks in which origins of rows were updated.
  std::uint64_t patched_rows = 0;  ///< The updated rows of these blocks.
  // An estimate of the time that each visit loses because rows are not in the order of their parents. The
  // relation chooses the unit.
  std::uint64_t loss = 0;
};

/// An entity that a change pass (see ChangePass) visits: its row, and the entity from which the pass came to
/// it.
struct VisitedRow {
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  Entity entity;
  const Block* block;
  std::uint32_t row;
  std::uint32_t above;  ///< The position of its parent in the list of the level visited before, or kNone.
};

/// The interface through which queries read the hierarchy. It defines for each entity at most one related
/// entity; the hierarchy implements it with the parent. Queries use it to find values of related entities,
/// and to list the entities that relate to one entity (the children). They call it for runs of rows, not for
/// each row.
///
/// Threads: any number of readers.
class Relation {
 public:
  /// The most blocks that one call of `find_shared` takes.
  static constexpr std::size_t kMostBlocks = 32;

  virtual ~Relation() = default;

  /// Called before a cascade of a query that may change the world. May move rows to speed up this and later
  /// cascades, unless an iteration or another operation is in progress.
  virtual void begin_cascade() const {}

  /// Updates the origins (see Origins) of all rows of these archetypes, where rows have changed since the
  /// last call.
  /// Complexity: O(1) if nothing has changed since `state` was returned. Otherwise O(blocks with rows of
  /// several origins + rows that have moved + rows related to them), O(rows) for each block with new rows,
  /// and the cost of copying the origins of such blocks.
  /// Returns: a value to pass as `state` to the next call for these archetypes. Pass 0 to the first call.
  virtual std::uint64_t prepare(std::span<Archetype* const> archetypes, std::uint64_t state,
                                PlanCost& cost) const = 0;

  /// Finds the related values of whole tables, if all rows of a table have the same related entity. `blocks`
  /// are the first blocks of tables of one rank. Writes to `values`, for each block, a pointer to the value
  /// that its rows share; null if there is no related entity or it does not have the component.
  /// Returns: a bit for each block, set if its rows have different related entities; its element of `values`
  /// is not written then.
  virtual std::uint32_t find_shared(std::span<Block* const> blocks, std::uint32_t rank, ComponentId id,
                                    const void** values) const = 0;

  /// Writes for each row a pointer to the component's value on the related entity; null if there is no
  /// related entity or it does not have the component.
  /// Complexity: O(rows).
  virtual void find_each(std::span<const Entity> rows, ComponentId id, const void** values) const = 0;

  /// Writes for each row the place of the row of its related entity; a place with a null block if there is no
  /// related entity.
  /// Complexity: O(rows).
  virtual void find_places(std::span<const Entity> rows, Place* places) const = 0;

  /// Writes for each row a pointer to the component's value on the nearest ancestor that has one: the search
  /// goes from the related entity to its related entity, and so on. Null if none has one. Results of long
  /// walks are stored in `memo`.
  /// Errors: std::bad_alloc.
  /// Complexity: O(rows) with one memo for the whole iteration, plus O(entities) once for each component.
  virtual void find_nearest(std::span<const Entity> rows, ComponentId id, WalkMemo& memo,
                            const void** values) const = 0;

  /// Returns: whether `chain_of` may be called.
  bool knows_chains() const { return records_ != nullptr; }

  /// Returns: the list of the entities that relate to `entity` (its children); an empty list if it is stale.
  /// Contract: `knows_chains()`.
  /// Invalidates: the chain, by any structural change.
  RelatedChain chain_of(Entity entity) const {
    return slots_->alive(entity) ? records_->chain_of(entity.index()) : RelatedChain();
  }

  /// Returns: the entity that `entity` relates to; a null handle if there is none or `entity` is stale.
  virtual Entity find_parent(Entity entity) const = 0;

  /// Appends to `children` the entities that relate to the entities of `above` (their children): first those
  /// of the first entity in their order, then those of the second, and so on.
  /// Errors: std::bad_alloc.
  /// Complexity: O(entities appended).
  virtual void append_children(std::span<const VisitedRow> above,
                               std::vector<VisitedRow>& children) const = 0;

  /// Returns: the origins of a block's rows; null if rows must be looked up one by one.
  static const Origins* find_origins(const Block& block) {
    const auto* const origins = static_cast<const Origins*>(block.cache);
    const bool known = origins != nullptr && origins->valid && origins->form != Origins::Form::scattered;
    return known ? origins : nullptr;
  }

 protected:
  Relation() = default;
  Relation(const Slots& slots, const LinkRecords& records) : slots_(&slots), records_(&records) {}

 private:
  const Slots* slots_ = nullptr;
  const LinkRecords* records_ = nullptr;  // Null: lists of related entities are not available.
};

}  // namespace strata::detail
