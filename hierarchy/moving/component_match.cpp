#include "component_match.hpp"

#include <algorithm>

#include "../../storage/set_storage.hpp"
#include "../relations/pair.hpp"
#include "../saving/part_entity.hpp"

namespace strata::detail {
namespace {

Outcome refuse_component(const ComponentInfo& info, const std::string& why) {
  return Outcome::refused("component \"" + info.name + "\" cannot get from one world to the other: " + why);
}

}  // namespace

bool ComponentMatch::is_of_program(ComponentId id) const {
  const Registry& registry = from_.store.registry();
  const std::string& name = registry[id].name;
  return id != from_.names.component() && !is_of_pairs(name) && !registry.is_state_tag(id) &&
         !from_.layers.uses(id) && !Registry::is_internal(name) && name != name_of<OriginalHandle> &&
         name != name_of<OutsideEntity>;
}

Outcome ComponentMatch::add(ComponentId id) {
  if (find(id) != Registry::kUnknown || !is_of_program(id)) return Outcome::done();
  const ComponentInfo info = from_.store.registry().declared(id);
  if (copies_ && !info.can_copy() && (info.value == nullptr || !info.value->has_first)) {
    if (undescribed_ == Undescribed::leave_out) return Outcome::done();
    return refuse_component(info, "its values can be neither copied nor written; write members_of for it");
  }
  Registry& registry = to_.store.registry();
  if (const std::string conflict = registry.find_conflict(info); !conflict.empty())
    return refuse_component(info,
                            "it has another " + conflict +
                                " there: describe it alike in both worlds, or give one of them another name");
  const bool is_new = !registry.find(info.name);
  const ComponentId there = registry.add_internal(info);
  const Storage storage = from_.store.registry()[id].storage;
  if (is_new) set_storage(to_.store, there, storage);
  if (registry[there].storage != storage)
    return refuse_component(
        info,
        "it is in a sparse set in one of them, and in tables in the other: move it with World::set_storage");
  if (to_index(id) >= ids_.size()) ids_.resize(to_index(id) + 1, Registry::kUnknown);
  ids_[to_index(id)] = there;
  return Outcome::done();
}

Outcome ComponentMatch::add_relation(const Pairs& pairs) {
  if (find(pairs.id()) != Registry::kUnknown) return Outcome::done();
  if (Outcome matched = add(pairs.id()); !matched) return matched;
  const ComponentId there = find(pairs.id());
  if (there == Registry::kUnknown) return Outcome::done();
  const ComponentInfo& info = pairs.component();
  if (!info.can_copy())
    return refuse_component(info,
                            "the values of its pairs cannot be copied: give their type a copy constructor");
  const Pairs* const known = to_.relations.find(there);
  if (known != nullptr && known->options() != pairs.options())
    return refuse_component(info, "the relation has other options there: describe it alike in both worlds");
  static_cast<void>(to_.relations.get(there, pairs.options()));
  return Outcome::done();
}

}  // namespace strata::detail
