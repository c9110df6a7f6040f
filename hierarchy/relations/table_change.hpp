// TableChange: for relations that store the entities with the same target in tables of their own. It moves the rows of
// many such entities out of these tables at once.
#pragma once

#include <cstdint>
#include <vector>

#include "../../core/plain_list.hpp"
#include "../../storage/mass_changes.hpp"
#include "pairs.hpp"

namespace strata::detail {

/// In a relation that is stored in tables, the rows of the sources of one target (the entities from which a pair leads
/// to the target) are in tables of their own, because they have a tag for this target; see TargetTags. A TableChange
/// takes the tags of one or more targets off their sources: all of the rows move together, to tables of archetypes
/// without these tags.
///
/// An object can be used for one change only.
/// Contract: nothing else changes the world from the first call of `add` until the rows have moved.
class TableChange {
 public:
  explicit TableChange(Store& store) : store_(store), rows_(store.memory()), tags_(store.memory()) {}

  /// Adds a target of a relation that is stored in tables. Collects the rows of those of its sources for which
  /// `leaves(Entity source)` returns true, to move them later; see `apply`. Does nothing if the target has no tag.
  /// Errors: std::bad_alloc; the world is unchanged then, but this object must not be used any more, because it may
  /// have only a part of the rows.
  template <class Leaves>
  void add(const Pairs& pairs, Entity target, Leaves leaves) {
    const ComponentId tag = pairs.tags()->find(target);
    if (tag == Registry::kUnknown) return;
    tags_.push_back(tag);
    for (const Entity source : pairs.of(End::target, target)) {
      if (leaves(source)) rows_.add(store_.slots().place_of(source.index()));
    }
  }
  /// Moves the rows that `add` has collected. A caller that moves them itself calls `list` and `find_target` instead.
  /// Errors: std::bad_alloc; no row has left its table then, but rows may have moved within their tables.
  void apply();

  /// Moves the rows of all sources of one target out of the target's tables: calls `add` for this target, and `apply`.
  /// Errors: those of `apply`.
  void leave(const Pairs& pairs, Entity target) {
    add(pairs, target, [](Entity) { return true; });
    apply();
  }

  /// Returns: the slot indices of the sources whose rows move, sorted.
  /// Errors: std::bad_alloc.
  std::vector<std::uint32_t> list();
  /// The class that moves the rows (MassChanges or StateShift) calls this function to learn to which archetype they
  /// move. `from` is the archetype of one or more of the rows. If StateShift also changes the state of a row's entity,
  /// such as disabled, `from` is the archetype for the new state. `context` is the address of a TableChange.
  /// Returns: the archetype with the components of `from`, but without the tags of the targets passed to `add`.
  /// Errors: std::bad_alloc; nothing has changed then.
  static Archetype& find_target(void* context, Archetype& from);

 private:
  Store& store_;
  RowSelection rows_;
  PlainList<ComponentId> tags_;
};

}  // namespace strata::detail
