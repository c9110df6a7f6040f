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
    // The public tag (`shown`) comes last. A program must not add or remove it as a component, but this is only checked
    // when a step between two archetypes is taken for the first time; later, the step is cached. In this order, cached
    // steps for this tag begin only at archetypes that have no rows, so they do not let a program avoid the check. See
    // Archetypes::require_by_library.
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
