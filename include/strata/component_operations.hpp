// ComponentOperations: the operations of a World on the components of an entity, by type and by id.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "accessor.hpp"
#include "bulk_operations.hpp"
#include "component_value.hpp"
#include "pool.hpp"

namespace strata {

/// The base class of World with the operations that add, remove and access the components of an entity, and those on
/// components as a whole, such as their ids and storages. The comment on World has the rules for all operations.
class ComponentOperations : public BulkOperations {
 public:
  using BulkOperations::add, BulkOperations::remove;

  /// Adds a component to the entity, with the components that it requires (see requires_of); replaces the value if the
  /// entity has the component.
  /// Returns: a reference to the new value; nothing for a tag.
  /// Contract: the entity is alive.
  /// Complexity: O(components of the entity); O(1) if T is stored in the side store (sparse sets).
  template <Component T>
  decltype(auto) add(Entity entity, T value = T{}, CallSite at = {}) {
    return parts_->typed.add(entity, value, at);
  }

  /// Removes a component from the entity.
  /// Returns: false if the entity is stale or does not have the component.
  /// Complexity: O(components of the entity); O(1) if T is stored in the side store (sparse sets).
  template <Component T>
  bool remove(Entity entity, CallSite at = {}) {
    return parts_->remove<T>(entity, at);
  }

  /// Returns: whether the entity has T and all of Others; false if the entity is stale.
  template <Component T, Component... Others>
  [[nodiscard]] STRATA_ALWAYS_INLINE bool has(Entity entity) const {
    const detail::TypedStore& typed = parts_.read()->typed;
    return typed.has<T>(entity) && (typed.has<Others>(entity) && ...);
  }

  /// Looks up the entity's value of T. If changes of T's values are tracked (see tracking_of), the call counts as a
  /// change unless the World is const.
  /// Returns: a pointer to the value; null if the entity is stale or does not have T.
  /// Complexity: O(1).
  template <Component T>
  [[nodiscard]] STRATA_ALWAYS_INLINE T* find(Entity entity) {
    return parts_.read()->typed.find_to_write<T>(entity);
  }
  template <Component T>
  [[nodiscard]] STRATA_ALWAYS_INLINE const T* find(Entity entity) const {
    return parts_.read()->typed.find<T>(entity);
  }

  /// Returns: the entity's value of T. If changes of T's values are tracked (see tracking_of), the call counts as a
  /// change unless the World is const.
  /// Contract: the entity is alive and has the component.
  template <Component T>
  [[nodiscard]] STRATA_ALWAYS_INLINE T& get(Entity entity, CallSite at = {}) {
    return parts_.read()->typed.get_to_write<T>("get", entity, at);
  }
  template <Component T>
  [[nodiscard]] STRATA_ALWAYS_INLINE const T& get(Entity entity, CallSite at = {}) const {
    return parts_.read()->typed.get<T>("get", entity, at);
  }

  /// Replaces the value of a component that the entity has. No row moves, so the call is allowed while a query
  /// iterates.
  /// Returns: the new value.
  /// Contract: the entity is alive and has the component.
  /// Complexity: O(1).
  template <Component T>
  STRATA_ALWAYS_INLINE T& set(Entity entity, T value, CallSite at = {}) {
    static_assert(!detail::is_kept_by_library<T>,
                  "only the library writes this component: set a value of a pair");
    const detail::UseScope use = parts_->store.changing("set", at);
    return parts_->typed.set(entity, value, at);
  }

  /// `patch` calls `function(T&)` with the entity's value of T, and then notifies the observers of T; see
  /// Observers::on_set. `modified` only notifies them. Both count as a change of the value if changes of T's values are
  /// tracked (see tracking_of).
  /// Errors: exceptions of `function`; no observer is notified then. Exceptions of observers, which are thrown after
  /// all observers were called.
  /// Contract: the entity is alive and has the component, also when `function` has returned.
  template <Component T, class Function>
  void patch(Entity entity, Function function, CallSite at = {}) {
    detail::WorldParts& parts = *parts_;  // The function may move the World.
    const detail::UseScope use = parts.store.changing("patch", at);
    const detail::Pin pin(parts, "patch");
    function(parts.typed.get_to_write<T>("patch", entity, at));
    if (!parts.store.listened()) return;
    // The value is looked up again: if the function has added or removed components of the entity, its row has moved.
    parts.typed.modified(entity, parts.typed.get_to_write<T>("patch", entity, at));
  }
  template <Component T>
  void modified(Entity entity, CallSite at = {}) {
    const detail::UseScope use = parts_->store.changing("modified", at);
    parts_->typed.modified(entity, parts_->typed.get_to_write<T>("modified", entity, at));
  }

  /// Returns: an object that reads, adds and removes the component T of any entity, faster than `get`, `add` and the
  /// like; see Accessor. `T` may be const. A const World only makes accessors that read, `accessor<const T>()`.
  template <class T>
  requires Component<std::remove_const_t<T>>
  [[nodiscard]] Accessor<T> accessor() { return Accessor<T>(parts_.read()->typed); }
  template <class T>
  requires Component<std::remove_const_t<T>>
  [[nodiscard]] Accessor<T> accessor() const {
    static_assert(std::is_const_v<T>, "an accessor of a const World only reads: write accessor<const T>()");
    return Accessor<T>(parts_.read()->typed);
  }

  // The functions from here on return or take the id of a component. A component is a C++ type, or is described at run
  // time by a ComponentInfo; it has one id in each world.

