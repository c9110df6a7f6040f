// Resources: the values that a world has one of each, by type.
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

#include "memory_use.hpp"
#include "registry.hpp"
#include "rollback.hpp"

namespace strata {

/// At most one value of each type, found by the type's number. Types of one name are one type, as components
/// are, so that two shared libraries share their resources. A copy of the library that did not make this object finds
/// them by name.
///
/// Invariants:
///   U1. The values are chained in both directions in order of creation, and no two have the same name.
///   U2. An entry by type is null or leads to a value in the chain.
///
/// Threads: any number of readers, or one writer.
class Resources {
 public:
  explicit Resources(std::pmr::memory_resource* memory) : memory_(memory), by_type_(memory) {}
  Resources(const Resources&) = delete;
  Resources& operator=(const Resources&) = delete;

  /// Destroys the values, the last created first.
  ~Resources();

  /// Creates the value of T; one that there is already is destroyed once the new one has been built.
  /// Errors: std::bad_alloc and what the constructor throws; nothing has changed then.
  /// Contract: a type of the same name has the same size and alignment.
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

  /// Returns: the value of T, or null.
  /// Complexity: O(1) if there is one; O(resources) to see that there is none, and in another copy of the library.
  template <class T>
  T* find() const {
    Resource* found = by_type_.find(detail::type_number<T>);
    if (found == nullptr) [[unlikely]]
      found = find_named<T>();
    return found != nullptr ? &static_cast<Holder<T>*>(found)->value : nullptr;
  }

  /// Destroys the value of T.
  /// Returns: false when there is none.
  template <class T>
  bool remove() {
    Resource* const found = find_named<T>();
    if (found != nullptr) destroy(*found);
    return found != nullptr;
  }

  std::size_t size() const { return size_; }
  MemoryUse memory_use() const;

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  std::string check_invariants() const;

 private:
  /// What is known of a value whatever its type.
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

    /// Parentheses first; braces for aggregates, for which one of the compilers has no parentheses.
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

  void replace(detail::TypeNumber type, Resource& resource) noexcept;
  void destroy(Resource& resource) noexcept;
  Resource* find_named(std::string_view name) const noexcept;
  template <class T>
  Resource* find_named() const {
    return find_agreeing(name_of<T>, sizeof(Holder<T>), alignof(Holder<T>));
  }
  [[gnu::noinline, gnu::cold]] Resource* find_agreeing(std::string_view name, std::size_t bytes,
                                                       std::size_t alignment) const;

  std::pmr::memory_resource* memory_;
  detail::TypeTable<Resource*, nullptr> by_type_;
  Resource* first_ = nullptr;
  Resource* last_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace strata
