// Commands: structural changes recorded while a query iterates, typed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "../../hierarchy/hierarchy_commands.hpp"

namespace strata {

/// Says where a new entity is to sit: `world.create(child_of(car), Wheel{})`.
struct ChildOf {
  Entity parent;
  CallSite at = {};
};
constexpr ChildOf child_of(Entity parent, CallSite at = {}) {
  return {parent, at};
}

/// Records structural changes and applies them in order. Made by World::commands; valid as long as the world.
///
/// What is recorded while a query iterates or an operation calls user code is applied when the outermost of them ends; what
/// is recorded otherwise waits for that to happen, or for `World::flush`. See callbacks.hpp.
///
/// All changes to the components of one entity become one row move. A command for an entity that is stale by
/// then does nothing; one that the hierarchy refuses is reported by `refusals`.
///
/// Errors: std::bad_alloc; nothing is recorded then.
/// Complexity: O(components) to record a command, and amortised O(1) where it has none.
/// Threads: a writer of the world.
class Commands {
 public:
  Commands(detail::Store& store, detail::Hierarchy& hierarchy, detail::Layers& layers)
      : store_(store), target_(store, hierarchy, layers), buffer_(store, target_) {}

  /// Creates an entity with these components, as a root or as the last child of a parent.
  /// Returns: a handle that later commands may name; it becomes alive when commands are applied.
  template <Component... Ts>
  Entity create(Ts... values) {
    return create_at(std::nullopt, values...);
  }
  template <Component... Ts>
  Entity create(ChildOf above, Ts... values) {
    return create_at(above.parent.bits(), values...);
  }

  /// Destroys the entity and its subtree, children first.
  void destroy(Entity entity) { buffer_.destroy(entity); }

  /// Gives the entity a component, or replaces the value that it has.
  template <Component T>
  void add(Entity entity, T value = T{}) {
    const std::array<ComponentId, 1> id{store_.registry().id_of<T>()};
    buffer_.add_values(entity, id, value);
  }
  /// Removes a component from the entity, if it has it.
  template <Component T>
  void remove(Entity entity) {
    buffer_.remove(entity, store_.registry().id_of<T>());
  }

  /// Makes `child` the last child of `parent`, or a root.
  void set_parent(Entity child, Entity parent) { buffer_.move(child, parent.bits()); }
  void clear_parent(Entity child) { buffer_.move(child, std::nullopt); }

  /// Puts the entity alone, without its subtree, into the layer of that key.
  void set_layer(Entity entity, std::int32_t key) {
    buffer_.regroup(entity, static_cast<detail::Group>(key));
  }

  /// Returns: whether no command waits to be applied.
  bool empty() const { return buffer_.empty(); }

  /// Returns: what could not be done when commands were last applied, as sentences that name the entities.
  /// Invalidates: the sentences, when commands are applied again.
  std::span<const std::string> refusals() const { return buffer_.refusals(); }

  /// Returns: the untyped engine below.
  detail::CommandBuffer& buffer() { return buffer_; }
  const detail::CommandBuffer& buffer() const { return buffer_; }

 private:
  template <class... Ts>
  Entity create_at(detail::Placement placement, Ts&... values) {
    const std::array<ComponentId, sizeof...(Ts)> ids{store_.registry().id_of<Ts>()...};
    return buffer_.create_with(placement, ids, values...);
  }

  detail::Store& store_;
  detail::HierarchyCommands target_;
  detail::CommandBuffer buffer_;
};

}  // namespace strata
