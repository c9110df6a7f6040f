// Commands: records changes while a query iterates, and applies them when the iteration ends.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../../hierarchy/hierarchy_commands.hpp"
#include "../../hierarchy/relations/relation_set.hpp"
#include "../../query/parallel/recorder.hpp"
#include "../../storage/toggles.hpp"

namespace strata {

namespace detail {

/// An argument that names a parent, for creating entities below the parent or for querying its children. `child_of`
/// makes it. `at` is the place in the source code where the argument was made, for messages.
struct ParentArgument {
  Entity parent;
  CallSite at = {};
};

template <>
inline constexpr bool is_kept_by_library<ParentArgument> = true;

/// Fails to compile, with a sentence that says what to record instead, if one of Ts is the tag of a state (Disabled or
/// Prefab).
template <class... Ts>
constexpr void require_no_state() {
  static_assert((!is_state<Ts> && ...),
                "Disabled and Prefab are not added or removed as components: record disable(entity), "
                "enable(entity), make_prefab(entity), unmake_prefab(entity) and the like");
}

}  // namespace detail

/// Returns: an argument that names a parent, for creating entities below the parent or for querying its children:
/// `world.create(child_of(car), Wheel{})`. The compiler sets `at` to the place of the call, for messages.
constexpr detail::ParentArgument child_of(Entity parent, CallSite at = {}) {
  return {parent, at};
}

/// Records structural changes and applies them in the order of recording. World::commands returns this object, which is
/// valid as long as the world.
///
/// Changes are applied at these times (see callbacks.hpp for details):
/// - changes recorded while a query iterates or an operation calls user code: when the outermost iteration or operation
///   ends
/// - changes recorded at another time: by `World::flush`, or together with changes that are recorded later, during an
///   iteration or operation; an iteration or operation that records nothing does not apply them
///
/// Commands that change components of the same entity are merged: the row of the entity moves to another table at most
/// once, even if more components are added because they are required (see requires_of). A command of another kind, such
/// as destroying, naming or re-parenting any entity, ends the merging: commands before it are not merged with commands
/// after it. A command for a stale entity does nothing. If a command is refused when it is applied, for example because
/// it would make an entity its own ancestor, `refusals` says why. If applying a command breaks a contract, the command
/// is discarded, together with the commands that are merged with it, and `refusals` has the message. All other commands
/// are applied, and then the ContractViolation is thrown.
///
/// Errors: std::bad_alloc; nothing is recorded then.
/// Complexity: to record a command, O(components of the command), but amortised O(1) for a command without components.
/// Threads: recording counts as a change of the world: no other thread may use the world at the same time. Worker
/// threads of an executor record into objects of their own: functions that a ParallelQuery calls use
/// ParallelQuery::recording, and systems of a Schedule use the Commands that they receive.
class Commands {
 public:
  Commands(detail::Store& store, detail::Hierarchy& hierarchy, detail::Layers& layers, detail::States& states)
      : store_(store),
        relations_(hierarchy.relations()),
        target_(store, hierarchy, layers, states),
        buffer_(store, target_) {}

  /// Records the creation of an entity with these components. The entity becomes a root or, with an argument
  /// `child_of(parent)`, the last child of that parent.
  /// Returns: the handle that the entity will have, which may be used in further commands. The entity is alive once the
  /// commands are applied.
  template <Component... Ts>
  Entity create(Ts... values) {
    return create_at(std::nullopt, values...);
  }
  template <Component... Ts>
  Entity create(detail::ParentArgument above, Ts... values) {
    return create_at(above.parent.bits(), values...);
  }

  /// Records the destruction of an entity and of all entities below it, children first.
  void destroy(Entity entity) { buffer_.destroy(entity); }

  /// Records that a component is added to an entity. If the entity has the component when the command is applied, its
  /// value is replaced.
  template <Component T>
  void add(Entity entity, T value = T{}) {
    static_assert(!detail::is_kept_by_library<T>,
                  "only the library adds this component: record a pair of the relation");
    detail::require_no_state<T>();
    const std::array<ComponentId, 1> id{store_.registry().id_of<T>()};
    buffer_.add_values(entity, id, value);
  }
  /// Records that a component is removed from an entity. Has no effect if the entity does not have it when
  /// the command is applied.
  template <Component T>
  void remove(Entity entity) {
    static_assert(!detail::is_kept_by_library<T>,
                  "only the library removes this component: record that a pair of the relation is removed");
    detail::require_no_state<T>();
    buffer_.remove(entity, store_.registry().id_of<T>());
  }

