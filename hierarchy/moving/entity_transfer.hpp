// EntityTransfer: makes new entities in one world for entities of another one, and moves or copies their values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "../creation/new_entities.hpp"
#include "block_exchange.hpp"
#include "component_match.hpp"
#include "listed_entities.hpp"

namespace strata::detail {

/// Brings entities, with all entities below them in the hierarchy, from a source world to a destination world.
/// EntityTransfer first makes new entities with their rows in the destination world, then moves or copies the values.
/// If a later step fails, moved values can be moved back without an error. Entities whose values were moved stay in the
/// source world, without values, until MovedRemoval removes them.
///
/// A new row has the components of the original row, except components that hold the library's own data: names, pairs
/// of relations, states (such as disabled), layers and switched-off components. TransferredFacts brings these data.
///
/// Contract: the objects to which the members of `from` (source world) and `to` (destination world) refer outlive this
/// object. From the call of `list` on, only this object changes the source world. One change from outside is allowed:
/// rows may move before the calls of `return_rows` and `take_rows_again`.
class EntityTransfer {
 public:
  /// Makes a transfer that moves the values.
  EntityTransfer(const LoadedParts& from, const LoadedParts& to);
  /// Makes a transfer that copies the values. `undescribed` says what to do with components whose values can be neither
  /// copied nor written as bytes.
  EntityTransfer(const SavedParts& from, const LoadedParts& to, Undescribed undescribed);

  /// Lists the entities `roots`, with all entities below them in the hierarchy. Finds the components of all listed
  /// entities in the destination world, or registers them there.
  /// Returns: success; or a refusal that names a component which the destination world cannot have. After a refusal,
  /// the destination world may have got some of the components.
  /// Errors: std::bad_alloc; the destination world may have got some of the components then, too.
  /// Contract: the entities are alive, and none is below another.
  Outcome list(std::span<const Entity> roots);

  /// Creates a new entity in the destination world for each entity that `list` has listed. The new entities for the
  /// `roots` of `list` become the last children of `above`, or roots if `above` is null. If values are copied, this
  /// function also builds all copies. If values are moved, the new entities have no values until `take_rows` and
  /// `take_members` are called.
  /// Errors: std::bad_alloc, and what copying throws; there are no new entities then.
  /// Contract: `above` is alive or null.
  void create(Entity above);

  /// Moves all values that the listed entities have in tables to the rows of the new entities.
  /// Contract: no rows have moved in the two worlds since `create`.
  void take_rows() noexcept;
  /// `return_rows` moves all values that are in tables back to the source world, and `take_rows_again` moves them to
  /// the new entities again. `take_rows` needs all rows where they were at `create`; these two functions look up where
  /// each row is now.
  void return_rows() noexcept { relocate_rows(true); }
  void take_rows_again() noexcept { relocate_rows(false); }
  /// Moves the values that one listed entity has in tables to the row of its new entity. `position` is the
  /// position of the listed entity in `entities()`.
  void take_row(std::size_t position) noexcept { relocate_row(position, false); }
  /// Moves the values that the listed entities have in pools (sparse sets) to the new entities.
  /// Errors: std::bad_alloc; a part of the values may have been moved then.
  void take_members();
  /// Both functions move the values that `take_members` has moved: `return_members` moves them back to the source
  /// world, and `take_members_again` moves them to the new entities again.
  void return_members() noexcept { relocate_members(true); }
  void take_members_again() noexcept { relocate_members(false); }

  /// Undoes a transfer that moves values: moves all values of the new entities, in tables and in pools, back to the
  /// source world, and removes the new entities.
  /// Contract: the values in tables are in the new rows: `take_rows` has moved them, and `return_rows` has not moved
  /// them back.
  void undo() noexcept;

