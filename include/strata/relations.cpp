#include "relations.hpp"

#include "../../core/contract.hpp"
#include "../../storage/given_values.hpp"

namespace strata {
namespace {

/// Returns: the object that stores the pairs of the relation with this id.
/// Contract: the relation is registered.
detail::Pairs& require_known(const detail::RelationSet& relations, const detail::Store& store,
                             ComponentId id) {
  detail::Pairs* const pairs = relations.find(id);
  STRATA_EXPECTS(pairs != nullptr, "the component \"" + store.registry()[id].name +
                                       "\" is no relation: call Relations::relation for it first");
  return *pairs;
}

/// Checks the `value` that a caller passes in order to add a pair of a relation that has values.
/// Contract: `value` is not null. `*value` is not stored in the world, for an entity or a pair: the addition ends its
/// lifetime, and the world would destroy it a second time.
void require_pair_value(const detail::RelationSet& relations, const detail::Store& store,
                        const detail::Pairs& pairs, const void* value) {
  const auto refused = [&](const char* why) {
    return "add of a pair of \"" + pairs.component().name + "\": " + why;
  };
  STRATA_EXPECTS(value != nullptr,
                 refused("it has a value, and null was passed: pass the address of a value"));
  STRATA_EXPECTS(!detail::holds_value_at(store, value) && !relations.holds_value_at(value),
                 refused("the value is stored in this world: copy it, or move it out, first"));
}

/// Returns: whether `id` stands for ChildOf: it is kChildOf, or the id with which the component ChildOf is registered.
bool is_child_of(const detail::Store& store, ComponentId id) {
  return id == kChildOf || store.registry()[id].name == name_of<ChildOf>;
}

}  // namespace

ComponentId Relations::relation(const ComponentInfo& value, const RelationOptions& options) {
  const detail::UseScope use = store_.changing("relations().relation");
  const ComponentId id = store_.registry().add(value);
  if (is_child_of(store_, id)) {
    STRATA_EXPECTS(
        options == relation_options_of<ChildOf>,
        "the relation \"" + value.name +
            "\" is that to the parent, which has options of its own: pass relation_options_of<ChildOf>");
    return id;
  }
  relations_.get(id, options);
  return id;
}

ComponentId Relations::source_component(ComponentId id) const {
  const detail::Pairs& pairs = require_known(relations_, store_, id);
  STRATA_EXPECTS(pairs.options().queried, "the relation \"" + pairs.component().name +
                                              "\" is not for queries: describe it with the option queried");
  return pairs.source_component();
}

std::optional<ComponentId> Relations::source_component(ComponentId id, Entity target) const {
  const detail::Pairs& pairs = require_known(relations_, store_, id);
  STRATA_EXPECTS(pairs.tags() != nullptr, "the relation \"" + pairs.component().name +
                                              "\" is not stored in tables: describe it with that storage");
  const ComponentId tag = pairs.tags()->find(target);
  return tag != detail::Registry::kUnknown ? std::optional(tag) : std::nullopt;
}

void* Relations::add(Entity source, Entity target, ComponentId id, void* value) {
  if (is_child_of(store_, id)) {
    add<ChildOf>(source, target);
    return nullptr;
  }
  detail::Pairs& pairs = require_known(relations_, store_, id);
  if (!pairs.component().is_tag()) {
    const detail::UseScope use = store_.reading("relations().add");
    if (value != nullptr && value == pairs.find_value(source, target)) return value;
    require_pair_value(relations_, store_, pairs, value);
  }
  return relations_.add(pairs, source, target,
                        {id, value,
                         [](const ComponentInfo& component, void* to, void* from) noexcept {
                           component.relocate_values(to, from, 1);
                         }},
                        {});
}

Outcome Relations::may_add(Entity source, Entity target, ComponentId id) const {
  const detail::UseScope use = store_.reading("relations().may_add");
  if (is_child_of(store_, id)) return may_add_parent(source, target);
  return relations_.may_add(require_known(relations_, store_, id).id(), source, target);
}

bool Relations::remove(Entity source, Entity target, ComponentId id) {
  if (is_child_of(store_, id)) return remove<ChildOf>(source, target);
  return relations_.remove(&require_known(relations_, store_, id), source, target, {});
}

bool Relations::has(Entity source, Entity target, ComponentId id) const {
  if (is_child_of(store_, id)) return has<ChildOf>(source, target);
  const detail::UseScope use = store_.reading("relations().has");
  return static_cast<bool>(require_known(relations_, store_, id).find(source, target));
}

const detail::Pairs* Relations::find_listed(ComponentId id) const {
  const detail::Pairs* const pairs = relations_.find(id);
  STRATA_EXPECTS(pairs != nullptr || !is_child_of(store_, id),
                 "the pairs of ChildOf are not listed by its id: call World::parent or World::children");
  return pairs;
}

std::vector<Relations::PairOf> Relations::list_pairs(detail::End end, Entity entity) {
  const detail::UseScope use = store_.reading("relations().each_target");
  std::vector<PairOf> found;
  const auto append = [&](ComponentId relation, const auto& others) {
    for (const Entity other : others) found.push_back({relation, other});
  };
  if (end == detail::End::source && has<ChildOf>(entity)) {
    append(relation<ChildOf>(), targets<ChildOf>(entity));
  } else if (end == detail::End::target && !sources<ChildOf>(entity).empty()) {
    append(relation<ChildOf>(), sources<ChildOf>(entity));
  }
  for (const detail::Pairs* const pairs : relations_.all()) {
    append(pairs->id(), pairs->of(end, entity));
  }
  return found;
}

std::vector<Relations::PairOf> Relations::list_between(Entity source, Entity target) {
  const detail::UseScope use = store_.reading("relations().each_between");
  std::vector<PairOf> found;
  if (has<ChildOf>(source, target)) found.push_back({relation<ChildOf>(), target});
  for (const detail::Pairs* const pairs : relations_.all()) {
    if (pairs->find(source, target)) found.push_back({pairs->id(), target});
  }
  return found;
}

void* Relations::find(Entity source, Entity target, ComponentId id) {
  if (is_child_of(store_, id)) return nullptr;
  const detail::UseScope use = store_.reading("relations().find");
  return require_known(relations_, store_, id).find_value(source, target);
}

}  // namespace strata
