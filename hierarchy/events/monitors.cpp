#include "monitors.hpp"

#include <algorithm>

#include "../../core/rollback.hpp"
#include "../../query/matching/batch.hpp"
#include "../links/walks.hpp"

namespace strata::detail {

/// The terms of a query, and the observers that are notified when an entity begins (`enter`) or ceases (`leave`) to
/// match them.
struct Monitors::Monitor {
  Monitor(std::span<const Term> asked, std::pmr::memory_resource* memory, ObserverCount& count)
      : terms(memory), enter(memory, &count), leave(memory, &count) {
    terms.reserve(asked.size());
    for (const Term& term : asked) terms.append(term);
  }

  std::span<const Term> list() const { return {terms.data(), terms.size()}; }
  ObserverList& of(bool enters) { return enters ? enter : leave; }
  bool any() const { return enter.any() || leave.any(); }

  PlainList<Term> terms;
  ObserverList enter;
  ObserverList leave;
};

namespace {

bool equal(std::span<const Term> a, std::span<const Term> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Term& one, const Term& other) {
    return one.role == other.role && one.id == other.id && one.group == other.group;
  });
}

bool contains(std::span<const ComponentId> ids, ComponentId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// Where a term looks for its component: on the entity that is tested, on its parent, or on its ancestors.
enum class Subject : std::uint8_t { itself, parent, ancestors };

Subject subject_of(Role role) {
  switch (role) {
    case Role::parent_with:
    case Role::parent_without:
      return Subject::parent;
    case Role::ancestor_with:
    case Role::ancestor_without:
      return Subject::ancestors;
    default:
      return Subject::itself;
  }
}

/// Returns: whether a term with this role (kind of term) matches every entity, so that no change of an entity needs to
/// be checked against the term. Most of these terms only pass a value, or null, to the function that a query calls.
bool requires_nothing(Role role) {
  return role == Role::entity || role == Role::optional || role == Role::read_optional ||
         role == Role::related || role == Role::nearest || role == Role::either;
}

/// Which entities have to be tested again after the components of one entity have changed: that entity itself, its
/// children, or all entities below it.
struct Concern {
  bool own = false;
  bool children = false;
  bool below = false;
};

Concern concern_of(std::span<const Term> terms, const ComponentChange& change, const Registry& registry) {
  Concern concern;
  const auto changes = [&](ComponentId id) {
    return contains(change.added, id) || contains(change.removed, id);
  };
  for (const Term& term : terms) {
    if (requires_nothing(term.role)) continue;
    const Subject subject = subject_of(term.role);
    const bool toggled = subject == Subject::itself && changes(registry.off_tag_of(term.id));
    if (!toggled && !changes(term.id)) continue;
    concern.own = concern.own || subject == Subject::itself;
    concern.children = concern.children || subject == Subject::parent;
    concern.below = concern.below || subject == Subject::ancestors;
  }
  return concern;
}

}  // namespace

Monitors::Monitors(Store& store, const Links& links, ObserverCount& count)
    : store_(store), links_(links), count_(count), monitors_(store.memory()) {}

Monitors::~Monitors() {
  for (Monitor* const monitor : monitors_) delete monitor;
}

void Monitors::end_all() noexcept {
  for (std::size_t i = 0; i < monitors_.size(); ++i) {
    for (const bool enters : {false, true}) monitors_[i]->of(enters).end_all();
  }
}

ObserverList& Monitors::list(std::span<const Term> terms, bool enters) {
  for (Monitor* const monitor : monitors_) {
    if (equal(monitor->list(), terms)) return monitor->of(enters);
  }
  auto* const created = new Monitor(terms, store_.memory(), count_);
  Rollback destroy([&] { delete created; });
  monitors_.push_back(created);
  destroy.dismiss();
  return created->of(enters);
}

bool Monitors::holds(Entity entity, ComponentId id, const OtherState& state) const {
  if (entity == state.entity) {
    if (contains(state.present, id)) return true;
    if (contains(state.absent, id)) return false;
  }
  if (const StateSet tagged = store_.registry().state_of_tag(id); tagged.any()) {
    return (states_of(entity, state) & tagged).any();
  }
  const Place place = store_.slots().find(entity);
  return place.block != nullptr && store_.holds(place, entity, id);
}

/// Returns: whether an entity has a component that is not switched off. A component is switched off if the entity also
/// has its "off" tag.
bool Monitors::holds_on(Entity entity, ComponentId id, const OtherState& state) const {
  if (!holds(entity, id, state)) return false;
  const ComponentId off = store_.registry().off_tag_of(id);
  return off == Registry::kUnknown || !holds(entity, off, state);
}

StateSet Monitors::states_of(Entity entity, const OtherState& state) const {
  const Place place = store_.slots().find(entity);
  const StateSet now = place.block != nullptr ? table_of(*place.block).archetype().states() : StateSet();
  const auto found = std::lower_bound(
      state.changed.begin(), state.changed.end(), entity.index(),
      [](const ChangedStates& one, std::uint32_t index) { return one.entity.index() < index; });
  const bool differs = found != state.changed.end() && found->entity == entity;
  return differs ? now ^ found->states : now;
}

/// Each state of an entity, such as disabled, has a tag.
/// Returns: the states whose tags are named by terms about the entity itself. An entity in any other state never
/// matches.
StateSet Monitors::named_states(std::span<const Term> terms) const {
  StateSet named;
  for (const Term& term : terms) {
    if (is_of_visited(term)) named |= store_.registry().state_of_tag(term.id);
  }
  return named;
}

Entity Monitors::parent_of(Entity entity, const OtherState& state) const {
  for (const Moved& move : state.moved) {
    if (move.child == entity) return move.parent_before;
  }
  const std::uint32_t parent = links_.parent(entity.index());
  return parent != Links::kNone ? store_.slots().handle_of(parent) : Entity();
}

