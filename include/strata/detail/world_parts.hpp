// WorldParts: the objects that do the work of a World.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../../../core/compiler.hpp"
#include "../../../core/resources.hpp"
#include "../../../hierarchy/creation/built_hierarchy.hpp"
#include "../../../hierarchy/hierarchy.hpp"
#include "../../../hierarchy/layers/layers.hpp"
#include "../../../hierarchy/shrinker.hpp"
#include "../../../hierarchy/states/states.hpp"
#include "../../../storage/store.hpp"
#include "../commands.hpp"
#include "../events.hpp"
#include "../names.hpp"
#include "../relations.hpp"
#include "../world_options.hpp"
#include "typed_store.hpp"

namespace strata {

class World;

}  // namespace strata

namespace strata::detail {

/// The objects of which a World consists. Their addresses do not change when the World is moved, because queries,
/// spawners, accessors and commands refer to them. A member may refer to the members declared before it, so the order
/// of the declarations matters.
struct WorldParts {
  /// Contract: the options are valid: `max_entities` is at most 2^28, and `world_number` at most 255.
  explicit WorldParts(const WorldOptions& options);
  WorldParts(const WorldParts&) = delete;
  WorldParts& operator=(const WorldParts&) = delete;
  ~WorldParts();

  /// Notifies hooks and observers that all pairs will be removed and all entities destroyed. Then destroys, in this
  /// order: queued events and the functions that listen to events; pairs of relations; entities; observers; resources;
  /// the values of recorded commands. Afterwards, only the destructor may be called.
  STRATA_API void end() noexcept;

  /// Creates an entity without a parent, with these values and with the components that Ts require (see requires_of).
  /// `create` and `create_below` are always inlined, so that the values stay in registers.
  /// Errors: std::bad_alloc; no entity has been created then.
  /// Contract: no query iterates, and no other change is under way.
  template <Component... Ts>
  STRATA_ALWAYS_INLINE Entity create(Ts&... values) {
    if constexpr (gets_others<Ts...>())
      return create_with_others(store, Missing<Ts...>(),
                                [&](auto&... others) { return create(values..., others...); });
    const UseScope use = store.changing("create");
    store.require_unlocked("create", Entity());
    const TypeLists::Known* const found = typed.find_list<Ts...>();
    if (found != nullptr && found->roots != nullptr) [[likely]] {
      const TypeLists::Known known = *found;  // A copy: code that moves rows may add lists.
      return typed.build(store.create_row(*known.roots), known, values...);
    }
    return create_anywhere<Ts...>(values...);
  }

  /// Creates an entity with these values, and with the components that Ts require (see requires_of), as the last child
  /// of `parent`. `at` is the place of the call in the source code, for messages.
  /// Contract: the parent is alive, no query iterates, and no other change is under way.
  template <Component... Ts>
  STRATA_ALWAYS_INLINE Entity create_below(Entity parent, CallSite at, Ts&... values) {
    if constexpr (gets_others<Ts...>())
      return create_with_others(store, Missing<Ts...>(), [&](auto&... others) {
        return create_below(parent, at, values..., others...);
      });
    const UseScope use = store.changing("create below", at);
    if (const TypeLists::Known* const found = typed.find_list<Ts...>()) [[likely]] {
      const TypeLists::Known known = *found;  // As in `create`.
      return typed.build(hierarchy.create_below(parent, *known.archetype, at), known, values...);
    }
    return typed.build_anywhere<Ts...>(hierarchy.create_below(parent, typed.archetype_of<Ts...>(), at),
                                       values...);
  }

  /// The slower way of `create`, for the first call with a list of types, or if a component is not stored where
  /// `storage_of` says. Does not check whether a query iterates, because `create` has checked it. It is not inlined, to
  /// keep the common path short.
  template <Component... Ts>
  STRATA_NOINLINE Entity create_anywhere(Passed<Ts>... values) {
    return typed.build_anywhere<Ts...>(store.create_row(typed.roots_of<Ts...>()), values...);
  }

