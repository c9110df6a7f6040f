// Resources: values that belong to a world and not to an entity, at most one of each C++ type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "compiler.hpp"
#include "contract.hpp"
#include "memory_use.hpp"
#include "registry.hpp"
#include "rollback.hpp"

namespace strata {

/// The resources of a world: values that belong to the world and not to an entity, at most one of each C++
/// type. Examples are settings, assets, a clock, a physics engine. The type may be any object type that is
/// not const, not an array, and whose destruction does not throw; it may be immovable or over-aligned.
///
/// Types are told apart by their names (`name_of`), so shared libraries that use one world share its
/// resources. Resources may be added, replaced and removed while a query iterates. They are destroyed after
/// all entities, so components may refer to them.
///
/// Invariants:
///   U1. The values form a doubly linked list in order of creation, and no two have types of one name.
///   U2. An entry of the array by C++ type is null or points to a value of the list.
///
/// Threads: any number of readers, or one writer.
class Resources {
 public:
  explicit Resources(std::pmr::memory_resource* memory) : memory_(memory), by_type_(memory) {}
  Resources(const Resources&) = delete;
  Resources& operator=(const Resources&) = delete;

  /// Destroys the values in reverse order of creation.
  STRATA_API ~Resources();

  /// Makes `value` the resource of type T. If there is one already, it is replaced and destroyed.
  /// Returns: the stored value.
  /// Errors: std::bad_alloc, and what moving the value throws; nothing has changed then.
  /// Contract: if there is a resource with the name of T, it has the size and alignment of T.
  /// Invalidates: references to the old value, which is destroyed after the new one has been built.
  template <class T>
  T& set(T value) {
    return emplace<T>(std::move(value));
  }

  /// Constructs a T from the arguments and makes it the resource of type T. If there is one already, it is
  /// replaced and destroyed.
  /// Returns: the stored value.
  /// Errors: std::bad_alloc, and what the constructor throws; nothing has changed then.
  /// Contract: if there is a resource with the name of T, it has the size and alignment of T.
  /// Invalidates: references to the old value, which is destroyed after the new one has been built.
  template <class T, class... Arguments>
  T& emplace(Arguments&&... arguments) {
    static_assert(std::is_object_v<T> && !std::is_const_v<T> && !std::is_array_v<T> &&
                      std::is_nothrow_destructible_v<T>,
                  "a resource is of an object type, not const, whose destruction does not throw");
    const detail::TypeNumber type = detail::type_number_of<T>();
    (void)find_named<T>();
    if (by_type_.counts(type)) by_type_.reserve(type);
    void* const place = memory_->allocate(sizeof(Holder<T>), alignof(Holder<T>));
    detail::Rollback give_back([&] { memory_->deallocate(place, sizeof(Holder<T>), alignof(Holder<T>)); });
    auto* const holder = ::new (place) Holder<T>(std::forward<Arguments>(arguments)...);
    give_back.dismiss();
    replace(type, *holder);
    return holder->value;
  }

  /// Returns: the resource of type T.
  /// Contract: there is one, and it has the size and alignment of T.
  /// Complexity: O(1); O(resources) if the caller is in another copy of the library than the one that made
  /// the world.
  template <class T>
  [[nodiscard]] T& get(CallSite at = {}) {
    return require(find_value<T>(), at);
  }
  template <class T>
  [[nodiscard]] const T& get(CallSite at = {}) const {
    return require(find_value<T>(), at);
  }

  /// Returns: the resource of type T; null when there is none.
  /// Contract: if there is a resource with the name of T, it has the size and alignment of T.
  /// Complexity: O(1) if it is found; O(resources) if it is not, or if the caller is in another copy of the
  /// library than the one that made the world.
  template <class T>
  [[nodiscard]] T* find() {
    return find_value<T>();
  }
  template <class T>
  [[nodiscard]] const T* find() const {
    return find_value<T>();
  }

  /// Destroys the resource of type T.
  /// Returns: false when there is none.
  /// Contract: if there is a resource with the name of T, it has the size and alignment of T.
  /// Complexity: O(resources).
  template <class T>
  bool remove() {
    Resource* const found = find_named<T>();
    if (found != nullptr) destroy(*found);
    return found != nullptr;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  STRATA_API MemoryUse memory_use() const;

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  STRATA_API std::string check_invariants() const;

 private:
  /// A node of the list of resources, without the value. Holder<T> adds the value. `name` is the name of T,
  /// and `bytes` and `alignment` are those of the Holder. `destroy` runs the destructor of the Holder, and
  /// does not free its memory.
  struct Resource {
    std::string_view name;
    std::size_t bytes;
    std::size_t alignment;
    void (*destroy)(Resource&) noexcept;
    Resource* previous = nullptr;
    Resource* next = nullptr;
  };
  template <class T>
  struct Holder : Resource {
    template <class... Arguments>
    explicit Holder(Arguments&&... arguments)
        : Resource{name_of<T>, sizeof(Holder), alignof(Holder),
                   [](Resource& resource) noexcept { static_cast<Holder&>(resource).~Holder(); }},
          value(make(std::forward<Arguments>(arguments)...)) {}

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
  T* find_value() const {
    Resource* found = by_type_.find(detail::type_number<T>);
    if (found == nullptr) [[unlikely]]
      found = find_named<T>();
    return found != nullptr ? &static_cast<Holder<T>*>(found)->value : nullptr;
  }
  template <class T>
  static T& require(T* value, CallSite at) {
    if (value == nullptr) [[unlikely]]
      refuse_absent(name_of<T>, at);
    return *value;
  }
  [[noreturn]] STRATA_API static void refuse_absent(std::string_view name, CallSite at);

  STRATA_API void replace(detail::TypeNumber type, Resource& resource) noexcept;
  STRATA_API void destroy(Resource& resource) noexcept;
  STRATA_API Resource* find_named(std::string_view name) const noexcept;
  template <class T>
  Resource* find_named() const {
    return find_agreeing(name_of<T>, sizeof(Holder<T>), alignof(Holder<T>));
  }
  STRATA_NOINLINE STRATA_COLD STRATA_API Resource* find_agreeing(std::string_view name, std::size_t bytes,
                                                                 std::size_t alignment) const;

  std::pmr::memory_resource* memory_;
  detail::TypeTable<Resource*, nullptr> by_type_;
  Resource* first_ = nullptr;
  Resource* last_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace strata
