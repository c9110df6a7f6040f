#include "system_parameters.hpp"

namespace strata::detail {

void add_access(SystemAccess& access, const SystemSource& source, std::span<const TypedTerm> terms) {
  Registry& registry = source.parts.store.registry();
  for (const TypedTerm& term : terms) {
    if (term.id_in == nullptr) continue;
    const ComponentInfo& component = registry[term.id_in(registry)];
    if (!term.yields && component.tracking == Tracking::none) continue;
    const Accessed accessed = source.names.number_of(component.name);
    term.writes ? access.add_write(accessed) : access.add_read(accessed);
  }
}

}  // namespace strata::detail