  /// Removes a component from the entity.
  /// Returns: false if the entity is stale or does not have the component.
  /// Contract: no query iterates, and no other change is under way.
  template <Component T>
  STRATA_ALWAYS_INLINE bool remove(Entity entity, CallSite at) {
    static_assert(!is_kept_by_library<T>,
                  "only the library removes this component: remove the pairs of the relation");
    if constexpr (storage_of<T> == Storage::sparse && !can_toggle<T>) {
      const UseScope use = store.changing("remove", at);
      if (store.require_unlocked("remove", entity, at) == Notified::all) [[unlikely]]
        return remove_observed<T>(entity);
      // No check whether the entity is alive is needed: a pool compares whole handles, including the generation, and so
      // does not find a stale entity.
      SparsePool* const pool = store.side().find(store.registry().find_as_declared<T>());
      if (pool != nullptr && pool->template erase_as<T>(entity)) {
        store.change_ended();
        return true;
      }
    }
    const auto id = store.registry().find<T>();
    return id && store.remove(entity, *id, at);
  }

  /// The part of `remove` for a component in the side store (sparse sets), in a world that reports changes to a
  /// listener, because it has observers or hooks.
  template <Component T>
  STRATA_NOINLINE bool remove_observed(Entity entity) {
    SparsePool* const pool = store.side().find(store.registry().find_as_declared<T>());
    if (pool != nullptr) [[likely]]
      return remove_from_pool_and_notify<T>(store, *pool, entity);
    return remove_and_notify(store, entity, store.registry().id_of<T>());
  }

  /// Creates many entities with their parents and values, and writes their handles to `entities`; see
  /// World::build_hierarchy. An entity whose parent in `parents` is kNoParent is appended to the children of
  /// `above->parent`, or becomes a root if `above` is empty.
  /// Contract: `above->parent`, if given, is alive, `entities` is not memory of this world, no query iterates,
  /// and no other change is under way.
  template <class... Columns>
  Outcome build_hierarchy(std::span<const std::uint32_t> parents, std::optional<ParentArgument> above,
                          std::span<Entity> entities, const Columns&... columns) {
    const UseScope use = store.changing("build_hierarchy");
    begin_build(above, entities);
    return typed.build_hierarchy(parents, above ? above->parent : Entity(), entities,
                                 node_values(columns)...);
  }
  /// Does what the `build_hierarchy` above does, but returns the entities instead of writing them to a span.
  template <class... Columns>
  BuiltHierarchy build_hierarchy(std::span<const std::uint32_t> parents, std::optional<ParentArgument> above,
                                 const Columns&... columns) {
    const UseScope use = store.changing("build_hierarchy");
    begin_build(above, {});
    std::vector<Entity> entities(parents.size());
    Outcome built = build_hierarchy(parents, above, std::span(entities), columns...);
    if (!built) entities.clear();
    return {std::move(built), std::move(entities)};
  }
  STRATA_API void begin_build(const std::optional<ParentArgument>& above, std::span<Entity> entities) const;

  /// Returns: where T is stored in this world; if T is not registered, where `storage_of<T>` says.
  template <Component T>
  Storage storage() const {
    const ComponentId id = store.registry().find_or_unknown<T>();
    return id != Registry::kUnknown ? store.registry()[id].storage : storage_of<T>;
  }

  /// Checks the component id of a call that has returned `answer`. The id is only checked if the answer is false or
  /// null. With an id that this world does not know, the answer is always false or null, so such an id is always
  /// noticed.
  /// Returns: `answer`.
  /// Contract: this world issued the id.
  template <class Answer>
  Answer checked(Answer answer, ComponentId id) const {
    if (!answer) static_cast<void>(store.registry()[id]);
    return answer;
  }

