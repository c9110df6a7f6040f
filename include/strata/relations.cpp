#include "relations.hpp"

#include "../../core/contract.hpp"

namespace strata {
namespace {

/// Returns: the pairs of a relation.
/// Contract: the relation is known.
detail::Pairs& require_known(const detail::RelationSet& relations, const detail::Store& store,
                             ComponentId id) {
  detail::Pairs* const pairs = relations.find(id);
  STRATA_EXPECTS(pairs != nullptr, "the component \"" + store.registry()[id].name +
                                       "\" is no relation: call Relations::relation for it first");
  return *pairs;
}

}  // namespace

ComponentId Relations::relation(const ComponentInfo& value, const RelationOptions& options) {
  const ComponentId id = store_.registry().add(value);
  relations_.get(id, options);
  return id;
}

ComponentId Relations::source_component(ComponentId id) const {
  const detail::Pairs& pairs = require_known(relations_, store_, id);
  STRATA_EXPECTS(pairs.options().queried, "the relation \"" + pairs.component().name +
                                              "\" is not for queries: describe it with the option queried");
  return pairs.source_component();
}

void* Relations::add(Entity source, Entity target, ComponentId id, void* value) {
  detail::Pairs& pairs = require_known(relations_, store_, id);
  STRATA_EXPECTS(pairs.component().is_tag() || value != nullptr,
                 "add of a pair of \"" + pairs.component().name +
                     "\": it has a value, and null was passed: pass the address of a value");
  return relations_.add(pairs, source, target,
                        {id, value,
                         [](const ComponentInfo& component, void* to, void* from) noexcept {
                           component.relocate_values(to, from, 1);
                         }},
                        {});
}

bool Relations::remove(Entity source, Entity target, ComponentId id) {
  return relations_.remove(&require_known(relations_, store_, id), source, target, {});
}

bool Relations::has(Entity source, Entity target, ComponentId id) const {
  return static_cast<bool>(require_known(relations_, store_, id).find(source, target));
}

void* Relations::find(Entity source, Entity target, ComponentId id) {
  return require_known(relations_, store_, id).find_value(source, target);
}

}  // namespace strata
