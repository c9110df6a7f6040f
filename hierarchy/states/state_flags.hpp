// StateFlags: why an entity is disabled, read from the tags of its archetype.
#pragma once

#include <cstdint>

#include "../../storage/store.hpp"
#include "../links/links.hpp"

namespace strata::detail {

/// Why an entity is disabled; it is if any of these is true. Each is a tag of its archetype; see StateTags.
struct StateFlags {
  bool itself = false;   ///< It was disabled alone.
  bool subtree = false;  ///< It was disabled with all entities below it.
  bool above = false;    ///< An ancestor has `subtree`.

  bool any() const { return itself || subtree || above; }
  /// Returns: whether the children of the entity have `above`.
  bool closes() const { return subtree || above; }

  friend bool operator==(const StateFlags&, const StateFlags&) = default;
};

/// Returns: why the entities of an archetype are disabled.
inline StateFlags flags_of(const Store& store, const Archetype& archetype) {
  if (!archetype.is_in_state()) return {};
  const StateTags& tags = store.registry().disabled_tags();
  const BlockFormat& format = archetype.format();
  return {format.contains(tags.itself), format.contains(tags.subtree), format.contains(tags.above)};
}
/// Returns: why the entity with this slot index is disabled.
/// Contract: the entity is alive.
inline StateFlags flags_of(const Store& store, std::uint32_t node) {
  return flags_of(store, table_of(*store.slots().place_of(node).block).archetype());
}

/// Returns: whether entities below this parent are disabled because of it or of an ancestor. False for
/// Links::kNone.
inline bool closes(const Store& store, std::uint32_t parent) {
  return parent != Links::kNone && flags_of(store, parent).closes();
}

/// Returns: the archetype that has these flags, and otherwise the components of `from`; created if it is new.
/// Errors: std::bad_alloc; nothing has changed then.
/// Contract: the tags of the state are registered, unless `flags` are those of `from`.
Archetype& with_flags(Store& store, Archetype& from, StateFlags flags);

/// Returns: the archetype for a new child of a live parent which is to have the components of `archetype`.
/// Errors: std::bad_alloc; nothing has changed then.
Archetype& archetype_below(Store& store, Archetype& archetype, std::uint32_t parent);

}  // namespace strata::detail
