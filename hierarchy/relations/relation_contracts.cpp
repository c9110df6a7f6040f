// The part of RelationSet that checks whether pairs may be added and entities destroyed.
#include <cstdlib>
#include <utility>

#include "../../core/contract.hpp"
#include "../links/refusals.hpp"
#include "cycles.hpp"
#include "dependents.hpp"
#include "relation_set.hpp"

namespace strata::detail {

void RelationSet::require_no_cycle(const Pairs& pairs, Entity source, Entity target, CallSite at) const {
  const std::string cycle = find_cycle(pairs, source, target, store_.memory());
  STRATA_EXPECTS_AT(at, cycle.empty(), "add of a pair: " + cycle);
}

Outcome RelationSet::may_add(ComponentId id, Entity source, Entity target) const {
  const Pairs* const pairs = find(id);
  const std::string words = "entity " + to_string(source) + " cannot be related by \"" +
                            store_.registry()[id].name + "\" to entity " + to_string(target) + ": ";
  if (source == target) return Outcome::refused(words + "no entity has a pair to itself");
  for (const Entity entity : {source, target}) {
    if (!store_.alive(entity)) return Outcome::refused(words + stale_sentence(entity));
  }
  if (pairs == nullptr || !pairs->options().acyclic) return Outcome::done();
  const std::string cycle = find_cycle(*pairs, source, target, store_.memory());
  return cycle.empty() ? Outcome::done() : Outcome::refused(words + cycle);
}

/// Reports a broken contract: a pair cannot be added because one of the entities is stale, or the source is also the
/// target.
void RelationSet::refuse(const Pairs& pairs, Entity source, Entity target, CallSite at) const {
  for (const Entity entity : {source, target}) store_.require_alive("add of a pair", entity, at);
  STRATA_EXPECTS_AT(at, source != target,
                    "add of a pair of \"" + pairs.component().name + "\": entity " + to_string(source) +
                        " cannot be both the source and the target");
  std::abort();
}

void RelationSet::refuse_absent(std::string_view name, Entity source, Entity target, CallSite at) const {
  STRATA_EXPECTS_AT(at, false,
                    "get of a pair: there is no pair of \"" + std::string(name) + "\" from entity " +
                        to_string(source) + " to entity " + to_string(target) +
                        ": add it first, or call find, which returns null");
  std::abort();
}

Outcome RelationSet::may_destroy(std::span<const Entity> entities) const {
  if (!needs_dependents()) return Outcome::done();
  Dependents listed(*this, links_, store_.memory());
  for (const Entity entity : entities) {
    if (store_.alive(entity)) listed.add(entity);
  }
  listed.complete();
  std::string refusal = listed.find_refusal();
  return refusal.empty() ? Outcome::done() : Outcome::refused(std::move(refusal));
}

}  // namespace strata::detail