bool Monitors::holds_above(Entity entity, ComponentId id, bool any_ancestor, const OtherState& state) const {
  for (Entity above = parent_of(entity, state); above; above = parent_of(above, state)) {
    if (holds(above, id, state)) return true;
    if (!any_ancestor) break;
  }
  return false;
}

bool Monitors::fulfils(const Term& term, std::span<const Term> terms, Entity entity,
                       const OtherState& state) const {
  switch (term.role) {
    case Role::value:
    case Role::read:
    case Role::with:
      return holds_on(entity, term.id, state);
    case Role::without:
      return !holds_on(entity, term.id, state);
    case Role::parent_with:
    case Role::parent_without:
      return holds_above(entity, term.id, false, state) == (term.role == Role::parent_with);
    case Role::ancestor_with:
    case Role::ancestor_without:
      return holds_above(entity, term.id, true, state) == (term.role == Role::ancestor_with);
    case Role::any_of:
      return std::any_of(terms.begin(), terms.end(), [&](const Term& other) {
        return other.role == Role::any_of && other.group == term.group && holds_on(entity, other.id, state);
      });
    default:
      return true;  // The other roles require nothing.
  }
}

bool Monitors::matches(std::span<const Term> terms, Entity entity, const OtherState& state) const {
  if (store_.archetypes().states().any() && (states_of(entity, state) - named_states(terms)).any())
    return false;
  return std::all_of(terms.begin(), terms.end(),
                     [&](const Term& term) { return fulfils(term, terms, entity, state); });
}

void Monitors::notify(Monitor& monitor, Entity entity, bool enters, FirstError& error) {
  monitor.of(enters).notify(entity, nullptr, nullptr, error);
}

/// Finds the monitors with a term for a component that the change adds, removes, or switches on or off. For each of
/// them, calls `visit(Monitor&, Entity)` once for each entity that may begin or cease to match the monitor's terms
/// because of the change: the changed entity, its children or all entities below it (see Concern).
template <class Visit>
void Monitors::compare(const ComponentChange& change, Visit visit) {
  const std::size_t count = monitors_.size();  // Monitors that are made meanwhile are not notified.
  for (std::size_t i = 0; i < count; ++i) {
    Monitor& monitor = *monitors_[i];
    if (!monitor.any()) continue;
    const Concern concern = concern_of(monitor.list(), change, store_.registry());
    const std::uint32_t node = change.entity.index();
    if (concern.own) visit(monitor, change.entity);
    if (concern.below) {
      for (const Entity below : DepthFirstRange(links_, store_.slots(), node)) {
        if (below != change.entity) visit(monitor, below);
      }
    } else if (concern.children) {
      for (const Entity child : ChildRange(links_, store_.slots(), node)) visit(monitor, child);
    }
  }
}

void Monitors::before(const ComponentChange& change, FirstError& error) {
  const OtherState then{.entity = change.entity, .present = change.added, .absent = change.removed};
  compare(change, [&](Monitor& monitor, Entity entity) {
    if (!monitor.leave.any() || !matches(monitor.list(), entity)) return;
    if (!matches(monitor.list(), entity, then)) notify(monitor, entity, false, error);
  });
}

void Monitors::after(const ComponentChange& change, FirstError& error) {
  const OtherState then{.entity = change.entity, .present = change.removed, .absent = change.added};
  compare(change, [&](Monitor& monitor, Entity entity) {
    const bool is = matches(monitor.list(), entity);
    if (!is && !change.removed.empty()) return;  // `before` has reported entities that leave.
    if (is != matches(monitor.list(), entity, then)) notify(monitor, entity, is, error);
  });
}

void Monitors::notify_matching(std::span<const Entity> entities, bool enter, FirstError& error) {
  const std::size_t count = monitors_.size();  // Monitors that are made meanwhile are not notified.
  for (std::size_t i = 0; i < count; ++i) {
    Monitor& monitor = *monitors_[i];
    for (std::size_t e = 0; monitor.of(enter).any() && e < entities.size(); ++e) {
      if (matches(monitor.list(), entities[e])) notify(monitor, entities[e], enter, error);
    }
  }
}

void Monitors::states_changed(const ChangedStates& change, FirstError& error) {
  const Entity entity = change.entity;
  const OtherState then{.changed = {&change, 1}};
  const std::size_t count = monitors_.size();  // Monitors that are made meanwhile are not notified.
  for (std::size_t i = 0; i < count; ++i) {
    Monitor& monitor = *monitors_[i];
    if (!monitor.any()) continue;
    const bool is = matches(monitor.list(), entity);
    if (is != matches(monitor.list(), entity, then)) notify(monitor, entity, is, error);
  }
}

void Monitors::moved(std::span<const Moved> moves, std::span<const ChangedStates> changed,
                     FirstError& error) {
  const OtherState now{.changed = changed};  // The new parents, and the states before the change.
  const OtherState then{.moved = moves, .changed = changed};
  const std::size_t count = monitors_.size();
  for (std::size_t i = 0; i < count; ++i) {
    Monitor& monitor = *monitors_[i];
    const std::span<const Term> terms = monitor.list();
    const auto is_above = [](const Term& term) { return subject_of(term.role) != Subject::itself; };
    if (!monitor.any() || std::none_of(terms.begin(), terms.end(), is_above)) continue;
    for (const Moved& move : moves) {
      for (const Entity entity : DepthFirstRange(links_, store_.slots(), move.child.index())) {
        const bool is = matches(terms, entity, now);
        if (is != matches(terms, entity, then)) notify(monitor, entity, is, error);
      }
    }
  }
}

}  // namespace strata::detail