  Resources resources;  // Destroyed last, because values of components may refer to resources.
  Store store;
  Hierarchy hierarchy;
  Layers layers;
  States states;
  TypedStore typed;
  Commands commands;
  Events events;
  Names names;
  Relations relations;
  Shrinker shrinker;
  const char* pinned_by = nullptr;  // The name of the innermost operation that has a Pin; null if none has.
};

/// While a Pin exists, the world may not be destroyed or assigned to; other changes are allowed. An operation makes a
/// Pin if it calls user code but has no ChangeGuard::Operation. `operation` is its name, for messages.
class Pin {
 public:
  Pin(WorldParts& parts, const char* operation)
      : parts_(parts), outer_(std::exchange(parts.pinned_by, operation)) {}
  Pin(const Pin&) = delete;
  Pin& operator=(const Pin&) = delete;
  ~Pin() { parts_.pinned_by = outer_; }

 private:
  WorldParts& parts_;
  const char* const outer_;
};

#if STRATA_ACCESS_GUARD
/// A pointer to the parts of a world. As long as a ReadParts exists, the world is recorded as being read (see
/// UseScope).
template <class Parts>
class ReadParts {
 public:
  ReadParts(Parts* parts, const char* operation) : use_(parts->store.reading(operation)), parts_(parts) {}
  Parts* operator->() const { return parts_; }

 private:
  const UseScope use_;
  Parts* const parts_;
};
template <class Parts>
ReadParts<Parts> read_parts(Parts* parts, const char* operation) {
  return {parts, operation};
}
#else
template <class Parts>
using ReadParts = Parts*;
template <class Parts>
STRATA_ALWAYS_INLINE constexpr Parts* read_parts(Parts* parts, const char*) {
  return parts;
}
#endif

#if STRATA_ACCESS_GUARD
inline namespace checked {  // A program built with STRATA_ACCESS_GUARD does not link with a library built without it.
#endif

/// An owning pointer to the parts of a world; null after it was moved from. A const OwnedParts gives access to const
/// parts only.
class OwnedParts {
 public:
  explicit OwnedParts(const WorldOptions& options);
  STRATA_API OwnedParts(OwnedParts&& other) noexcept;
  STRATA_API OwnedParts& operator=(OwnedParts&& other) noexcept;
  STRATA_API ~OwnedParts();

  /// Sets the World that hooks receive as an argument. World calls this function when it is made or moved. Does nothing
  /// if this OwnedParts was moved from.
  void set_world(World* world) noexcept;

  /// Returns: false after it was moved from.
  explicit operator bool() const noexcept { return parts_ != nullptr; }
  WorldParts& operator*() { return *parts_; }
  const WorldParts& operator*() const { return *parts_; }
  WorldParts* operator->() { return parts_; }
  const WorldParts* operator->() const { return parts_; }

  /// Return the parts for an operation that only reads, or hands out values without changing the tables: `read()->...`.
  /// In builds with STRATA_ACCESS_GUARD, the operation is recorded as reading until the result is destroyed (see
  /// UseScope). Its name in messages is the name of the calling function.
  ReadParts<WorldParts> read(const char* operation = STRATA_CALLER_FUNCTION) {
    return read_parts(parts_, operation);
  }
  ReadParts<const WorldParts> read(const char* operation = STRATA_CALLER_FUNCTION) const {
    return read_parts<const WorldParts>(parts_, operation);
  }

 private:
  /// Calls WorldParts::end, which destroys all values: their destructors may still use the world. Then destroys the
  /// WorldParts. Does nothing if they were moved to another object.
  void end() noexcept;

  WorldParts* parts_;
};

#if STRATA_ACCESS_GUARD
}  // namespace checked
#endif

/// Returns: the parts of a world, for the library's own tools and tests.
STRATA_API WorldParts& parts_of(World& world) noexcept;
STRATA_API const WorldParts& parts_of(const World& world) noexcept;
/// Returns: the guard of a world; null if the world was moved from.
const ChangeGuard* find_guard(const World& world) noexcept;

}  // namespace strata::detail
