#include "delta_applier.hpp"

#include <algorithm>
#include <cstring>

#include "../../../core/rollback.hpp"
#include "../../../core/value_buffer.hpp"
#include "../../../core/values/value_bytes.hpp"
#include "../../../storage/toggles.hpp"

namespace strata::detail {

Outcome DeltaApplier::apply() {
  const auto all = [](const auto& list, auto change) { return std::ranges::all_of(list, change); };
  const bool is_done =
      remove_facts() && change_entities() &&
      all(delta_.moves, [&](const WorldDelta::Move& one) { return move(one); }) &&
      all(delta_.components, [&](const WorldDelta::OfComponent& of) { return change_component(of); }) &&
      all(delta_.marked, [&](const WorldDelta::Marked& marked) { return mark(marked); }) && set_names() &&
      all(delta_.components, [&](const WorldDelta::OfComponent& of) { return set_pairs(of); }) &&
      all(delta_.resources, [&](const WorldDelta::OfResource& of) { return change_resource(of); });
  return is_done ? Outcome::done() : Outcome::refused(fault_);
}

/// Calls `function`, which calls functions of the program. Structural changes are refused meanwhile.
/// Returns: what `function` returns.
template <class Function>
auto DeltaApplier::call_program(Function function) {
  const ChangeGuard::Operation operation(parts_.store.guard(), "apply");
  return function();
}

bool DeltaApplier::refuse(Entity entity, const std::string& what) {
  fault_ = "entity " + to_string(entity) + ' ' + what;
  return false;
}

/// Removes the relation pairs that the delta removes, the names that it changes, and the names of the entities that it
/// moves. `set_names` gives moved entities their names back. The removals happen before entities are destroyed and
/// moved: a pair can forbid that its target is destroyed, and a name can forbid that its entity becomes a sibling of an
/// entity with an equal name.
/// Returns: true, because none of these removals is refused; the other steps of `apply` may return false.
bool DeltaApplier::remove_facts() {
  for (const WorldDelta::OfComponent& of : delta_.components) {
    Pairs* const pairs = parts_.hierarchy.relations().find(of.id);
    for (const WorldDelta::PairEnds& ends : of.removed_pairs)
      static_cast<void>(parts_.hierarchy.relations().remove(pairs, ends.source, ends.target, {}));
  }
  for (const WorldDelta::Named& named : delta_.named) static_cast<void>(parts_.names.remove(named.entity));
  for (const WorldDelta::Move& move : delta_.moves) {
    const std::string_view name = parts_.names.name(move.child);
    if (name.empty()) continue;
    moved_names_.push_back({move.child, std::string(name)});
    static_cast<void>(parts_.names.remove(move.child));
  }
  return true;
}

bool DeltaApplier::change_entities() {
  std::unordered_set<std::uint64_t> destroyed;
  for (const Entity entity : delta_.destroyed) destroyed.insert(entity.bits());
  for (const WorldDelta::Move& move : delta_.moves) {
    if (parts_.store.alive(move.child) && destroyed.contains(parts_.hierarchy.parent(move.child).bits()))
      parts_.hierarchy.clear_parent(move.child);
  }
  for (const Entity entity : delta_.destroyed) {
    if (const Outcome may = parts_.hierarchy.relations().may_destroy({&entity, 1}); !may)
      return refuse(entity, "cannot be destroyed: " + may.message());
    static_cast<void>(parts_.hierarchy.destroy(entity, ChildPolicy::destroy));
  }
  Store& store = parts_.store;
  for (const Entity entity : delta_.created) {
    // This call destroys functions that listened to events at an earlier entity in this slot. Their destructors may
    // record commands that reserve the slot, so the call comes before the slot is examined.
    call_program([&] { parts_.events.router().forget_slot(entity); });
    const bool is_new = store.slots().reserve_at(entity);
    if (!is_new && !store.slots().can_reserve_again(entity)) return refuse(entity, "cannot be created");
    if (!is_new) store.slots().reserve_again(entity);
    Rollback cancel([&] { store.slots().cancel(entity.index()); });
    store.create_row(store.archetypes().empty(), store.tables().root(), entity);
    cancel.dismiss();
  }
  return true;
}

bool DeltaApplier::move(const WorldDelta::Move& move) {
  Hierarchy& tree = parts_.hierarchy;
  if (!parts_.store.alive(move.child)) return refuse(move.child, "is not alive");
  if (!move.parent) {
    static_cast<void>(tree.clear_parent(move.child));
    return true;
  }
  if (!parts_.store.alive(move.parent)) return refuse(move.parent, "is not alive");
  if (const Outcome moved = tree.set_parent(move.child, move.parent); !moved)
    return refuse(move.child, "cannot be moved: " + moved.message());
  return place_after(move.child, move.parent, move.previous);
}

/// Moves `child`, a child of `parent`, directly behind its sibling `previous`; to the front if `previous` is null.
/// Returns: false if that is refused, for example because `previous` is no sibling of `child`.
bool DeltaApplier::place_after(Entity child, Entity parent, Entity previous) {
  Hierarchy& tree = parts_.hierarchy;
  if (tree.previous_sibling(child) == previous) return true;
  if (previous && (previous == child || tree.parent(previous) != parent))
    return refuse(previous, "is no sibling of " + to_string(child));
  const Entity next = previous ? tree.next_sibling(previous) : *tree.children(parent).begin();
  const Outcome moved = tree.move_child_before(child, next ? next : previous);
  if (!moved) return refuse(child, "cannot be moved: " + moved.message());
  if (next) return true;
  static_cast<void>(tree.move_child_before(previous, child));
  return true;
}

bool DeltaApplier::change_component(const WorldDelta::OfComponent& of) {
  const ComponentInfo& info = parts_.store.registry()[of.id];
  for (const Entity entity : of.removed) static_cast<void>(parts_.store.remove(entity, of.id));
  ByteReader from(of.values);
  const bool are_set = std::ranges::all_of(of.set, [&](Entity entity) {
    if (!parts_.store.alive(entity)) return refuse(entity, "is not alive");
    return take_value(info, from, [&](void* value) { return set_value(entity, of.id, value); });
  });
  if (!are_set) return false;
  for (const Entity entity : of.on) static_cast<void>(toggle_component(parts_.store, entity, of.id, true));
  for (const Entity entity : of.off) static_cast<void>(toggle_component(parts_.store, entity, of.id, false));
  return true;
}

/// Adds a component, or replaces its value if the entity has it. Does not add the components that this component
/// requires, because the delta lists their values as well.
/// Returns: true, as `take_value` expects of the function that it calls.
bool DeltaApplier::set_value(Entity entity, ComponentId id, void* value) {
  Store& store = parts_.store;
  if (store.has(entity, id)) {
    static_cast<void>(store.add(entity, id, value));
    return true;
  }
  const Store::Change change(store, "apply", entity);
  const ComponentInfo& info = store.registry()[id];
  void* place = nullptr;
  if (info.storage == Storage::sparse) {
    place = store.side().get(id).insert(entity).value;
  } else {
    const Place row = store.add_to_row(store.slots().place_of(entity.index()), id).place;
    if (!info.is_tag()) place = row.block->value(row.block->format->prefix_of(id), row.row, info.size);
  }
  if (!info.is_tag()) info.relocate_values(place, value, 1);
  return true;
}

/// Reads a value of a component, and calls `take(void*)` with the address of the value. For a tag, reads nothing, and
/// calls `take` with null. If `take` returns true, it has moved the value away; if it returns false, this function
/// destroys the value.
/// Returns: false if the value cannot be read, or if `take` returns false.
template <class Take>
bool DeltaApplier::take_value(const ComponentInfo& info, ByteReader& from, Take take) {
  if (info.is_tag()) return take(nullptr);
  ValueBuffer buffer(info, parts_.store.memory());
  void* const value = buffer.get();
  if (info.value->make != nullptr) {
    call_program([&] { info.value->make(value, 1); });
  } else {
    std::memset(value, 0, info.size);
  }
  Rollback destroy([&] { call_program([&] { info.destroy_values(value, 1); }); });
  if (!call_program([&] { return read_values(*info.value, value, 1, from); })) {
    fault_ = "a value of \"" + info.name + "\" cannot be read";
    return false;
  }
  if (!take(value)) return false;
  destroy.dismiss();
  return true;
}

/// Adds relation pairs (links from a source to a target entity), or replaces the values of pairs that exist.
/// Returns: false if a value cannot be read, or if a pair is refused.
bool DeltaApplier::set_pairs(const WorldDelta::OfComponent& of) {
  if (of.set_pairs.empty()) return true;
  const ComponentInfo& info = parts_.store.registry()[of.id];
  Pairs& pairs = *parts_.hierarchy.relations().find(of.id);
  ByteReader from(of.pair_values);
  return std::ranges::all_of(of.set_pairs, [&](const WorldDelta::PairEnds& ends) {
    return take_value(info, from, [&](void* value) { return set_pair(pairs, ends, value); });
  });
}

bool DeltaApplier::set_pair(Pairs& pairs, const WorldDelta::PairEnds& ends, void* value) {
  RelationSet& relations = parts_.hierarchy.relations();
  if (const Outcome may = relations.may_add(pairs.id(), ends.source, ends.target); !may)
    return refuse(ends.source, "cannot have a pair: " + may.message());
  const GivenValue given{pairs.id(), value, [](const ComponentInfo& of, void* to, void* from) noexcept {
                           of.relocate_values(to, from, 1);
                         }};
  static_cast<void>(relations.add(pairs, ends.source, ends.target, given, {}));
  return true;
}

bool DeltaApplier::mark(const WorldDelta::Marked& marked) {
  const Entity entity = marked.entity;
  if (!parts_.store.alive(entity)) return refuse(entity, "is not alive");
  for (const State state : kStates) {
    const bool itself = (marked.itself >> to_index(state) & 1) != 0;
    const bool subtree = (marked.subtree >> to_index(state) & 1) != 0;
    static_cast<void>(parts_.states.set(state, entity, itself, "apply"));
    static_cast<void>(parts_.states.set_subtree(state, entity, subtree, "apply"));
  }
  parts_.store.require_unlocked("apply", entity);
  parts_.layers.set(entity, marked.layer);
  return true;
}

bool DeltaApplier::set_names() {
  const auto set = [&](const WorldDelta::Named& named) {
    if (named.name.empty() || !parts_.names.name(named.entity).empty()) return true;
    const Outcome done = parts_.names.set(named.entity, named.name);
    return done ? true : refuse(named.entity, "cannot have its name: " + done.message());
  };
  // `delta_.named` has the new names of entities whose names change (empty if the name is removed). `moved_names_` has
  // the names of moved entities whose names do not change. No entity is in both lists: `remove_facts` removes the names
  // that change before it fills `moved_names_`.
  return std::ranges::all_of(delta_.named, set) && std::ranges::all_of(moved_names_, set);
}

bool DeltaApplier::change_resource(const WorldDelta::OfResource& of) {
  ResourceList& resources = list_of(parts_.resources);
  if (of.is_removed) {
    if (ResourceNode* const resource = resources.find(of.type->name))
      call_program([&] { resources.destroy(*resource); });
    return true;
  }
  ResourceNode& made = *call_program([&] { return &make_first_resource(*of.type, resources.memory()); });
  Rollback destroy([&] { call_program([&] { destroy_resource(made, resources.memory()); }); });
  void* const value = const_cast<void*>(of.type->value_of(made));
  ByteReader from(of.value);
  if (!call_program([&] { return read_values(*of.type->value_type(), value, 1, from); })) {
    fault_ = "the value of resource \"" + std::string(of.type->name) + "\" cannot be read";
    return false;
  }
  // Only now, because the functions that have read the value may have changed resources.
  resources.reserve(*of.type);
  destroy.dismiss();
  call_program([&] { resources.put(made); });
  return true;
}

}  // namespace strata::detail
