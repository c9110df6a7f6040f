// WorldParts: the engines that a world is composed of.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "../../../core/resources.hpp"
#include "../../../hierarchy/hierarchy.hpp"
#include "../../../hierarchy/layers/layers.hpp"
#include "../../../hierarchy/shrinker.hpp"
#include "../../../storage/store.hpp"
#include "../commands.hpp"
#include "../world_options.hpp"
#include "typed_store.hpp"

namespace strata {

class World;

}  // namespace strata

namespace strata::detail {

/// What a World owns, at an address that does not change when the World is moved: queries, spawners, accessors and
/// commands refer to it. The members refer to those above them.
struct WorldParts {
  /// Contract: the options are sound.
  explicit WorldParts(const WorldOptions& options);
  WorldParts(const WorldParts&) = delete;
  WorldParts& operator=(const WorldParts&) = delete;
  ~WorldParts() = default;

  /// Destroys all entities, then the values of recorded commands. Nothing but the destructor follows.
  void end() noexcept;

  /// Creates an entity that is a root. Always inlined, as `create_below`, so that the values stay in registers.
  template <Component... Ts>
  [[gnu::always_inline]] Entity create(Ts&... values) {
    store.require_unlocked("create", Entity());
    const TypeLists::Known* const known = typed.find_list<Ts...>();
    if (known != nullptr && known->roots != nullptr) [[likely]] {
      return typed.build(store.create_row(*known->roots), *known, values...);
    }
    return create_anywhere<Ts...>(values...);
  }

  /// Creates an entity as the last child of `parent`.
  template <Component... Ts>
  [[gnu::always_inline]] Entity create_below(Entity parent, CallSite at, Ts&... values) {
    if (const TypeLists::Known* const known = typed.find_list<Ts...>()) [[likely]] {
      return typed.build(hierarchy.create_below(parent, *known->archetype, at), *known, values...);
    }
    return typed.build_anywhere<Ts...>(hierarchy.create_below(parent, typed.archetype_of<Ts...>(), at),
                                       values...);
  }

  /// As `create`, for the first time, or wherever the components are stored. Apart, so that the usual way is all that
  /// is inlined.
  template <Component... Ts>
  [[gnu::noinline]] Entity create_anywhere(Passed<Ts>... values) {
    return typed.build_anywhere<Ts...>(store.create_row(typed.roots_of<Ts...>()), values...);
  }

  /// Returns: false when the entity is stale or has no such component.
  template <Component T>
  [[gnu::always_inline]] bool remove(Entity entity, CallSite at) {
    if constexpr (storage_of<T> == Storage::sparse) {
      // A member is found by its whole handle: nothing else has to be asked.
      store.require_unlocked("remove", entity, at);
      SparsePool* const pool = store.side().find(store.registry().find_as_declared<T>());
      if (pool != nullptr && pool->template erase_as<T>(entity)) {
        store.change_ended();
        return true;
      }
    }
    const auto id = store.registry().find<T>();
    return id && store.remove(entity, *id, at);
  }

  /// Creates a forest from columns of values, its roots as the last children of a parent, if there is one.
  template <class... Columns>
  BuiltHierarchy build_hierarchy(std::span<const std::uint32_t> parents, std::optional<ChildOf> above,
                                 const Columns&... columns) {
    const Entity parent = above ? above->parent : Entity();
    store.require_unlocked("build_hierarchy", parent, above ? above->at : CallSite());
    if (above) store.require_alive("build_hierarchy below", parent, above->at);
    return typed.build_hierarchy(parents, parent, as_values(columns)...);
  }

  /// Returns: where a component is stored.
  template <Component T>
  Storage storage() const {
    const ComponentId id = store.registry().find_or_unknown<T>();
    return id != Registry::kUnknown ? store.registry()[id].storage : storage_of<T>;
  }

  /// Returns: the answer to a question that names a component.
  /// Contract: this world gave the id. What it never gave is on no entity, so only "no" is looked at.
  template <class Answer>
  Answer checked(Answer answer, ComponentId id) const {
    if (!answer) static_cast<void>(store.registry()[id]);
    return answer;
  }

  Resources resources;  // Destroyed last: values of components may refer to them.
  Store store;
  Hierarchy hierarchy;
  Layers layers;
  TypedStore typed;
  Commands commands;
  Shrinker shrinker;
};

/// Owns the parts of a world; const if it is const itself. Null after it was moved from.
class OwnedParts {
 public:
  explicit OwnedParts(const WorldOptions& options);
  OwnedParts(OwnedParts&& other) noexcept = default;
  OwnedParts& operator=(OwnedParts&& other) noexcept;
  ~OwnedParts() { end(); }

  WorldParts& operator*() { return *parts_; }
  const WorldParts& operator*() const { return *parts_; }
  WorldParts* operator->() { return parts_.get(); }
  const WorldParts* operator->() const { return parts_.get(); }

 private:
  /// Destroys the values of entities and commands while the parts can be reached: destructors may ask the world.
  void end() noexcept {
    if (parts_ != nullptr) parts_->end();
  }

  std::unique_ptr<WorldParts> parts_;
};

/// Returns: the parts of a world, for the library's own tools and tests.
WorldParts& parts_of(World& world) noexcept;
const WorldParts& parts_of(const World& world) noexcept;

}  // namespace strata::detail