  /// Returns: the id of a component in this world. Registers the component if it is new.
  /// Contract: the description is valid (see check_description). If a component of the same name is registered, the two
  /// descriptions agree.
  template <Component T>
  ComponentId component() {
    return parts_.read()->store.registry().id_of<T>();
  }
  STRATA_API ComponentId component(const ComponentInfo& description);

  // Contract of all functions below that take an id: this world issued the id. An id of another world is not detected
  // if this world has issued an equal one.

  /// Adds a component, or replaces its value if the entity has it. The new value is moved out of `*value`, and its
  /// lifetime there ends: the caller must not destroy it. But if `value` points to the entity's own value of the
  /// component, that value is not moved and stays as it is.
  /// Returns: the stored value; null for a tag.
  /// Contract: the entity is alive; `value` is not null unless the component is a tag. `value` does not point to any
  /// other value that this world stores, for an entity or a pair.
  STRATA_API void* add(Entity entity, ComponentId id, void* value);
  bool remove(Entity entity, ComponentId id) {
    parts_->store.registry().require_free("remove", id);
    return parts_->checked(parts_->store.remove(entity, id), id);
  }
  [[nodiscard]] bool has(Entity entity, ComponentId id) const {
    return parts_.read()->checked(parts_->store.has(entity, id), id);
  }
  /// Looks up the entity's value. If changes of the component's values are tracked (see tracking_of), the call counts
  /// as a change unless the World is const. Observers are not notified of what is written through the pointer: call
  /// `modified` afterwards, or use `set`.
  /// Returns: a pointer to the value; null if the entity is stale or does not have the component, or if the component
  /// is a tag.
  [[nodiscard]] void* find(Entity entity, ComponentId id) {
    return parts_.read()->checked(parts_->store.find_to_write(entity, id), id);
  }
  [[nodiscard]] const void* find(Entity entity, ComponentId id) const {
    return parts_.read()->checked(parts_->store.find(entity, id), id);
  }

  /// `set` replaces the value of a component that the entity has by a copy of `*value`, and notifies the observers; see
  /// the typed `set`. `modified` notifies the observers that the value was written, for example through a pointer that
  /// `find` returned; see the typed `modified`. No row moves, so both are allowed while a query iterates.
  /// Returns: from `set`, the address of the value.
  /// Errors: exceptions of the copy, after which nothing has changed; exceptions of observers.
  /// Contract: the entity is alive and has the component, which is no tag; for `set`, values of the component can be
  /// copied, and `value` is not null.
  STRATA_API void* set(Entity entity, ComponentId id, const void* value);
  void modified(Entity entity, ComponentId id) {
    detail::Store& store = parts_->store;
    const detail::UseScope use = store.changing("modified");
    void* const value = store.find_to_write(entity, id);
    if (value == nullptr) [[unlikely]]
      parts_->typed.refuse_absent("modified", entity, "value of " + store.registry()[id].name, {});
    detail::notify_written(store, entity, id, value);
  }

  /// Returns: the id of the component with this name; none if this world knows no such component.
  [[nodiscard]] STRATA_API std::optional<ComponentId> find_component(std::string_view name) const;

  /// Returns: the number of components that this world knows. Their ids are the numbers below this count:
  /// ComponentId{0}, ComponentId{1}, and so on. The library's own components are counted, too. Names of components that
  /// are internal to the library begin with "strata:", but not with "strata::".
  [[nodiscard]] std::uint32_t component_count() const { return parts_.read()->store.registry().size(); }

  /// Returns: the description of a component, with its name; valid as long as the world. The id may also be kChildOf,
  /// which stands for the relation ChildOf.
  [[nodiscard]] STRATA_API const ComponentInfo& component_info(ComponentId id) const;

  /// Returns: the components of an entity with the addresses of their values, table components first; empty for a stale
  /// entity. Of the components that only the library adds and removes, the list contains the tags of states and layers
  /// (for their names, see component_count). It leaves out the components that store names and pairs, and the tags that
  /// mark a component as switched off. In a non-const World, the call counts as a change of each value that is tracked
  /// for changes (see tracking_of).
  /// Complexity: O(components of the entity + components in the side store).
  [[nodiscard]] STRATA_API std::vector<ComponentValue> components(Entity entity);
  [[nodiscard]] STRATA_API std::vector<ConstComponentValue> components(Entity entity) const;

  /// Moves all values of a component to another storage, and stores the component there from now on, whatever storage
  /// its type or description declares. Access is slightly faster in the declared storage, for which typed code is
  /// compiled. Queries, spawners, accessors and commands stay valid.
  /// Contract: changes of the component are not tracked (see tracking_of).
  /// Invalidates: pointers to the values of all entities that have the component.
  /// Complexity: O(entities that have the component * their components).
  template <Component T>
  void set_storage(Storage storage) {
    set_storage(component<T>(), storage);
  }
  STRATA_API void set_storage(ComponentId id, Storage storage);

  /// Returns: where a component is stored in this world: in tables or in the side store (sparse sets).
  template <Component T>
  [[nodiscard]] Storage storage() const {
    return parts_.read()->storage<T>();
  }
  [[nodiscard]] Storage storage(ComponentId id) const { return parts_.read()->store.registry()[id].storage; }

  /// Returns: an object with functions that sort, clear or compact the pool (sparse set) of T.
  /// Contract: T is stored in the side store whenever one of these functions is called; see Pool.
  template <Component T>
  [[nodiscard]] Pool<T> pool() {
    static_assert(!detail::is_kept_by_library<T>, "only the library changes the pool of this component");
    return Pool<T>(*parts_);
  }

 protected:
  using BulkOperations::BulkOperations;
};

}  // namespace strata
