// History: keeps checkpoints of a world and restores them: for rollback, and to undo and redo changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "../../core/compiler.hpp"
#include "../../core/outcome.hpp"
#include "../../core/owned.hpp"
#include "../../hierarchy/saving/contents.hpp"
#include "world.hpp"

namespace strata {

/// The limits of what a History keeps. To stay within both limits, the History drops its oldest checkpoints, but never
/// the newest one.
struct HistoryLimits {
  std::size_t checkpoints = std::numeric_limits<std::size_t>::max();  ///< How many checkpoints are kept.
  std::size_t bytes = std::numeric_limits<std::size_t>::max();  ///< Of all checkpoints; see History::bytes.
};

/// The result of History::delta.
struct [[nodiscard]] HistoryDelta {
  Outcome outcome;    ///< If refused, its sentence says why.
  std::string bytes;  ///< Empty if the delta was refused.
};

/// Keeps checkpoints of a world in memory, one after the other, and brings the world back to any of them. Restoring a
/// checkpoint restores all of these: every handle and the order in which later handles are issued; parents and the
/// order of children; names; components and their values; disabled entities and prefabs; layers; in which tables or
/// sparse sets values are stored, the order of the rows in tables, and the order of the entities in sparse sets; the
/// pairs of relations; and resources (see is_saved_resource). So a program that makes the same calls after the
/// restoration as it made after the checkpoint gets the same world. A handle that was issued after the checkpoint is
/// stale after the restoration, but may be issued again, for another entity. So when a checkpoint is restored, drop all
/// handles that were issued after it.
///
/// Recorded commands, queued events, hooks and observers are not part of a checkpoint. No hook or observer is notified
/// of a restoration. Values that a restoration replaces count as changed, so queries for changed values find them.
/// Functions that listened to events at a destroyed entity are not restored with the entity.
///
/// Checkpoints share the memory of data that did not change between them. If changes of a component are tracked (see
/// tracking_of), a checkpoint examines only the rows, or blocks of rows, whose values were accessed for writing since
/// the last checkpoint. A write through a reference counts when the reference is looked up, so after a checkpoint, do
/// not write through a reference that was looked up before the checkpoint. Values of components whose changes are not
/// tracked are compared with those of the last checkpoint, or copied if they cannot be compared as bytes. Changed
/// values in tables are copied in pages of 4 KiB. A changed resource or pool, the names, and the pairs of a relation
/// are each copied as a whole. If any entity was created, destroyed or moved, the lists of all handles, parents and
/// siblings are copied as a whole, too.
///
/// Archetypes and components that became known after a checkpoint stay known, so later iterations may visit archetypes
/// in another order than in a world that was never restored.
///
/// Contract: the world outlives the History.
/// Threads: each call counts as a change of the world: no other thread may use the world or the History at the same
/// time.
class History {
 public:
  STRATA_API explicit History(World& world, HistoryLimits limits = {});
  History(const History&) = delete;
  History& operator=(const History&) = delete;
  STRATA_API ~History();

  /// Takes a checkpoint. The first one has number 0; each further one has the number of the current checkpoint,
  /// `position()`, plus 1. After `restore` or `undo`, there may already be checkpoints with this number or a higher
  /// one: they are dropped. `name` names the changes since the checkpoint `position()`, for example for the undo menu
  /// of an editor.
  /// Returns: success; or a refusal that names a component or resource whose values cannot be copied.
  /// Errors: std::bad_alloc, and what copying a value throws; nothing has changed then.
  /// Contract: no query iterates, no other change is under way, and no recorded commands wait to be applied.
  /// Complexity: O(blocks + values whose changes are not tracked + changes), plus O(entities) after structural changes.
  /// Blocks are the allocations that hold the rows of tables.
  [[nodiscard]] STRATA_API Outcome checkpoint(std::string_view name = {});

  /// Brings the world back to the checkpoint with this number. Changes since a checkpoint was last taken or restored
  /// are lost. Checkpoints with higher numbers are kept until `checkpoint` is called again.
  /// Returns: success; refused if there is no such checkpoint.
  /// Errors: std::bad_alloc, and what copying a value throws; after an exception, the world is as it was before the
  /// call.
  /// Contract: as for `checkpoint`; functions that copy values record no commands.
  /// Invalidates: pointers to values, and to resources whose values are replaced.
  /// Complexity: as for `checkpoint`, counting the differences between the world and the restored checkpoint as
  /// changes.
  [[nodiscard]] STRATA_API Outcome restore(std::uint64_t number);

