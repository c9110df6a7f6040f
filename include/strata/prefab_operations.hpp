// PrefabOperations: the operations of a World that make prefabs, which are templates for copies.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../hierarchy/creation/override.hpp"
#include "../../hierarchy/prefabs/instance_of.hpp"
#include "state_operations.hpp"

namespace strata {
namespace detail {

/// An argument of `instantiate`, made by `override_at`. `instantiate` copies an entity with all entities below it.
/// `node` is one of the entities below. Its copy gets `value` instead of the value that `node` has.
template <Component T>
struct OverrideAt {
  Entity node;
  T value;
};

/// Whether an argument of type T of `instantiate` is a component value for the copy of the root. Otherwise it is an
/// argument of another overload: a number of copies, an entity, a parent, or a span for the handles of the copies.
template <class T>
inline constexpr bool is_override =
    Component<T> && !std::is_arithmetic_v<T> && !std::same_as<T, Entity> &&
    !std::same_as<T, ParentArgument> && !std::convertible_to<T&, std::span<Entity>>;

template <Component T>
Override override_of(Registry& registry, Entity node, const T& value) {
  static_assert(!is_tag<T>, "a tag has no value: add it to the prefab, or to the copy");
  static_assert(!is_kept_by_library<T>, "only the library writes this component");
  return {node, registry.id_of<T>(), &value};
}
template <Component T>
Override override_of(Registry& registry, Entity, const OverrideAt<T>& given) {
  return override_of(registry, given.node, given.value);
}

}  // namespace detail

/// Returns: an argument for World::instantiate, which copies an entity with all entities below it. `node` is one of
/// these entities. Each copy of `node` gets `value` instead of the value that `node` has.
template <Component T>
detail::OverrideAt<T> override_at(Entity node, T value) {
  return {node, std::move(value)};
}

/// The base class of World with the operations that make prefabs. The comment on World has the rules for all
/// operations.
///
/// A prefab is an entity that, with all entities below it, is a template for `instantiate`. A query leaves out these
/// entities unless one of its terms names the tag Prefab, as `With<Prefab>` and `Maybe<Prefab>` do. Entities that are
/// created below the prefab or moved there are left out in the same way, until they are moved out. Nothing else
/// changes: `get` finds the values of these entities, and pools (sparse sets) contain the entities. A prefab may be
/// disabled at the same time; only queries that name both tags, Prefab and Disabled, then visit it.
///
/// A copy of a prefab, made by `instantiate`, is no prefab, unless its parent belongs to a prefab. If entities below
/// the original were made prefabs on their own, their copies are prefabs, too. Each copy is an instance of the prefab:
/// a pair of the relation InstanceOf leads from the root of the copy to the prefab, as long as both entities are alive.
/// Copies of an instance are instances of the same prefab, and an instance that is made a prefab is a variant: its
/// copies are instances of the variant.
class PrefabOperations : public StateOperations {
 public:
  /// `make_prefab` makes an entity a prefab, with all entities below it. `unmake_prefab` undoes this; entities that are
  /// also below another prefab stay parts of that prefab.
  /// Returns: false if the entity is stale, or was already made a prefab (for `unmake_prefab`: was not made a prefab).
  /// Invalidates: pointers to components in tables of these entities, and of other entities in the tables that these
  /// leave or enter.
  /// Complexity: O(entities that become prefabs or cease to be prefabs + their components).
  bool make_prefab(Entity entity) {
    return parts_->states.set_subtree(detail::State::prefab, entity, true, "make_prefab");
  }
  bool unmake_prefab(Entity entity) {
    return parts_->states.set_subtree(detail::State::prefab, entity, false, "unmake_prefab");
  }

  /// Returns: whether the entity is a prefab or a part of one; false for a stale entity.
  /// Complexity: O(1).
  [[nodiscard]] STRATA_API bool is_prefab(Entity entity) const;

  using StateOperations::instantiate;
  /// Copy `root` with all entities below it, as the other forms of `instantiate` do, but the copies get the given
  /// values instead of those of the originals. Each of `values` is the value of a component for the copy of `root`, or
  /// a result of `override_at`, for the copy of an entity below `root`. If one of these values contains the handle of
  /// an entity of the subtree, the copy gets the handle of that entity's copy instead. If there are two values for one
  /// component of one entity, the last one is used. `root` need not be a prefab.
  /// Contract: the originals have these components, and the entities given to `override_at` are in the subtree of
  /// `root`.
  template <class... Values>
  requires(sizeof...(Values) != 0 && (detail::is_override<Values> && ...)) Entity
      instantiate(Entity root, Values... values) {
    return copy_with(root, Entity(), values...);
  }
  template <class... Values>
  requires(sizeof...(Values) != 0 && (detail::is_override<Values> && ...)) Entity
      instantiate(detail::ParentArgument above, Entity root, Values... values) {
    parts_->store.require_alive("instantiate below", above.parent, above.at);
    return copy_with(root, above.parent, values...);
  }
  template <class... Values>
  requires(sizeof...(Values) != 0 && (detail::is_override<Values> &&
                                      ...)) std::vector<Entity> instantiate(Entity root, std::size_t count,
                                                                            Values... values) {
    return detail::instantiate_many(*parts_, root, Entity(), count, overrides(root, values...));
  }
  template <class... Values>
  requires(sizeof...(Values) != 0 && (detail::is_override<Values> && ...)) std::vector<Entity> instantiate(
      detail::ParentArgument above, Entity root, std::size_t count, Values... values) {
    parts_->store.require_alive("instantiate below", above.parent, above.at);
    return detail::instantiate_many(*parts_, root, above.parent, count, overrides(root, values...));
  }

  /// Returns: the prefab of which the entity is an instance; a null handle if it is no instance, or is stale. Only the
  /// copy of the prefab itself is an instance, not the entities below the copy.
  /// Complexity: O(1).
  [[nodiscard]] STRATA_API Entity prefab_of(Entity instance) const;

  /// Returns: the entity of an instance that is the copy of `node`. `node` is the prefab or an entity below it. If the
  /// prefab is a variant (an instance that was made a prefab), `node` may also belong to the prefab of which the
  /// variant is an instance. If that prefab is a variant, too, the same applies to its own prefab, and so on. Moving
  /// `node` or its copy in the hierarchy does not change the result. The result is a null handle if `node` became a
  /// part of the prefab after the copy was made, if `node` or its copy was destroyed, or if `instance` is no instance.
  /// Complexity: O(log n) for n entities of the prefab, for each variant between the instance and the prefab to which
  /// `node` belongs.
  [[nodiscard]] STRATA_API Entity counterpart(Entity instance, Entity node) const;

 protected:
  using StateOperations::StateOperations;

 private:
  template <class... Values>
  std::array<detail::Override, sizeof...(Values)> overrides(Entity root, const Values&... values) {
    return {detail::override_of(parts_->store.registry(), root, values)...};
  }
  template <class... Values>
  Entity copy_with(Entity root, Entity above, const Values&... values) {
    Entity copy;
    detail::instantiate_into(*parts_, root, above, {&copy, 1}, overrides(root, values...));
    return copy;
  }
};

}  // namespace strata
