#include "state_flags.hpp"

namespace strata::detail {

Archetype& with_flags(Store& store, Archetype& from, StateFlags flags) {
  const StateFlags before = from.state_flags();
  if (before == flags) return from;
  Archetypes& archetypes = store.archetypes();
  Archetype* to = &from;
  for (const State state : kStates) {
    const StateTags& tags = store.registry().state_tags(state);
    const auto set = [&](ComponentId tag, StateSet was, StateSet is) {
      if ((was ^ is).contains(state))
        to = is.contains(state) ? &archetypes.with(*to, tag) : &archetypes.without(*to, tag);
    };
    // Change the public tag (`shown`) last. The other three tags give the reasons, and an entity has the public tag
    // exactly if it has one of them. Archetypes::with and `without` refuse to add or remove the public tag unless it
    // disagrees with the other tags. It only disagrees in the intermediate archetypes of this loop, which no entity
    // ever has. So a program cannot add or remove the public tag as a component.
    set(tags.itself, before.itself, flags.itself);
    set(tags.subtree, before.subtree, flags.subtree);
    set(tags.above, before.above, flags.above);
    set(tags.shown, before.all(), flags.all());
  }
  return *to;
}

Archetype& archetype_below(Store& store, Archetype& archetype, std::uint32_t parent) {
  StateFlags flags = archetype.state_flags();
  flags.above = inherited_from(store, parent);
  return with_flags(store, archetype, flags);
}

}  // namespace strata::detail
