// Resources: values that belong to a world and not to an entity, at most one of each C++ type.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory_resource>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "compiler.hpp"
#include "component.hpp"
#include "contract.hpp"
#include "resource_list.hpp"
#include "rollback.hpp"
#include "use_guard.hpp"
#include "values/value_type_of.hpp"

namespace strata {

/// Whether a resource of type T is saved, compared and restored together with its world. A type for which this makes no
/// sense, such as a window, a clock or an engine, opts out in one line after its definition:
/// `template <> inline constexpr bool strata::is_saved_resource<Window> = false;`
template <class T>
inline constexpr bool is_saved_resource = true;

namespace detail {

/// A resource (a value that belongs to a world and not to an entity): a node of the world's list of resources,
/// with the value.
template <class T>
struct ResourceHolder : ResourceNode {
  template <class... Arguments>
  explicit ResourceHolder(const ResourceType& of, Arguments&&... arguments)
      : ResourceNode(of), value(make(std::forward<Arguments>(arguments)...)) {}

  /// Returns: a T constructed from the arguments: in parentheses if T has such a constructor, otherwise in
  /// braces. Aggregates need braces, because clang 14 cannot initialise them in parentheses.
  template <class... Arguments>
  static T make(Arguments&&... arguments) {
    if constexpr (std::is_constructible_v<T, Arguments...>) {
      return T(std::forward<Arguments>(arguments)...);
    } else {
      return T{std::forward<Arguments>(arguments)...};
    }
  }

  T value;
};

template <class T>
const void* value_of_resource(const ResourceNode& resource) noexcept {
  return address_of(static_cast<const ResourceHolder<T>&>(resource).value);
}
template <class T>
const ValueType* value_type_of_resource() {
  if constexpr (is_described<T>()) {
    return &value_type_of<T>();
  } else if constexpr (std::is_empty_v<T>) {
    static const ValueType type = with_first_value<T>(ValueType{.size = sizeof(T)});
    return &type;
  } else {
    return nullptr;
  }
}
template <class T>
void destroy_resource_of(ResourceNode& resource) noexcept {
  static_cast<ResourceHolder<T>&>(resource).~ResourceHolder();
}
template <class T>
const ResourceType& resource_type_of();

template <class T>
ResourceNode* make_resource_of(void* place) {
  return ::new (place) ResourceHolder<T>(resource_type_of<T>());
}
template <class T>
ResourceNode* copy_resource_of(void* place, const ResourceNode& from) {
  const T& value = static_cast<const ResourceHolder<T>&>(from).value;
  auto* const made = ::new (place) ResourceHolder<T>(resource_type_of<T>(), value);
  // Also copies the padding between members: code that compares resources by their bytes (see
  // ResourceType::plain_size) finds the copy equal to the original.
  if constexpr (std::is_trivially_copyable_v<T>)
    std::memcpy(static_cast<void*>(address_of(made->value)), address_of(value), sizeof(T));
  return made;
}

// `find_make_resource` returns the function for the member `make` of the ResourceType of T; null if T has no default
// constructor. `find_copy_resource` returns the function for the member `copy`; null if T cannot be copied.
template <class T>
consteval auto find_make_resource() -> ResourceNode* (*)(void*) {
  if constexpr (std::is_default_constructible_v<T>)
    return make_resource_of<T>;
  else
    return nullptr;
}
template <class T>
consteval auto find_copy_resource() -> ResourceNode* (*)(void*, const ResourceNode&) {
  if constexpr (std::is_copy_constructible_v<T> && is_copyable<T>)
    return copy_resource_of<T>;
  else
    return nullptr;
}

/// Returns: the description of T as a resource.
template <class T>
const ResourceType& resource_type_of() {
  static_assert(
      std::is_object_v<T> && !std::is_const_v<T> && !std::is_array_v<T> && std::is_nothrow_destructible_v<T>,
      "a resource is of an object type, not const, whose destruction does not throw");
  static constexpr ResourceType type{
      .name = name_of<T>,
      .bytes = sizeof(ResourceHolder<T>),
      .alignment = alignof(ResourceHolder<T>),
      .plain_size = std::is_trivially_copyable_v<T> ? sizeof(T) : 0,
      .is_saved = is_saved_resource<T>,
      .number = type_number_of<T>,
      .value_of = value_of_resource<T>,
      .value_type = value_type_of_resource<T>,
      .destroy = destroy_resource_of<T>,
      .make = find_make_resource<T>(),
      .copy = find_copy_resource<T>(),
  };
  return type;
}

}  // namespace detail

class Resources;

namespace detail {

ResourceList& list_of(Resources& resources) noexcept;
const ResourceList& list_of(const Resources& resources) noexcept;

}  // namespace detail

/// The resources of a world: values that belong to the world and not to an entity, at most one of each C++ type.
/// Examples are settings, assets, a clock, a physics engine. The type may be any object type that is not const, not an
/// array, and whose destruction does not throw; it may be immovable or over-aligned.
///
/// Types are distinguished by their names (`name_of`), so shared libraries that use one world share its resources.
/// Resources may be added, replaced and removed while a query iterates. They are destroyed after all entities, so
/// components may refer to them.
///
/// The resources of a world are saved, compared and restored together with the world, except for types for which
/// is_saved_resource is false. So `save`, `to_json`, `digest` and `find_differences` need types whose values are
/// described (see members_of), and History needs types that can be copied.
///
/// Threads: any number of readers, or one writer. World::access_guard finds violations of this rule.
class Resources {
 public:
  explicit Resources(std::pmr::memory_resource* memory) : list_(memory) {}

