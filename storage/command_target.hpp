// CommandTarget: the interface through which a command buffer calls the hierarchy.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "../core/component.hpp"
#include "../core/entity.hpp"
#include "../core/outcome.hpp"
#include "../core/slots.hpp"

namespace strata::detail {

class Archetype;

/// The parent that an entity gets: the bits of the parent's handle, or nullopt if the entity gets no parent.
/// CommandBuffer passes a Placement to its CommandTarget without reading it.
using Placement = std::optional<std::uint64_t>;

/// The number of a layer. The rows of the entities of one layer are stored together, so that a layered query can visit
/// one layer after the other. CommandBuffer passes a Group to its CommandTarget without reading it.
enum class Group : std::uint32_t {};

/// What a `state` command does to an entity. A prefab is an entity that is a template for copies. A `toggle` command
/// uses `enable` and `disable` only, to switch a component on and off. CommandBuffer passes the StateRequest of a
/// `state` command to its CommandTarget without reading it.
enum class StateRequest : std::uint32_t {
  disable,
  enable,
  disable_subtree,
  enable_subtree,
  make_prefab,
  unmake_prefab
};

/// An interface through which CommandBuffer applies the commands that need more than the Store, because they depend on
/// parents, layers, names, states (such as disabled) or pairs. A pair is a link from one entity, the source, to
/// another, the target; its kind is called the relation. The hierarchy implements the interface.
class CommandTarget {
 public:
  /// Creates the entity of a reserved handle (one that was given out before the entity exists), with the components of
  /// `archetype`. It becomes a child of the entity `placement` or, if `placement` is nullopt, a root. Writes where the
  /// entity's row is to `*place`; the values in the row are uninitialised.
  /// Returns: success, or why the creation was refused. A refused creation makes no row.
  virtual Outcome create(Entity reserved, Archetype& archetype, Placement placement, Place* place) = 0;
  /// Gives an entity another parent, or none.
  /// Returns: success, or why the move was refused. A refused move changes nothing.
  virtual Outcome move(Entity entity, Placement placement) = 0;
  /// Destroys an entity with its descendants; does nothing for a stale entity.
  /// Returns: success, or why the destruction was refused. A refused destruction changes nothing.
  virtual Outcome destroy(Entity entity) = 0;
  /// Moves the row of an entity into the layer `group`, whose rows are stored together; does nothing for a stale
  /// entity.
  virtual void regroup(Entity entity, Group group) = 0;
  /// Gives an entity a name; does nothing for a stale entity.
  /// Returns: success, also for a stale entity; or why the name was refused. A refused name changes nothing.
  virtual Outcome rename(Entity entity, std::string_view name) = 0;
  /// Adds a pair of the relation `id`. If the pair exists already, replaces its value. On success, the new value has
  /// been moved out of `*value`, and the lifetime of `*value` has ended. `value` is null for a relation without values.
  /// Returns: success, or why the pair was refused. If it was refused, nothing has changed, and the caller still has to
  /// destroy `*value`.
  /// Contract: the source is alive.
  virtual Outcome add_pair(Entity source, Entity target, ComponentId id, void* value) = 0;
  /// Removes a pair of the relation `id`; does nothing if there is no such pair.
  virtual void remove_pair(Entity source, Entity target, ComponentId id) = 0;
  /// Changes the states of an entity as `request` says; does nothing for a stale entity.
  virtual void change_state(Entity entity, StateRequest request) = 0;

 protected:
  ~CommandTarget() = default;
};

}  // namespace strata::detail
