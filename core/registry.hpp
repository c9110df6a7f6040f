// Registry: the components of one world, by number, by name and by C++ type.
#pragma once

#include <deque>
#include <memory_resource>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "component.hpp"

namespace strata {

namespace detail {

/// Returns: the next number of the process-wide type counter.
std::uint32_t next_type_index() noexcept;

/// Returns: a small number that is the same in every world of this process. Another shared library may have
/// another one for the same type; names bring the two together.
template <class T>
std::uint32_t type_index() noexcept {
  static const std::uint32_t index = next_type_index();
  return index;
}

}  // namespace detail

/// Numbers components in the order in which they are first seen.
class Registry {
 public:
  explicit Registry(std::pmr::memory_resource* memory)
      : descriptions_(memory), by_name_(memory), by_type_(memory) {}

  /// Returns: the id of the component of that name, registered now if it is new.
  /// Contract: the description is sound, and agrees in size, alignment and storage with the one that has its
  /// name.
  ComponentId add(const ComponentDescription& description);

  /// Returns: the id of T, registered now if it is new.
  /// Complexity: O(1) without hashing, after the first call for T.
  template <Component T>
  ComponentId id_of() {
    const std::uint32_t type = detail::type_index<T>();
    if (type < by_type_.size() && by_type_[type] != kUnknown) [[likely]]
      return by_type_[type];
    return remember(type, add(describe<T>()));
  }

  /// Returns: the id of T, if this world has seen T.
  template <Component T>
  std::optional<ComponentId> find() const {
    const std::uint32_t type = detail::type_index<T>();
    if (type < by_type_.size() && by_type_[type] != kUnknown) [[likely]]
      return by_type_[type];
    return find(name_of<T>);
  }
  std::optional<ComponentId> find(std::string_view name) const;

  bool contains(ComponentId id) const { return to_index(id) < descriptions_.size(); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(descriptions_.size()); }

  /// Contract: `id` was issued by this registry.
  const ComponentDescription& operator[](ComponentId id) const;

 private:
  static constexpr ComponentId kUnknown{0xFFFF'FFFF};

  ComponentId remember(std::uint32_t type, ComponentId id);

  std::pmr::deque<ComponentDescription> descriptions_;  // Layouts point into it: addresses stay.
  std::pmr::unordered_map<std::string_view, ComponentId> by_name_;
  std::pmr::vector<ComponentId> by_type_;
};

}  // namespace strata
