// TargetTables: for relations that store the entities with the same target in tables of their own. It moves an entity's
// row into these tables when the entity gets the target, and out of them when it loses the target.
#pragma once

#include <span>
#include <string>

#include "../../core/entity.hpp"
#include "../../storage/store.hpp"
#include "pairs.hpp"

namespace strata::detail {

class Dependents;
class TableChange;

/// If a relation is stored in tables, the sources of each target (the entities from which a pair leads to the target)
/// are in tables of their own: each target has a tag (see TargetTags), and its sources are in the tables of archetypes
/// with this tag. TargetTables moves the rows.
///
/// Invariants:
///   I14. In a relation that is stored in tables, exactly the sources of a target have the target's tag.
///
/// Threads: any number of readers, or one writer.
class TargetTables {
 public:
  explicit TargetTables(Store& store) : store_(store) {}

  /// Moves the row of a source to the archetype that has the tag of `target` (see TargetTags) instead of the tag of the
  /// old target `before`, which may be null.
  /// Errors: std::bad_alloc; nothing has changed then.
  void enter(Pairs& pairs, Entity source, Entity target, Entity before);
  /// Moves the row of a source to the archetype without the tags of `targets` (see TargetTags).
  /// Errors: std::bad_alloc; nothing has changed then.
  void leave(Pairs& pairs, Entity source, std::span<const Entity> targets);
  /// Called before all pairs of an entity are removed: those of which it is the source or the target, as `end` says.
  /// With End::source, moves the row of `entity` out of the tables of its targets. With End::target, moves the rows of
  /// all sources of `entity` out of the tables for sources of `entity`.
  /// Errors: std::bad_alloc; no row has left its table then, but rows may have moved within their tables.
  void leave_all(Pairs& pairs, End end, Entity entity);

  /// Prepares the destruction of the entities in `listed`: adds to `change` the rows of their sources, which have to
  /// leave the tables of these targets. Sources that are themselves in `listed` are not added.
  /// Errors: std::bad_alloc.
  static void add_leaving(TableChange& change, const Pairs& pairs, const Dependents& listed);

  /// Returns: a sentence about the first invariant that does not hold for a relation; an empty string if all hold.
  std::string check(const Pairs& pairs) const;

 private:
  Store& store_;
};

}  // namespace strata::detail
