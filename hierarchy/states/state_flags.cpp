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
    // Change the public tag (`shown`) last. If it has to change, it now disagrees with the other three tags, which give
    // the reasons. Archetypes allows a change of the public tag only if the tags disagree, because a program must not
    // add or remove the public tag as a component. A program cannot get around this: no entity has an archetype in
    // which the tags disagree.
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
