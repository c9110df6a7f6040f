// ComponentInfo: what a world knows about a component: its name, size and options, and how its values are handled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "compiler.hpp"
#include "component_traits.hpp"
#include "hooks.hpp"
#include "requirements.hpp"
#include "values/value_type.hpp"

namespace strata {

class EntityMap;

/// The number that identifies a component in one world. It is valid as long as that world exists, and
/// meaningless in another world.
enum class ComponentId : std::uint32_t {};

/// Returns: the id as a number. Ids of a world count from 0 in order of registration.
constexpr std::uint32_t to_index(ComponentId id) {
  return static_cast<std::uint32_t>(id);
}

namespace detail {

/// Copies `bytes` bytes, like std::memcpy. One or two values usually have 4 to 128 bytes; for these sizes, this takes
/// less time than a call of memcpy.
/// Contract: the two ranges do not overlap.
inline void copy_bytes(void* to, const void* from, std::size_t bytes) noexcept {
  auto* const target = static_cast<std::byte*>(to);
  const auto* const source = static_cast<const std::byte*>(from);
  if (bytes > 128 || bytes < 4) {
    std::memcpy(to, from, bytes);
  } else if (bytes >= 16) {
    for (std::size_t i = 0; i + 16 < bytes; i += 16) std::memcpy(target + i, source + i, 16);
    std::memcpy(target + bytes - 16, source + bytes - 16, 16);
  } else if (bytes >= 8) {
    std::memcpy(target, source, 8);
    std::memcpy(target + bytes - 8, source + bytes - 8, 8);
  } else {
    std::memcpy(target, source, 4);
    std::memcpy(target + bytes - 4, source + bytes - 4, 4);
  }
}

}  // namespace detail

/// What a world needs to know about a component to store it: its name, size and alignment, its options, and functions
/// that move, destroy and copy its values and replace entity handles in them. `describe<T>` makes a ComponentInfo for a
/// C++ type; a program may also fill one in at run time.
struct ComponentInfo {
  /// Moves `count` values to uninitialised memory that does not overlap them, and ends the lifetimes of the
  /// originals.
  using Relocate = void (*)(void* to, void* from, std::size_t count) noexcept;
  /// Ends the lifetimes of `count` values.
  using Destroy = void (*)(void* values, std::size_t count) noexcept;
  /// Copies `count` values to uninitialised memory that does not overlap them.
  /// Errors: any exception of a copy; the function destroys the copies already made before it throws.
  using Copy = void (*)(void* to, const void* from, std::size_t count);
  /// Replaces each entity handle inside `count` values by the handle that the map returns for it.
  /// Errors: any exception; all values are still valid after it.
  /// Contract: the function does not change the world.
  using Remap = void (*)(void* values, std::size_t count, const EntityMap& map);

  std::string name;           ///< Identifies the component within a world and across shared libraries.
  std::size_t size = 0;       ///< The size of a value, in bytes; a multiple of `alignment`. 0 for a tag.
  std::size_t alignment = 1;  ///< The alignment of a value, in bytes; a power of two.
  Storage storage = Storage::table;
  Relocate relocate = nullptr;         ///< Null: values are moved by copying their bytes.
  Destroy destroy = nullptr;           ///< Null: values are destroyed by doing nothing.
  Copy copy = nullptr;                 ///< Null: the bytes are copied, if `can_copy` returns true.
  Remap remap = nullptr;               ///< Null: no entity handle in the values is replaced.
  bool copyable = true;                ///< False: values cannot be copied.
  Tracking tracking = Tracking::none;  ///< How writes are recorded; `none` for Storage::sparse.
  PoolOptions pool = {};               ///< Only used while the values are in Storage::sparse.
  bool can_toggle = false;             ///< Whether entities can switch it off; see strata::can_toggle.
  ComponentHooks hooks = {};           ///< What the world calls when values are added, changed and removed.
  /// The components that an entity gets together with this one, unless it has them already; see requires_of. The world
  /// copies the list.
  std::span<const Requirement> requirements = {};
  const void* type = nullptr;  ///< Set by `describe`: identifies the C++ type within one shared library.
  const ValueType* value =
      nullptr;  ///< What values consist of; see members_of. Null: not known. The ValueType outlives the world.

  bool is_tag() const { return size == 0; }

  /// Returns: whether values can be copied. A tag can always be copied. Values of any other component can be copied if
  /// `copyable` is true and there is a function `copy`, or if `copyable` is true and the bytes may be copied because
  /// `relocate` and `destroy` are null.
  bool can_copy() const {
    return is_tag() || (copyable && (copy != nullptr || (relocate == nullptr && destroy == nullptr)));
  }

  /// Moves `count` values to uninitialised memory that does not overlap them, and ends the lifetimes of the
  /// originals.
  void relocate_values(void* to, void* from, std::size_t count) const noexcept {
    if (relocate != nullptr) return relocate(to, from, count);
    detail::copy_bytes(to, from, size * count);
  }
  /// Copies `count` values to uninitialised memory that does not overlap them.
  /// Errors: what `copy` throws; the copies made before are destroyed then.
  /// Contract: can_copy() is true.
  STRATA_API void copy_values(void* to, const void* from, std::size_t count) const;
  void destroy_values(void* values, std::size_t count) const noexcept {
    if (destroy != nullptr) destroy(values, count);
  }
};

/// Checks the description of a component before the component is registered.
/// Returns: a sentence that names the component and the first error; empty when there is none.
STRATA_API std::string check_description(const ComponentInfo& description);

}  // namespace strata