  /// From now on, in checked builds (see STRATA_ACCESS_GUARD), each use of the resources counts as a use of the object
  /// to which `uses` belongs, such as the world. So a use that conflicts with a use of that object by another thread is
  /// reported. The UseGuard has to live as long as the resources are used.
  void check_uses(const detail::UseGuard& uses) noexcept { uses_.set(uses); }

  /// Makes `value` the resource of type T. If there is one already, it is replaced and destroyed.
  /// Returns: the stored value.
  /// Errors: std::bad_alloc, and what moving the value throws; nothing has changed then.
  /// Contract: if there is a resource with the name of T, it has the size and alignment of T.
  /// Invalidates: references to the old value, which is destroyed after the new value has been built. If the destructor
  /// of the old value removes or replaces the new value, the returned reference is invalid, too.
  template <class T>
  T& set(T value) {
    const detail::UseScope use = uses_.changing("resources().set");
    return emplace<T>(std::move(value));
  }

  /// Constructs a T from the arguments and makes it the resource of type T. If there is one already, it is
  /// replaced and destroyed.
  /// Returns: the stored value.
  /// Errors: std::bad_alloc, and what the constructor throws; nothing has changed then.
  /// Contract: if there is a resource with the name of T, it has the size and alignment of T.
  /// Invalidates: references to the old value, which is destroyed after the new value has been built. If the destructor
  /// of the old value removes or replaces the new value, the returned reference is invalid, too.
  template <class T, class... Arguments>
  T& emplace(Arguments&&... arguments) {
    const detail::UseScope use = uses_.changing("resources().emplace");
    const detail::ResourceType& type = detail::resource_type_of<T>();
    list_.reserve(type);
    std::pmr::memory_resource* const memory = list_.memory();
    void* const place = memory->allocate(type.bytes, type.alignment);
    detail::Rollback give_back([&] { memory->deallocate(place, type.bytes, type.alignment); });
    auto* const holder = ::new (place) detail::ResourceHolder<T>(type, std::forward<Arguments>(arguments)...);
    give_back.dismiss();
    list_.put(*holder);
    return holder->value;
  }

  /// Registers T as a type of resources, without a value, so that `load` finds the type by its name. A type of
  /// which there is or was a resource is registered already.
  /// Errors: std::bad_alloc.
  /// Contract: if a type with the name of T is registered, it has the size and alignment of T.
  template <class T>
  void add_type() {
    const detail::UseScope use = uses_.changing("resources().add_type");
    list_.add_type(detail::resource_type_of<T>());
  }

  /// Returns: the resource of type T.
  /// Contract: there is a resource with the name of T, and it has the size and alignment of T.
  /// Complexity: O(1); O(resources) if the caller is in another copy of the library than the one that made
  /// the world.
  template <class T>
  [[nodiscard]] T& get(CallSite at = {}) {
    const detail::UseScope use = uses_.reading("resources().get", at);
    return require(find_value<T>(), at);
  }
  template <class T>
  [[nodiscard]] const T& get(CallSite at = {}) const {
    const detail::UseScope use = uses_.reading("resources().get", at);
    return require(find_value<T>(), at);
  }

  /// Returns: the resource of type T; null when there is none.
  /// Contract: if there is a resource with the name of T, it has the size and alignment of T.
  /// Complexity: O(1) if there is one; O(resources) if there is none, or if the caller is in another copy of the
  /// library than the one that made the world.
  template <class T>
  [[nodiscard]] T* find() {
    const detail::UseScope use = uses_.reading("resources().find");
    return find_value<T>();
  }
  template <class T>
  [[nodiscard]] const T* find() const {
    const detail::UseScope use = uses_.reading("resources().find");
    return find_value<T>();
  }

  /// Destroys the resource of type T.
  /// Returns: false when there is none.
  /// Contract: if there is a resource with the name of T, it has the size and alignment of T.
  /// Complexity: O(resources).
  template <class T>
  bool remove() {
    const detail::UseScope use = uses_.changing("resources().remove");
    detail::ResourceNode* const found = list_.find_agreeing(detail::resource_type_of<T>());
    if (found != nullptr) list_.destroy(*found);
    return found != nullptr;
  }

  [[nodiscard]] std::size_t size() const { return list_.size(); }
  STRATA_API MemoryUse memory_use() const;

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  STRATA_API std::string check_invariants() const;

 private:
  friend detail::ResourceList& detail::list_of(Resources& resources) noexcept;
  friend const detail::ResourceList& detail::list_of(const Resources& resources) noexcept;

  template <class T>
  T* find_value() const {
    detail::ResourceNode* found = list_.find(detail::type_number<T>);
    if (found == nullptr) [[unlikely]]
      found = list_.find_agreeing(detail::resource_type_of<T>());
    return found != nullptr ? &static_cast<detail::ResourceHolder<T>*>(found)->value : nullptr;
  }
  template <class T>
  static T& require(T* value, CallSite at) {
    if (value == nullptr) [[unlikely]]
      refuse_absent(name_of<T>, at);
    return *value;
  }
  [[noreturn]] STRATA_API static void refuse_absent(std::string_view name, CallSite at);

  detail::ResourceList list_;
  STRATA_NO_UNIQUE_ADDRESS detail::UseGuardPointer uses_;
};

namespace detail {

/// Returns: the list of a world's resources, for code that does not know their types.
inline ResourceList& list_of(Resources& resources) noexcept {
  return resources.list_;
}
inline const ResourceList& list_of(const Resources& resources) noexcept {
  return resources.list_;
}

}  // namespace detail
}  // namespace strata