  /// Records that a pair, which links a source entity to a target entity by the relation R, is added, or that the value
  /// of the pair is replaced; see Relations::add. The command is refused if the target is stale, or is the source
  /// itself.
  template <Component R>
  void add(Entity source, Entity target, R value = R{}) {
    if constexpr (std::is_same_v<R, ChildOf>) return set_parent(source, target);
    const ComponentId id = store_.registry().id_of<R>();
    relations_.get(id, relation_options_of<R>);
    buffer_.add_pair(source, target, id, value);
  }
  /// Records that the pair of the relation R from `source` to `target` is removed. Has no effect if there is no such
  /// pair when the command is applied.
  template <Component R>
  void remove(Entity source, Entity target) {
    buffer_.remove_pair(source, target, store_.registry().id_of<R>());
  }

  /// Records that `child` becomes the last child of `parent`; see World::set_parent.
  void set_parent(Entity child, Entity parent) { buffer_.move(child, parent.bits()); }
  /// Records that `child` becomes a root; see World::clear_parent.
  void clear_parent(Entity child) { buffer_.move(child, std::nullopt); }

  /// Records that the entity, without the entities below it, moves to the layer with this key. A layer is a set of
  /// entities that a LayeredQuery visits together; see World::set_layer.
  void set_layer(Entity entity, std::int32_t key) {
    buffer_.regroup(entity, static_cast<detail::Group>(key));
  }

  /// Records that the entity gets a name; see Names::set. The text is copied.
  void set_name(Entity entity, std::string_view name) { buffer_.rename(entity, name); }

  /// Record that an entity is disabled or enabled, alone or with its subtree; see World::disable.
  void disable(Entity entity) { buffer_.change_state(entity, detail::StateRequest::disable); }
  void enable(Entity entity) { buffer_.change_state(entity, detail::StateRequest::enable); }
  void disable_subtree(Entity entity) { buffer_.change_state(entity, detail::StateRequest::disable_subtree); }
  void enable_subtree(Entity entity) { buffer_.change_state(entity, detail::StateRequest::enable_subtree); }

  /// Record that a component is switched off (`disable`) or on (`enable`) for the entity. While it is switched off,
  /// queries treat the entity as one without it; see World::disable. The commands have no effect if the entity does not
  /// have the component when they are applied.
  template <Component T>
  void disable(Entity entity) {
    detail::require_toggle<T>();
    buffer_.toggle(entity, store_.registry().id_of<T>(), detail::StateRequest::disable);
  }
  template <Component T>
  void enable(Entity entity) {
    detail::require_toggle<T>();
    buffer_.toggle(entity, store_.registry().id_of<T>(), detail::StateRequest::enable);
  }

  /// Record that an entity is made a prefab (a template for copies), or that it ceases to be one; see
  /// World::make_prefab.
  void make_prefab(Entity entity) { buffer_.change_state(entity, detail::StateRequest::make_prefab); }
  void unmake_prefab(Entity entity) { buffer_.change_state(entity, detail::StateRequest::unmake_prefab); }

  /// Returns: whether there are no recorded commands that wait to be applied.
  bool empty() const { return buffer_.empty(); }

  /// Returns: one sentence for each command that was refused or broke a contract when commands were last applied. The
  /// sentence names the entities of the command.
  /// Invalidates: the sentences, when commands are applied again.
  std::span<const std::string> refusals() const { return buffer_.refusals(); }

  /// Returns: the buffer in which the commands are stored, for the library's own code.
  detail::CommandBuffer& buffer() { return buffer_; }
  const detail::CommandBuffer& buffer() const { return buffer_; }

 private:
  template <class... Ts>
  Entity create_at(detail::Placement placement, Ts&... values) {
    static_assert((!detail::is_kept_by_library<Ts> && ...),
                  "child_of(parent) is the first argument, and pairs are added to the entity later");
    detail::require_no_state<Ts...>();
    const std::array<ComponentId, sizeof...(Ts)> ids{store_.registry().id_of<Ts>()...};
    return buffer_.create_with(placement, ids, values...);
  }

  detail::Store& store_;
  detail::RelationSet& relations_;
  detail::HierarchyCommands target_;
  detail::CommandBuffer buffer_;
};

/// States that the functions of Commands only record changes. So a Recorder, which stores calls during a parallel
/// visit, makes its calls to a Commands before the iteration ends. The changes are applied when the iteration ends; see
/// only_records.
template <>
inline constexpr bool detail::only_records<Commands> = true;

}  // namespace strata
