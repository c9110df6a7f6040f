#include "states.hpp"

#include <algorithm>

#include "../../core/rollback.hpp"
#include "../../storage/mass_changes.hpp"
#include "../../storage/store_change.hpp"
#include "state_shift.hpp"

namespace strata::detail {

/// Lists the entities below an entity that is put into a state together with its subtree (`in` is true), or taken out
/// of that state (`in` is false). The listed entities inherit the state, so they get or lose the tag for the inherited
/// state.
class States::Selection {
 public:
  Selection(Store& store, State state, bool in)
      : rows_(store.memory()), store_(store), state_(state), in_(in) {}

  /// Lists the entities below `root`. If one of them was itself put into the state together with its subtree, lists
  /// this entity, but not the entities below it: they inherit the state from it in any case, so their tags do not
  /// change.
  /// Errors: std::bad_alloc.
  void list_below(const Links& links, std::uint32_t root) {
    for (std::uint32_t node = links.next_depth_first(root, root); node != Links::kNone;) {
      const Place place = store_.slots().place_of(node);
      const StateFlags flags = table_of(*place.block).archetype().state_flags();
      rows_.add(place);
      if (store_.listened() && !(flags.itself | flags.subtree).contains(state_))
        changed_.push_back(store_.slots().handle_of(node));
      const bool stays = flags.subtree.contains(state_);
      node = stays ? links.next_after_subtree(node, root) : links.next_depth_first(node, root);
    }
  }

  /// Adds the tag for the inherited state to the listed entities or, if they leave the state, removes it. Moves their
  /// rows to the archetypes with or without the tag.
  /// Errors: std::bad_alloc; nothing has changed then.
  void move_rows() {
    if (rows_.size() == 0) return;
    MassChanges(store_).change_tags(rows_, find_target, this);
  }

  /// The entities that enter or leave the state; listed only if the store has a listener that is notified of changes.
  std::vector<Entity>& changed() { return changed_; }

 private:
  static Archetype& find_target(void* context, Archetype& from) {
    const auto& self = *static_cast<const Selection*>(context);
    StateFlags flags = from.state_flags();
    flags.above.set(self.state_, self.in_);
    return with_flags(self.store_, from, flags);
  }

  RowSelection rows_;
  std::vector<Entity> changed_;
  Store& store_;
  State state_;
  bool in_;
};

bool States::set(State state, Entity entity, bool in, const char* operation) {
  {
    const Store::Change change(store_, operation, entity);
    const Place place = store_.slots().find(entity);
    if (place.block == nullptr) return false;
    Archetype& from = table_of(*place.block).archetype();
    const StateFlags before = from.state_flags();
    if (before.itself.contains(state) == in) return false;
    if (in) store_.registry().add_state_tags(state);
    StateFlags flags = before;
    flags.itself.set(state, in);
    store_.change_archetype(place, with_flags(store_, from, flags));
    if (before.all() != flags.all()) notifier_.states_changed({entity, state});
  }
  notifier_.finish();
  return true;
}

bool States::set_subtree(State state, Entity entity, bool in, const char* operation) {
  {
    const Store::Change change(store_, operation, entity);
    if (!store_.alive(entity)) return false;
    const StateFlags before = flags_of(store_, entity.index());
    if (before.subtree.contains(state) == in) return false;
    if (in) store_.registry().add_state_tags(state);
    StateFlags flags = before;
    flags.subtree.set(state, in);
    Selection below(store_, state, in);
    if (before.all() != flags.all() && store_.listened()) below.changed().push_back(entity);
    if (!before.above.contains(state)) below.list_below(links_, entity.index());
    change_subtree(entity, flags, below);
    update_guard();
    notify(below.changed(), state);
  }
  notifier_.finish();
  return true;
}

/// Moves the row of `entity` to the archetype for the states `flags`, and the rows of the entities listed in `below` to
/// the archetypes for their new states.
/// Errors: std::bad_alloc; nothing has changed then.
void States::change_subtree(Entity entity, StateFlags flags, Selection& below) {
  const ChangeGuard::Operation operation(store_.guard(), store_.guard().operation());
  Rollback release([&] { store_.release_reservations(); });
  const Table& source = table_of(*store_.slots().place_of(entity.index()).block);
  Table& target = table_of_state(store_, with_flags(store_, source.archetype(), flags), source.branch());
  store_.rows().reserve(target);
  below.move_rows();
  release.dismiss();
  store_.rows().move(store_.slots().place_of(entity.index()), target);
}

void States::notify(const std::vector<Entity>& changed, State state) noexcept {
  for (const Entity entity : changed) notifier_.states_changed({entity, state});
}

void States::update_guard() noexcept {
  const bool any = std::ranges::any_of(kStates, [&](State state) {
    const auto with_subtree = store_.archetypes().with_component(store_.registry().state_tags(state).subtree);
    return std::ranges::any_of(with_subtree,
                               [](const Archetype* archetype) { return archetype->ranks().tables() != 0; });
  });
  store_.guard().mark_tree_listened(TreeListener::states, any);
}

void States::apply(Entity entity, StateRequest request) {
  switch (request) {
    case StateRequest::disable:
    case StateRequest::enable:
      set(State::disabled, entity, request == StateRequest::disable, "disable");
      break;
    case StateRequest::disable_subtree:
    case StateRequest::enable_subtree:
      set_subtree(State::disabled, entity, request == StateRequest::disable_subtree, "disable_subtree");
      break;
    case StateRequest::make_prefab:
    case StateRequest::unmake_prefab:
      set_subtree(State::prefab, entity, request == StateRequest::make_prefab, "make_prefab");
  }
}

std::string States::check_invariants() const {
  if (!store_.archetypes().states().any()) return "";
  for (const Archetype* archetype : store_.archetypes().all()) {
    if (archetype->ranks().tables() == 0) continue;
    const StateFlags flags = archetype->state_flags();
    for (const State state : kStates) {
      const bool shown = archetype->format().contains(store_.registry().state_tags(state).shown);
      if (shown != flags.all().contains(state)) {
        return "D2: entities of archetype " + std::to_string(archetype->id()) +
               " are in a state for no reason";
      }
    }
  }
  const Slots& slots = store_.slots();
  for (std::uint32_t node = 0; node < slots.size(); ++node) {
    const Entity entity = slots.handle_of(node);
    if (!slots.alive(entity)) continue;
    if (flags_of(store_, node).above != inherited_from(store_, links_.parent(node)))
      return "D3: entity " + to_string(entity) + " and its parent disagree about their states";
  }
  return "";
}

}  // namespace strata::detail
