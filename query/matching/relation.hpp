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

/// The work done to keep a query's plan valid. The plan is the lists of tables by depth and the origins of
/// their rows.
struct PlanCost {
  std::uint64_t patches = 0;       ///< Blocks in which origins of rows were updated.
  std::uint64_t patched_rows = 0;  ///< The updated rows of these blocks.
  // Estimated cost per pass of the current row order. The relation chooses the unit.
  std::uint64_t loss = 0;
};

/// An entity that a pass has visited: its row, and the entity through which the pass came to it.
struct VisitedRow {
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  Entity entity;
  const Block* block;
  std::uint32_t row;
  std::uint32_t above;  ///< Position of the related entity in a list of rows visited before, or kNone.
};

/// Finds the values of related entities. It is called once per run of rows, never per row.
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

  /// Updates the origins of all rows of the archetypes' tables after changes.
  /// Complexity: O(1) if nothing has changed since `state` was returned. Otherwise O(blocks with rows of
  /// several origins + rows that have moved + rows related to them), O(rows) for each block with new rows,
  /// and the cost of copying the origins of such blocks.
  /// Returns: a state to pass to the next call for the same archetypes.
  virtual std::uint64_t prepare(std::span<Archetype* const> archetypes, std::uint64_t state,
                                PlanCost& cost) const = 0;

  /// Finds the value that all rows of a block share, for the first blocks of several tables of one rank.
  /// Returns: a bit for each block whose rows differ and must be looked up one by one; its value is not
  /// written. The value of other blocks is null if there is no related entity or it does not have the
  /// component.
  virtual std::uint32_t find_shared(std::span<Block* const> blocks, std::uint32_t rank, ComponentId id,
                                    const void** values) const = 0;

  /// Finds the related value of each row; null for a row without a related entity, or whose related entity
  /// does not have the component.
  /// Complexity: O(rows).
  virtual void find_each(std::span<const Entity> rows, ComponentId id, const void** values) const = 0;

  /// Finds the row of each row's related entity; a null block for none.
  /// Complexity: O(rows).
  virtual void find_places(std::span<const Entity> rows, Place* places) const = 0;

  /// Finds for each row the value of the nearest entity that has one. The search starts at the related entity
  /// and follows its relations; the value is null if no entity has one. Results of long walks are stored in
  /// `memo`.
  /// Errors: std::bad_alloc.
  /// Complexity: O(rows) with one memo for the whole iteration, plus O(entities) once for each component.
  virtual void find_nearest(std::span<const Entity> rows, ComponentId id, WalkMemo& memo,
                            const void** values) const = 0;

  /// Returns: whether `chain_of` can list the entities related to an entity.
  bool knows_chains() const { return records_ != nullptr; }

  /// Returns: the live entities related to `entity`; none if it is stale.
  /// Contract: `knows_chains()`.
  /// Invalidates: the chain, by any structural change.
  RelatedChain chain_of(Entity entity) const {
    return slots_->alive(entity) ? records_->chain_of(entity.index()) : RelatedChain();
  }

  /// Returns: the entity that `entity` relates to; a null handle if there is none or `entity` is stale.
  virtual Entity find_parent(Entity entity) const = 0;

  /// Appends the entities related to each entity of `above`, grouped by it, in their order.
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
