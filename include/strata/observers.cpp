#include "observers.hpp"

#include <algorithm>
#include <vector>

#include "../../hierarchy/relations/relation_set.hpp"

namespace strata {
namespace {

/// Checks the contract that the component with this name may be observed. Components that the library itself adds to
/// entities because they have pairs (see Pair and TargetTags) may not: it notifies no observers when it adds them.
void require_no_pairs(const std::string& name) {
  STRATA_EXPECTS(!detail::is_of_pairs(name),
                 "\"" + name + "\" is not observed as a component: use on_pair_add and on_pair_remove");
}

}  // namespace

detail::ObserverList& Observers::list(ComponentId id, detail::Happening happening) {
  const std::string& name = parts_->store.registry()[id].name;  // Contract: this world issued the id.
  STRATA_EXPECTS(
      !parts_->store.registry().is_state_tag(id),
      "\"" + name + "\" is not observed as a component: use on_disable and the like, or a set of terms");
  require_no_pairs(name);
  return notifier().components().list(id, happening);
}

detail::ObserverList& Observers::list(detail::EntityHappening happening) {
  return notifier().list(happening);
}

detail::ObserverList& Observers::list(std::span<const Term> terms, bool enters) {
  for (const Term& term : terms) {
    if (term.role == Role::entity) continue;
    const std::string& name = parts_->store.registry()[term.id].name;
    STRATA_EXPECTS(!parts_->store.registry().is_state_tag(term.id) || !detail::filters_above(term),
                   "a set of observed entities asks whether one above has \"" + name +
                       "\": ask whether the entity itself has it");
    require_no_pairs(name);
  }
  return notifier().monitors().list(terms, enters);
}

detail::ObserverList& Observers::list(ComponentId relation, const RelationOptions& options,
                                      detail::PairHappening happening) {
  detail::RelationSet& relations = parts_->hierarchy.relations();
  return relations.observers(relations.get(relation, options), happening, notifier().count());
}

detail::ObserverList& Observers::list(ComponentId relation, detail::PairHappening happening) {
  detail::RelationSet& relations = parts_->hierarchy.relations();
  const auto is_parent = [&] {
    return relation == kChildOf || parts_->store.registry()[relation].name == name_of<ChildOf>;
  };
  STRATA_EXPECTS(!is_parent(),
                 "the parent is not observed as a relation: use on_parent_change, on_create and on_destroy");
  const std::string& name = parts_->store.registry()[relation].name;
  detail::Pairs* const pairs = relations.find(relation);
  STRATA_EXPECTS(pairs != nullptr,
                 "the component \"" + name + "\" is no relation: call Relations::relation for it first");
  return relations.observers(*pairs, happening, notifier().count());
}

void Observers::set_hooks(ComponentId id, const ComponentHooks& hooks) {
  require_no_pairs(parts_->store.registry()[id].name);  // Contract: this world issued the id.
  parts_->store.registry().set_hooks(id, hooks);
}

void Observers::notify_existing(ComponentId id, const Subscription& added) {
  parts_->store.guard().require_whole();
  notify_all(notifier().list_if(
                 [&](detail::Place place, Entity entity) { return parts_->store.holds(place, entity, id); }),
             id, *added.observer());
}

void Observers::notify_matching(std::span<const Term> terms, const Subscription& added) {
  parts_->store.guard().require_whole();
  notify_all(notifier().list_if(
                 [&](detail::Place, Entity entity) { return notifier().monitors().matches(terms, entity); }),
             detail::Registry::kUnknown, *added.observer());
}

void Observers::notify_pairs(ComponentId relation, const Subscription& added) {
  parts_->store.guard().require_whole();
  detail::Observer& observer = *added.observer();
  const detail::Pairs& pairs = *parts_->hierarchy.relations().find(relation);
  notify_at_once([&](detail::FirstError& error) {
    pairs.for_each_source([&](Entity source, std::span<const Entity> targets) {
      for (std::uint32_t i = 0; i < targets.size() && observer.list != nullptr; ++i)
        error.catching([&] { observer.call(observer, source, pairs.value(source, i), &targets[i]); });
    });
  });
}

/// Calls an observer for each of `entities`, with the entity's value of the component `id`. The value is null if `id`
/// is kUnknown, for observers that get no value. Stops if the observer is removed meanwhile: it may remove itself.
void Observers::notify_all(std::span<const Entity> entities, ComponentId id, detail::Observer& observer) {
  notify_at_once([&](detail::FirstError& error) {
    for (const Entity entity : entities) {
      void* const value = id != detail::Registry::kUnknown ? notifier().value_of(entity, id) : nullptr;
      if (observer.list == nullptr) return;
      error.catching([&] { observer.call(observer, entity, value, nullptr); });
    }
  });
}

/// Runs `visit(FirstError&)`, which calls a new observer for entities or pairs that exist already (Existing::notify),
/// and keeps the first exception of the observer in the FirstError. Structural changes are refused during the calls, as
/// during other calls of observers.
template <class Visit>
void Observers::notify_at_once(Visit visit) {
  detail::Store& store = parts_->store;
  const bool inside = store.guard().locked();  // True if another operation calls this user code.
  if (!inside) store.require_unlocked("observe", Entity());
  notifier().notify(visit);
  if (!inside) store.change_ended();
  store.notification_ended();
}

/// Gives an entity the tag `id`. Called by the observers that `collect` registers, while structural changes are
/// refused. The tag is added at once if that disturbs no other code, that is, if all of these hold:
/// - the tag is stored in a sparse set, and nothing works on the members of this set
/// - the tag requires no components
/// - no query iterates, and no values are being moved
/// - no function observes the tag, and there are no observers of on_enter and on_leave
/// Otherwise the addition is recorded as a command.
void Observers::mark(detail::WorldParts& parts, ComponentId id, Entity entity) {
  detail::Store& store = parts.store;
  const detail::SparsePool* const pool = store.side().find(id);
  if (pool != nullptr && pool->contains(entity)) return;
  const bool direct = !store.guard().iterating() && !store.guard().moving() &&
                      store.registry()[id].storage == Storage::sparse &&
                      store.registry().required_by(id).empty() && (pool == nullptr || !pool->is_held()) &&
                      !parts.hierarchy.notifier().components().observes(id) &&
                      !parts.hierarchy.notifier().monitors().any();
  if (direct) {
    store.side().get(id).insert(entity);
  } else {
    parts.commands.buffer().add(entity, id, nullptr);
  }
}

}  // namespace strata
