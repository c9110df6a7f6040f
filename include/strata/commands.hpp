// Commands: records structural changes while a query iterates.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "../../hierarchy/hierarchy_commands.hpp"

namespace strata {

namespace detail {

/// A parent for new entities or for a query; the result of `child_of`.
struct ChildOf {
  Entity parent;
  CallSite at = {};
};

}  // namespace detail

/// Returns: an argument that gives new entities or a query a parent: `world.create(child_of(car), Wheel{})`.
constexpr detail::ChildOf child_of(Entity parent, CallSite at = {}) {
  return {parent, at};
}

/// Records structural changes and applies them in order. Made by World::commands; valid as long as the world.
///
/// Commands recorded while a query iterates or an operation calls user code are applied when the outermost of
/// them ends. Commands recorded otherwise wait for the next such end or for `World::flush`. See
/// callbacks.hpp.
///
/// All changes to the components of one entity become one row move. A command for a stale entity does
/// nothing. A command that the hierarchy refuses is reported by `refusals`.
///
/// Errors: std::bad_alloc; nothing is recorded then.
/// Complexity: O(components) to record a command; amortised O(1) without components.
/// Threads: a writer of the world.
class Commands {
 public:
  Commands(detail::Store& store, detail::Hierarchy& hierarchy, detail::Layers& layers)
      : store_(store), target_(store, hierarchy, layers), buffer_(store, target_) {}

  /// Creates an entity with these components, as a root or as the last child of a parent.
  /// Returns: a handle for later commands. It becomes alive when the commands are applied.
  template <Component... Ts>
  Entity create(Ts... values) {
    return create_at(std::nullopt, values...);
  }
  template <Component... Ts>
  Entity create(detail::ChildOf above, Ts... values) {
    return create_at(above.parent.bits(), values...);
  }

  /// Destroys the entity and its subtree, children first.
  void destroy(Entity entity) { buffer_.destroy(entity); }

  /// Adds a component to the entity, or replaces its value.
  template <Component T>
  void add(Entity entity, T value = T{}) {
    const std::array<ComponentId, 1> id{store_.registry().id_of<T>()};
    buffer_.add_values(entity, id, value);
  }
  /// Removes a component from the entity; does nothing if the entity does not have it.
  template <Component T>
  void remove(Entity entity) {
    buffer_.remove(entity, store_.registry().id_of<T>());
  }

  /// Makes `child` the last child of `parent`; see World::set_parent.
  void set_parent(Entity child, Entity parent) { buffer_.move(child, parent.bits()); }
  /// Makes `child` a root.
  void clear_parent(Entity child) { buffer_.move(child, std::nullopt); }

  /// Moves the entity, without its subtree, to the layer with this key; see World::set_layer.
  void set_layer(Entity entity, std::int32_t key) {
    buffer_.regroup(entity, static_cast<detail::Group>(key));
  }

  /// Returns: whether no commands are pending.
  bool empty() const { return buffer_.empty(); }

  /// Returns: the commands that were refused when commands were last applied, as sentences that name the
  /// entities.
  /// Invalidates: the sentences, when commands are applied again.
  std::span<const std::string> refusals() const { return buffer_.refusals(); }

  /// Returns: the buffer that holds the commands, which knows components by their ids.
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
