#include "fact_reader.hpp"

#include <algorithm>
#include <string_view>

#include "../../core/value_buffer.hpp"
#include "../../storage/store_change.hpp"
#include "../../storage/toggles.hpp"
#include "../relations/topological.hpp"

namespace strata::detail {

bool FactReader::read_name(ByteReader& from) {
  Entity entity;
  if (!state_.read_entity(from, entity)) return false;
  const std::string_view name = from.read_text();
  if (from.failed() || !state_.parts.names.name(entity).empty()) return false;
  const Outcome set = state_.parts.names.set(entity, name);
  return set ? true : state_.refuse(set.message());
}

bool FactReader::read_pair(ByteReader& from) {
  const SavedComponent* const component = state_.read_number(from);
  Entity source;
  Entity target;
  if (component == nullptr || !state_.read_entity(from, source) || !state_.read_entity(from, target))
    return false;
  if (component->is_skipped())
    return component->is_relation && state_.read_values_of(*component, nullptr, 1, from);
  const ComponentInfo& info = state_.parts.store.registry()[component->id];
  Pairs* const pairs = component->pairs;
  if (pairs == nullptr || source == target || pairs->find(source, target) || pairs->displaces(source, target))
    return state_.refuse_entity(source.index(), "has a pair of " + in_quotes(info.name) + " that cannot be");
  // Do not check here whether the pair closes a cycle: a search for each single pair could take time in proportion to
  // the number of pairs. `close_pairs` checks all pairs together.
  const Store::Change change(state_.parts.store, "load", source);
  const auto add = [&](const GivenValue& given) {
    state_.parts.relations.connect(*pairs, source, target, given);
    state_.parts.relations.destroy_dead();
  };
  ValueBuffer buffer(info, state_.parts.store.memory());
  if (info.is_tag()) {
    add({component->id, nullptr, nullptr});
    return state_.read_values_of(*component, nullptr, 1, from);
  }
  if (!state_.read_value(*component, buffer.get(), from)) return false;
  Rollback destroy([&] { info.destroy_values(buffer.get(), 1); });
  add({component->id, buffer.get(),
       [](const ComponentInfo& of, void* to, void* value) noexcept { of.relocate_values(to, value, 1); }});
  destroy.dismiss();
  return true;
}

bool FactReader::close_pairs() {
  std::vector<Entity> order;
  for (const Pairs* const pairs : state_.parts.relations.all()) {
    if (!pairs->options().acyclic || pairs->size() == 0) continue;
    if (const Outcome listed = list_topological(*pairs, order); !listed)
      return state_.refuse(listed.message());
  }
  return true;
}

bool FactReader::read_off(ByteReader& from) {
  const SavedComponent* const component = state_.read_number(from);
  Entity entity;
  if (component == nullptr || !state_.read_entity(from, entity)) return false;
  if (component->is_skipped()) return true;
  const ComponentInfo& info = state_.parts.store.registry()[component->id];
  if (info.can_toggle) return toggle_component(state_.parts.store, entity, component->id, false);
  if (state_.rules.changed == ChangedComponents::refuse)
    return state_.refuse(in_quotes(info.name) + " cannot be switched off in the program");
  if (std::ranges::find(on_again_, component) == on_again_.end()) {
    on_again_.push_back(component);
    state_.notes.push_back({LoadNote::Kind::skipped, component->name, "",
                            in_quotes(component->name) +
                                " is switched on everywhere: it cannot be switched off in the program"});
  }
  return true;
}

}  // namespace strata::detail