  /// Do what `restore` does: `undo` with the checkpoint number `position() - 1`, `redo` with `position() + 1`.
  /// Returns: false if there is no such checkpoint; nothing has changed then.
  STRATA_API bool undo();
  STRATA_API bool redo();

  /// Describes how the checkpoint `to` differs from the checkpoint `from`, which may be older or newer, entity by
  /// entity: for replication, and to save changes only. The delta names entities by handles, and components and
  /// resources by names, so it can be applied to any world that has the contents of `from`. It contains neither the
  /// tables, pools and layouts in which values are stored, nor the handles that will be issued next.
  /// Returns: the delta; refused if `from` or `to` is not the number of a kept checkpoint, or, with
  /// Undescribed::refuse, if the program does not describe the members of a value's type (see members_of).
  /// Errors: std::bad_alloc, and what the program's functions for an OwnFormat throw (see members_of).
  /// Complexity: O(blocks of table rows + changes) if the checkpoints differ only in values whose changes are tracked
  /// (see tracking_of). A changed pool (sparse set), the names, and the pairs of a relation are compared as a whole.
  /// After structural changes, all entities are compared.
  [[nodiscard]] STRATA_API HistoryDelta delta(std::uint64_t from, std::uint64_t to,
                                              Undescribed undescribed = Undescribed::refuse) const;

  /// Returns: what strata::digest would return for a world with the contents of the checkpoint. Only what differs from
  /// the checkpoint of the previous call of `digest` is hashed, so the cost of a digest in each frame is proportional
  /// to what has changed. For that, the contents of that checkpoint stay in memory, even after it is dropped.
  /// Errors: std::bad_alloc, and exceptions of functions that members_of lists.
  /// Contract: the checkpoint is still kept; the contract of strata::digest.
  /// Complexity: as for `delta`.
  STRATA_API std::uint64_t digest(std::uint64_t number, Undescribed undescribed = Undescribed::refuse) const;

  /// Applies a delta that the function `delta` has made. The delta changes a world with the contents of the checkpoint
  /// `from` into one with the contents of the checkpoint `to`. Everything that the delta changes is compared with
  /// `from` before the changes, and with `to` afterwards; the rest of the world may differ from both checkpoints. Take
  /// a checkpoint afterwards to keep the new contents. Hooks and observers are not notified, as in `restore`. Commands
  /// that user code records while the changes are made are applied after all of them, or discarded if the call fails.
  /// Returns: success; or a refusal, after which the world is as before. The call is refused in these cases:
  /// - the bytes are no valid delta; they may come from a source that is not trusted
  /// - the world does not know a component, resource or relation of the delta
  /// - what the delta changes is not in the state of the checkpoint `from` before, or of `to` afterwards
  /// - the delta creates an entity whose Entity::index is greater than the number of slots in WorldStats plus 2^20 plus
  ///   1024 for each byte of the delta; this limit prevents a short delta from causing a large allocation
  /// Errors: std::bad_alloc, and exceptions of copying a value and of functions that members_of lists. The world is
  /// then as before, unless undoing the changes fails, too: in that case, the world keeps a part of the changes, and
  /// `restore` of the last checkpoint can be tried. Exceptions of observers, and of applying the commands that were
  /// recorded meanwhile: the delta is applied then.
  /// Contract, Invalidates: as for `restore`.
  /// Complexity: as for `checkpoint`, plus O(delta). Destroying an entity, or moving it to another parent, costs as
  /// much as World::destroy or World::set_parent.
  [[nodiscard]] STRATA_API Outcome apply(std::string_view delta);

  // The kept checkpoints have successive numbers, from `begin()` to just before `end()`.

  /// Returns: the number of the checkpoint that was taken or restored last.
  /// Contract: a checkpoint was taken before.
  STRATA_API std::uint64_t position() const;
  /// Returns: the number of the oldest checkpoint that is kept; the same as `end()` if there is none.
  STRATA_API std::uint64_t begin() const;
  /// Returns: one more than the number of the newest checkpoint; 0 before the first checkpoint.
  STRATA_API std::uint64_t end() const;
  /// Returns: the name that `checkpoint` was given for the checkpoint with this number; empty if none was given.
  /// Contract: the checkpoint is kept.
  STRATA_API std::string_view name(std::uint64_t number) const;
  /// Returns: the number of bytes that all checkpoints take.
  STRATA_API std::size_t bytes() const;

 private:
  struct Checkpoints;

  detail::Owned<Checkpoints> checkpoints_;
};

}  // namespace strata
