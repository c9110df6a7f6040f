#include "states.hpp"

#include <algorithm>

#include "../../core/rollback.hpp"
#include "../../storage/mass_changes.hpp"
#include "state_shift.hpp"

namespace strata::detail {

/// The entities below one that is disabled or enabled whose state changes with it.
class States::Selection {
 public:
  Selection(Store& store, bool disables) : rows_(store.memory()), store_(store), disables_(disables) {}

  /// Lists the entities below `root`, except those below another one that is disabled with its subtree.
  /// Errors: std::bad_alloc.
  void list_below(const Links& links, std::uint32_t root) {
    for (std::uint32_t node = links.next_depth_first(root, root); node != Links::kNone;) {
      const Place place = store_.slots().place_of(node);
      const StateFlags flags = flags_of(store_, table_of(*place.block).archetype());
      rows_.add(place);
      if (store_.listened() && !flags.itself && !flags.subtree)
        changed_.push_back(store_.slots().handle_of(node));
      node = flags.subtree ? links.next_after_subtree(node, root) : links.next_depth_first(node, root);
    }
  }

  /// Moves the rows.
  /// Errors: std::bad_alloc; nothing has changed then.
  void move_rows() {
    if (rows_.size() == 0) return;
    MassChanges(store_).change_tags(rows_, find_target, this);
  }

  /// Entities that become disabled or enabled; only listed for a listener.
  std::vector<Entity>& changed() { return changed_; }

 private:
  static Archetype& find_target(void* context, Archetype& from) {
    const auto& self = *static_cast<const Selection*>(context);
    StateFlags flags = flags_of(self.store_, from);
    flags.above = self.disables_;
    return with_flags(self.store_, from, flags);
  }

  RowSelection rows_;
  std::vector<Entity> changed_;
  Store& store_;
  bool disables_;
};

bool States::disable(Entity entity, bool disabled) {
  {
    const Store::Change change(store_, disabled ? "disable" : "enable", entity);
    const Place place = store_.slots().find(entity);
    if (place.block == nullptr) return false;
    Archetype& from = table_of(*place.block).archetype();
    const StateFlags before = flags_of(store_, from);
    if (before.itself == disabled) return false;
    if (disabled) store_.registry().add_state_tags();
    StateFlags flags = before;
    flags.itself = disabled;
    store_.change_archetype(place, with_flags(store_, from, flags));
    if (before.any() != flags.any()) teller_.disabled_changed(entity, disabled);
  }
  teller_.finish();
  return true;
}

bool States::disable_subtree(Entity entity, bool disabled) {
  {
    const Store::Change change(store_, disabled ? "disable_subtree" : "enable_subtree", entity);
    if (!store_.alive(entity)) return false;
    const StateFlags before = flags_of(store_, entity.index());
    if (before.subtree == disabled) return false;
    if (disabled) store_.registry().add_state_tags();
    StateFlags flags = before;
    flags.subtree = disabled;
    Selection below(store_, disabled);
    if (before.any() != flags.any() && store_.listened()) below.changed().push_back(entity);
    if (!before.above) below.list_below(links_, entity.index());
    change_subtree(entity, flags, below);
    update_guard();
    tell(below.changed(), disabled);
  }
  teller_.finish();
  return true;
}

/// Gives an entity these flags, and moves the rows below it.
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

void States::tell(const std::vector<Entity>& changed, bool disabled) noexcept {
  for (const Entity entity : changed) teller_.disabled_changed(entity, disabled);
}

/// Has changes of the hierarchy told as long as entities are disabled with their subtrees.
void States::update_guard() noexcept {
  const auto with_subtree = store_.archetypes().with_component(store_.registry().disabled_tags().subtree);
  const bool any = std::any_of(with_subtree.begin(), with_subtree.end(),
                               [](const Archetype* archetype) { return archetype->ranks().tables() != 0; });
  store_.guard().mark_tree_listened(TreeListener::states, any);
}

void States::apply(Entity entity, StateRequest request) {
  switch (request) {
    case StateRequest::disable:
    case StateRequest::enable:
      disable(entity, request == StateRequest::disable);
      break;
    case StateRequest::disable_subtree:
    case StateRequest::enable_subtree:
      disable_subtree(entity, request == StateRequest::disable_subtree);
  }
}

std::string States::check_invariants() const {
  if (!store_.archetypes().any_in_state()) return "";
  for (const Archetype* archetype : store_.archetypes().all()) {
    const bool shown = archetype->format().contains(store_.registry().disabled_tags().shown);
    if (archetype->ranks().tables() != 0 && shown != flags_of(store_, *archetype).any()) {
      return "D2: entities of archetype " + std::to_string(archetype->id()) + " are disabled for no reason";
    }
  }
  const Slots& slots = store_.slots();
  for (std::uint32_t node = 0; node < slots.size(); ++node) {
    const Entity entity = slots.handle_of(node);
    if (!slots.alive(entity)) continue;
    if (flags_of(store_, node).above != closes(store_, links_.parent(node)))
      return "D3: entity " + to_string(entity) + " and its parent disagree about being disabled";
  }
  return "";
}

}  // namespace strata::detail
