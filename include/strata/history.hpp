// History: checkpoints of a world, to which it can go back: for rollback, and to undo and redo changes.
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

/// How much a History keeps. It drops its oldest checkpoints to stay within both limits, but keeps the newest one.
struct HistoryLimits {
  std::size_t checkpoints = std::numeric_limits<std::size_t>::max();
  std::size_t bytes = std::numeric_limits<std::size_t>::max();
};

/// The result of History::delta.
struct HistoryDelta {
  Outcome outcome;    ///< If refused, its sentence says why.
  std::string bytes;  ///< Empty if it was refused.
};

/// Checkpoints of a world in memory, one after the other, and going back and forth between them. A world that is
/// restored is what it was: every handle and the order in which later ones are issued, parents and the order of
/// children, names, components and their values, states, layers, layouts, storages and pairs, rows and members in their
/// order, and resources (see is_saved_resource). So the same calls lead to the same world again.
///
/// Recorded commands, queued events, hooks and observers are no part of a checkpoint. Going back is quiet: no
/// hook or observer is told of it. Values that it replaces count as written, so queries for changes find them.
/// Functions that listen at an entity that was destroyed do not come back with it.
///
/// Checkpoints share what has not changed between them. Of tracked components (see tracking_of), only blocks and rows
/// are looked at that were written since the last checkpoint, so write through references that were got after it.
/// Values of other components are compared with those of the last checkpoint, or copied if they cannot be compared as
/// bytes. What is copied are pages of 4 KiB; a resource, a pool, the names and the pairs of a relation each as a whole;
/// and slots and links of all entities when one was created, destroyed or moved.
///
/// Archetypes and components that became known after a checkpoint stay known, so iterations may later visit archetypes
/// in another order than in a world that did not go back.
///
/// Contract: the world outlives it.
/// Threads: as one writer of the world.
class History {
 public:
  STRATA_API explicit History(World& world, HistoryLimits limits = {});
  History(const History&) = delete;
  History& operator=(const History&) = delete;
  STRATA_API ~History();

  /// Takes a checkpoint, which follows the one at `position`. Those that followed it before are dropped. `name` is for
  /// the changes since then, as an editor shows them.
  /// Returns: success; or a refusal that names a component or resource whose values cannot be copied.
  /// Errors: std::bad_alloc, and what copying a value throws; nothing has changed then.
  /// Contract: no query iterates, no other change is under way, and no commands are recorded.
  /// Complexity: O(blocks + values that are not tracked + changes); O(entities) after structural changes.
  [[nodiscard]] STRATA_API Outcome checkpoint(std::string_view name = {});

  /// Makes the world what it was at a checkpoint. Changes since the last checkpoint are lost; other checkpoints stay
  /// until the next one is taken.
  /// Returns: success; refused if there is no such checkpoint.
  /// Errors: std::bad_alloc, and what copying a value throws; the world is as before then.
  /// Contract: as for `checkpoint`.
  /// Invalidates: pointers to values, and to resources whose values are replaced.
  /// Complexity: as for `checkpoint`, with the differences in place of the changes.
  [[nodiscard]] STRATA_API Outcome restore(std::uint64_t number);

  /// Go to the checkpoint before (`undo`) or after (`redo`) the one at `position`, as `restore` does.
  /// Returns: false if there is none; nothing has changed then.
  STRATA_API bool undo();
  STRATA_API bool redo();

  /// Writes in what one checkpoint differs from another one, older or newer, entity by entity: for replication, and to
  /// save what has changed. It names entities by handles, and components and resources by names, so it can be applied
  /// to any world that contains the same. In which tables, pools and layouts values lie is no part of it, nor which
  /// handles come next.
  /// Returns: the delta; refused if there are no such checkpoints, or values are not described and not left out.
  /// Errors: std::bad_alloc, and what functions of members_of throw.
  /// Complexity: O(blocks + what has changed), where values of tracked components changed alone; pools, names and the
  /// pairs of a relation count as a whole, and all entities after structural changes, as for `checkpoint`.
  [[nodiscard]] STRATA_API HistoryDelta delta(std::uint64_t from, std::uint64_t to,
                                              Undescribed undescribed = Undescribed::refuse) const;

  /// Returns: what `digest` returned for the world at a checkpoint. Only what differs from the checkpoint of the call
  /// before is hashed, so a digest for each frame costs in proportion to what has changed. That checkpoint is kept in
  /// memory.
  /// Errors: std::bad_alloc, and what functions of members_of throw.
  /// Contract: the checkpoint is kept; as for `digest`.
  /// Complexity: as for `delta`.
  STRATA_API std::uint64_t digest(std::uint64_t number, Undescribed undescribed = Undescribed::refuse) const;

  /// Makes the world, which contains what another one did at the first checkpoint of a delta, contain what that did at
  /// the second one. All that the delta changes is compared with the earlier state before, and with the later one
  /// afterwards; what it does not change may differ. Take a checkpoint afterwards to keep the state. As going back,
  /// this is quiet: no hook or observer is told.
  /// Returns: success; or a refusal, after which the world is as before: the delta is damaged, the world is in another
  /// state, or does not know a component, resource or relation of it. A delta may have any content.
  /// Errors: std::bad_alloc, and what functions of members_of or copying a value throws; the world is as before then,
  /// unless going back fails in the same way: then it has a part of the changes, and `restore` leads to the last
  /// checkpoint.
  /// Contract, Invalidates: as for `restore`.
  /// Complexity: as for `checkpoint`, and O(delta). An entity that is destroyed or moved costs what that costs.
  [[nodiscard]] STRATA_API Outcome apply(std::string_view delta);

  // Checkpoints are numbered from 0 in the order in which they follow each other.

  /// Returns: the checkpoint that was taken or restored last.
  /// Contract: there is one.
  STRATA_API std::uint64_t position() const;
  /// Returns: the oldest checkpoint that is kept; `end` if there is none.
  STRATA_API std::uint64_t begin() const;
  /// Returns: one more than the number of the newest checkpoint.
  STRATA_API std::uint64_t end() const;
  /// Returns: the name of a checkpoint.
  /// Contract: it is kept.
  STRATA_API std::string_view name(std::uint64_t number) const;
  /// Returns: the memory of all checkpoints.
  STRATA_API std::size_t bytes() const;

 private:
  struct Checkpoints;

  detail::Owned<Checkpoints> checkpoints_;
};

}  // namespace strata
