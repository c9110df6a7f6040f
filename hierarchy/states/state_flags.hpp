// StateFlags: why an entity is in states such as disabled, read from the tags of its archetype.
#pragma once

#include <cstdint>

#include "../../storage/store.hpp"
#include "../links/links.hpp"

namespace strata::detail {

/// Why an entity is in states; it is in those of all three sets. Each is a tag of its archetype; see StateTags.
struct StateFlags {
  StateSet itself;   ///< It was put into these alone.
  StateSet subtree;  ///< It was put into these with all entities below it.
  StateSet above;    ///< An ancestor has them in `subtree`.

  StateSet all() const { return itself | subtree | above; }
  /// Returns: what the children of the entity have in `above`.
  StateSet closes() const { return subtree | above; }

  friend bool operator==(const StateFlags&, const StateFlags&) = default;
};

/// Returns: why the entities of an archetype are in states.
inline StateFlags flags_of(const Store& store, const Archetype& archetype) {
  StateFlags flags;
  for (const State state : kStates) {
    if (!archetype.states().contains(state)) continue;
    const StateTags& tags = store.registry().state_tags(state);
    const BlockFormat& format = archetype.format();
    flags.itself.set(state, format.contains(tags.itself));
    flags.subtree.set(state, format.contains(tags.subtree));
    flags.above.set(state, format.contains(tags.above));
  }
  return flags;
}
/// Returns: why the entity with this slot index is in states.
/// Contract: the entity is alive.
inline StateFlags flags_of(const Store& store, std::uint32_t node) {
  return flags_of(store, table_of(*store.slots().place_of(node).block).archetype());
}

/// Returns: the states in which entities below this parent are because of it or of an ancestor; none for
/// Links::kNone.
inline StateSet closes(const Store& store, std::uint32_t parent) {
  return parent != Links::kNone ? flags_of(store, parent).closes() : StateSet();
}

/// Returns: the archetype that has these flags, and otherwise the components of `from`; created if it is new.
/// Errors: std::bad_alloc; nothing has changed then.
/// Contract: the tags of the states are registered, unless `flags` are those of `from`.
Archetype& with_flags(Store& store, Archetype& from, StateFlags flags);

/// Returns: the archetype for a new child of a live parent which is to have the components of `archetype`.
/// Errors: std::bad_alloc; nothing has changed then.
Archetype& archetype_below(Store& store, Archetype& archetype, std::uint32_t parent);

}  // namespace strata::detail
