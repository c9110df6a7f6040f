#include "instances.hpp"

#include <algorithm>
#include <cstddef>
#include <memory_resource>
#include <numeric>
#include <utility>
#include <vector>

namespace strata::detail {
namespace {

/// Returns: the value of the pair from an instance to its prefab; null if the entity is no instance.
const InstanceOf* value_of(const Pairs& pairs, Entity instance) {
  const bool is_instance = !pairs.of(End::source, instance).empty();
  return is_instance ? static_cast<const InstanceOf*>(pairs.value(instance, 0)) : nullptr;
}

const Pairs* find_pairs(const Store& store, const RelationSet& relations) {
  return relations.find(store.registry().find_or_unknown<InstanceOf>());
}

Entity prefab_of(const Pairs& pairs, Entity instance) {
  const std::span<const Entity> targets = pairs.of(End::source, instance);
  return !targets.empty() ? targets.front() : Entity();
}

}  // namespace

void add_instances(Store& store, RelationSet& relations, std::span<const Entity> originals,
                   std::span<const Entity> copies) {
  const ComponentId id = store.registry().id_of<InstanceOf>();
  Pairs& pairs = relations.get(id, relation_options_of<InstanceOf>);
  const auto move = [](const ComponentInfo&, void* to, void* from) noexcept {
    ::new (to) InstanceOf(std::move(*static_cast<InstanceOf*>(from)));
  };
  std::pmr::vector<std::uint32_t> order(originals.size(), store.memory());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t position) { return originals[position].bits(); });
  for (std::size_t first = 0; first < copies.size(); first += originals.size()) {
    InstanceOf value(store.memory(), originals.size());
    for (const std::uint32_t position : order) value.append(originals[position], copies[first + position]);
    relations.connect(pairs, copies[first], originals[0], {id, &value, move});
  }
}

Entity prefab_of(const Store& store, const RelationSet& relations, Entity instance) {
  const Pairs* const pairs = find_pairs(store, relations);
  return pairs != nullptr ? prefab_of(*pairs, instance) : Entity();
}

Entity counterpart(const Store& store, const RelationSet& relations, Entity instance, Entity node) {
  const Pairs* const pairs = find_pairs(store, relations);
  if (pairs == nullptr || !store.alive(node)) return {};
  // A prefab may itself be an instance of another prefab, and so on. `node` may be an entity of any prefab in this
  // chain. An instance has a pair of InstanceOf, whose value has a copy for each entity of the prefab. Beginning with
  // `instance`, the first loop follows the chain to the first value that has a copy of `node`, and lists the values
  // before it in `below`. The number of steps is limited because pairs that a program has added may form a cycle. The
  // copy in `found` may belong to a prefab in the chain. So the second loop goes back through `below`, and replaces
  // `found` by the copy that was made of it, until `found` belongs to `instance`.
  std::vector<const InstanceOf*> below;
  Entity found;
  for (Entity at = instance; !found && below.size() <= pairs->size(); at = prefab_of(*pairs, at)) {
    const InstanceOf* const value = value_of(*pairs, at);
    if (value == nullptr) return {};
    found = value->find(node);
    if (!found) below.push_back(value);
  }
  for (; found && !below.empty(); below.pop_back()) found = below.back()->find(found);
  return store.alive(found) ? found : Entity();
}

}  // namespace strata::detail