  const SavedParts& from() const { return from_; }
  const LoadedParts& to() const { return to_; }
  ComponentMatch& components() { return match_; }
  const ComponentMatch& components() const { return match_; }
  /// `entities` returns the listed entities, parents before their children. `created` returns the new entities made for
  /// them, in the same order.
  std::span<const Entity> entities() const { return listed_.entities(); }
  std::span<const Entity> created() const { return created_; }
  std::size_t root_count() const { return listed_.root_count(); }
  /// Returns: the rows of the listed entities, in the order of `entities()`; valid until rows move.
  std::span<const RowRun> rows() const { return listed_.rows(); }

  /// Goes through two lists of runs (ranges of adjacent rows of a block) that have equally many rows in total. The n-th
  /// row of `here` belongs to the n-th row of `there`. Calls `visit(Place here, Place there, count)` for each group of
  /// `count` successive rows that lie in one run of `here` and in one run of `there`.
  template <class Visit>
  static void for_each_pair(std::span<const RowRun> here, std::span<const RowRun> there, Visit visit) {
    RowRun own{nullptr, 0, 0};
    for (RowRun other : there) {
      for (std::uint32_t count = 0; other.count != 0; other.count -= count) {
        if (own.count == 0) {
          own = here.front();
          here = here.subspan(1);
        }
        count = std::min(own.count, other.count);
        visit(Place{own.block, own.row}, Place{other.block, other.row}, count);
        own.row += count;
        own.count -= count;
        other.row += count;
      }
    }
  }

  /// The entities in `entities()` that are members of `pool` (a sparse set).
  struct Members {
    SparsePool* pool;
    std::vector<std::uint32_t> positions;  ///< Positions in `entities()`, ascending.
  };
  std::span<const Members> members() const { return members_; }
  /// Returns: the positions in `entities()` of the entities for which World::set_layout was called, to choose in which
  /// tables the rows of their children are stored.
  std::span<const std::uint32_t> chosen_layouts() const { return listed_.chosen_layouts(); }

 private:
  /// A run of new rows, in the order of `entities()`, that go to one table.
  struct Stretch {
    Table* table;
    Archetype* archetype;
    Branch* branch;
    std::uint32_t count;
    bool is_block;  ///< The original rows fill a block, which is exchanged for that of the new rows.
  };

  Outcome list_archetypes();
  Outcome match_components();
  Outcome list_members();
  Archetype& target_of(const Archetype& archetype) const;
  void plan(Entity above);
  void plan_targets(Entity above);
  void plan_rows(std::uint32_t count, Branch& branch);
  bool plan_block(const RowRun& run, Branch& branch);
  Stretch& stretch_of(const Block& block, Branch& branch);
  void append_rows();
  template <class Visit>
  void for_each_run(Visit visit) const;
  void relocate_run(Place here, Place there, std::uint32_t count, bool back) noexcept;
  void relocate_row(std::size_t position, bool back) noexcept;
  void relocate_rows(bool back) noexcept;
  void relocate_members(bool back) noexcept;
  void attach_roots(Entity above);
  void undo_members(const Members& members) noexcept;
  void undo_blocks() noexcept;
  void undo_entity(std::size_t position) noexcept;

  SavedParts from_;
  LoadedParts to_;
  ListedEntities listed_;
  ComponentMatch match_;
  NewEntities made_;
  BlockExchange exchange_;
  bool copies_;
  bool exchanges_ = false;        // Whether some blocks of the source world may be exchanged.
  std::vector<RowRun> new_rows_;  // The new rows, until they move.
  std::vector<Entity> created_;
  std::vector<const Archetype*> archetypes_;  // The archetypes of the listed entities, each once.
  std::vector<Archetype*> targets_;           // Archetypes of new entities, by the original archetype's id.
  std::vector<Stretch> stretches_;
  std::size_t planned_run_ = 0;       // Index in `rows()` of the run with the next row to plan.
  std::uint32_t planned_in_run_ = 0;  // How many rows of run `planned_run_` are planned.
  const Block* planned_ = nullptr;    // The block of the row that was planned last.
  std::vector<Members> members_;
};

}  // namespace strata::detail
