// Relation: how a query reaches values on another entity, such as a row's parent.
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

/// What it took to keep a query's plan right: the tables by depth, which archetypes list, and the origins of
/// their rows.
struct PlanCost {
  std::uint64_t patches = 0;       ///< Blocks with rows whose origins were found anew.
  std::uint64_t patched_rows = 0;  ///< Those rows: some of a block, or all.
  std::uint64_t loss = 0;  ///< What each pass loses by the order of the rows; the relation knows the unit.
};

/// An entity that a pass has reached: where its row is, and which entity led there.
struct Reached {
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  Entity entity;
  const Block* block;
  std::uint32_t row;
  std::uint32_t above;  ///< The position, in a list of those reached before, of what it relates to; or kNone.
};

/// Leads from rows to the values of the entities that they relate to. Asked once per run of rows, never per
/// row.
///
/// Threads: any number of readers.
class Relation {
 public:
  /// How many blocks `find_shared` can be asked about.
  static constexpr std::size_t kMostBlocks = 32;

  virtual ~Relation() = default;

  /// Called before a cascade of a query that may change the world. Rows may be moved, so that this cascade and later ones
  /// run faster, unless something else is under way.
  virtual void begin_cascade() const {}

  /// Finds the origins of all rows of the archetypes' tables, where something has changed.
  /// Complexity: O(1) when nothing has changed since `state` was returned; otherwise O(blocks that hold rows of several
  /// origins), O(rows that have moved, and rows that relate to those), O(rows) for each block with new rows, and
  /// copying what is kept of blocks with such rows.
  /// Returns: a state, to be given to the next call for the same archetypes.
  virtual std::uint64_t prepare(std::span<Archetype* const> archetypes, std::uint64_t state,
                                PlanCost& cost) const = 0;

  /// Finds the value that all rows of a block share, for the first blocks of several tables of one rank.
  /// Returns: a bit for each block whose rows have to be asked one by one; its value is left alone. Otherwise
  /// it is null where the entity that they share, if any, has no such component.
  virtual std::uint32_t find_shared(std::span<Block* const> blocks, std::uint32_t rank, ComponentId id,
                                    const void** values) const = 0;

  /// Finds the value for each row: null where the row relates to nothing, or to an entity without one.
  /// Complexity: O(rows).
  virtual void find_each(std::span<const Entity> rows, ComponentId id, const void** values) const = 0;

  /// Finds where the entity that each row relates to has its row; a null block where there is none.
  /// Complexity: O(rows).
  virtual void find_places(std::span<const Entity> rows, Place* places) const = 0;

  /// Finds for each row the value of the nearest entity that has one, from what the row relates to on; null
  /// where none has. Long walks are remembered in `memo`.
  /// Errors: std::bad_alloc.
  /// Complexity: O(rows) with the same memo for all of an iteration, and O(entities) once for each component.
  virtual void find_nearest(std::span<const Entity> rows, ComponentId id, WalkMemo& memo,
                            const void** values) const = 0;

  /// Returns: whether it knows which entities relate to one.
  bool knows_chains() const { return records_ != nullptr; }

  /// Returns: the live entities that relate to `entity`; none if it is stale.
  /// Contract: it knows them.
  /// Invalidates: the chain, by any structural change.
  RelatedChain chain_of(Entity entity) const {
    return slots_->alive(entity) ? records_->chain_of(entity.index()) : RelatedChain();
  }

  /// Returns: what an entity relates to; a handle that names nothing if that is none, or the entity is stale.
  virtual Entity find_parent(Entity entity) const = 0;

  /// Appends the entities that relate to each of `above`, one after the other, in their order.
  /// Errors: std::bad_alloc.
  /// Complexity: O(entities appended).
  virtual void append_children(std::span<const Reached> above, std::vector<Reached>& children) const = 0;

  /// Returns: the origins of a block's rows, or null when they have to be asked one by one.
  static const Origins* find_origins(const Block& block) {
    const auto* const origins = static_cast<const Origins*>(block.companion);
    const bool known = origins != nullptr && origins->valid && origins->form != Origins::Form::scattered;
    return known ? origins : nullptr;
  }

 protected:
  Relation() = default;
  Relation(const Slots& slots, const LinkRecords& records) : slots_(&slots), records_(&records) {}

 private:
  const Slots* slots_ = nullptr;
  const LinkRecords* records_ = nullptr;  // Null: chains are not known.
};

}  // namespace strata::detail
