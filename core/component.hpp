// Component: which types may be stored, where they are stored, and how values are moved, copied and
// destroyed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "compiler.hpp"
#include "hooks.hpp"
#include "requirements.hpp"
#include "rollback.hpp"
#include "values/value_bytes.hpp"
#include "values/value_type_of.hpp"

namespace strata {

class EntityMap;

/// The number that identifies a component in one world. It is valid as long as that world exists, and
/// meaningless in another world.
enum class ComponentId : std::uint32_t {};

/// Returns: the id as a number. Ids of a world count from 0 in order of registration.
constexpr std::uint32_t to_index(ComponentId id) {
  return static_cast<std::uint32_t>(id);
}

/// Where the values of a component are stored. Components with Storage::sparse form the side store, which has
/// a sparse set (a pool) for each of them.
enum class Storage : std::uint8_t {
  table,   ///< Packed in the columns of archetype tables: fastest to iterate.
  sparse,  ///< In a sparse set beside the tables: cheapest to add and remove.
};

/// Chooses the storage in which a component is registered, in one line after its definition (a world can
/// change it later by World::set_storage):
/// `template <> inline constexpr Storage strata::storage_of<Burning> = Storage::sparse;`
template <class T>
inline constexpr Storage storage_of = Storage::table;

/// What a pool (the sparse set of one component with Storage::sparse) does with the memory of a removed value
/// that is not the last one of the pool.
enum class Removal : std::uint8_t {
  swap_and_pop,  ///< The last value moves there: values stay packed.
  stable,  ///< The memory stays free for the next value: no value moves while its entity has the component.
};

/// Memory options of the pool (sparse set) of a component with Storage::sparse. A pool has two kinds of
/// pages: those of its index, which maps entities to values, and those of the values.
struct PoolOptions {
  Removal removal = Removal::swap_and_pop;
  std::uint32_t entries_per_page = 4096;       ///< Entity indices that one index page covers; a power of two.
  std::uint32_t value_page_bytes = 16 * 1024;  ///< A power of two; a larger value has a page of its own.

  friend constexpr bool operator==(const PoolOptions&, const PoolOptions&) = default;
};

/// Chooses the pool options of a component, in one line after its definition:
/// `template <> inline constexpr PoolOptions strata::pool_options_of<Target> = {.removal = Removal::stable};`
template <class T>
inline constexpr PoolOptions pool_options_of = {};

/// The granularity at which a world records writes to values, for `Query::changed`.
enum class Tracking : std::uint8_t {
  none,    ///< Writes are not recorded, and cost nothing extra.
  blocks,  ///< One record per block, which holds up to 16,384 rows: a write counts for all of them.
  rows,    ///< One record per value, which takes 8 bytes for each value.
};

/// Chooses the tracking of a component, in one line after its definition:
/// `template <> inline constexpr Tracking strata::tracking_of<Position> = Tracking::blocks;`
template <class T>
inline constexpr Tracking tracking_of = Tracking::none;

/// A type that a world can store as a component: an object type whose move and destruction do not throw, so a
/// row is never half moved. It is not const, a pointer or an array. An empty type is a tag: entities have it
/// or not, and it has no value.
template <class T>
concept Component =
    std::is_object_v<T> && !std::is_const_v<T> && !std::is_pointer_v<T> && !std::is_array_v<T> &&
    std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>;

/// Whether T is a tag, a component without a value.
template <class T>
inline constexpr bool is_tag = std::is_empty_v<T>;

/// Whether the world may copy values of T, for example to copy a subtree of entities. A type may claim to be
/// copyable although its copy constructor does not compile, as a vector of unique pointers does. Such a type
/// opts out in one line after its definition:
/// `template <> inline constexpr bool strata::is_copyable<Inventory> = false;`
template <class T>
inline constexpr bool is_copyable = std::is_copy_constructible_v<T>;

/// Chooses whether a component can be switched off and on for an entity without moving its row (see
/// StateOperations), in one line after its definition:
/// `template <> inline constexpr bool strata::can_toggle<Renderer> = true;`
template <class T>
inline constexpr bool can_toggle = false;

namespace detail {

/// Copies `bytes` bytes, like std::memcpy. For 4 to 128 bytes, the size of one or two values, this takes less
/// time than a call of memcpy.
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

/// What a world needs to know about a component to store it: its name, size and alignment, its options, and
/// functions that move, destroy, copy and remap its values. `describe<T>` makes one for a C++ type; a program
/// may also fill one in at run time.
struct ComponentInfo {
  /// Moves `count` values to uninitialised memory that does not overlap them, and ends their lifetimes.
  using Relocate = void (*)(void* to, void* from, std::size_t count) noexcept;
  /// Ends the lifetimes of `count` values.
  using Destroy = void (*)(void* values, std::size_t count) noexcept;
  /// Copies `count` values to uninitialised memory that does not overlap them.
  /// Errors: any exception of a copy; the copies already made are destroyed then.
  using Copy = void (*)(void* to, const void* from, std::size_t count);
  /// Replaces each entity handle inside `count` values by the handle that the map returns for it.
  /// Errors: any exception; all values are valid then.
  /// Contract: the function does not change the world.
  using Remap = void (*)(void* values, std::size_t count, const EntityMap& map);

  std::string name;           ///< Identifies the component within a world and across shared libraries.
  std::size_t size = 0;       ///< In bytes; 0 makes it a tag. A multiple of `alignment`.
  std::size_t alignment = 1;  ///< In bytes; a power of two.
  Storage storage = Storage::table;
  Relocate relocate = nullptr;         ///< Null: values are moved by copying their bytes.
  Destroy destroy = nullptr;           ///< Null: values are destroyed by doing nothing.
  Copy copy = nullptr;                 ///< Null: the bytes are copied, if `can_copy`.
  Remap remap = nullptr;               ///< Null: the values contain no entity handles.
  bool copyable = true;                ///< False: values cannot be copied.
  Tracking tracking = Tracking::none;  ///< Only for Storage::table.
  PoolOptions pool = {};               ///< Only used while the values are in Storage::sparse.
  bool can_toggle = false;             ///< See can_toggle.
  ComponentHooks hooks = {};           ///< What the world calls when values come, change and go.
  /// What an entity gets, if it lacks it, when it gets this component; see requires_of. The world copies the
  /// list.
  std::span<const Requirement> requirements = {};
  const void* type = nullptr;  ///< Set by `describe`: the C++ type, as this shared library knows it.
  const ValueType* value =
      nullptr;  ///< What values consist of; see members_of. Null: not known. Outlives the world.

  bool is_tag() const { return size == 0; }

  /// Returns: whether values can be copied. A tag always can. Otherwise, `copyable` has to be true, and there
  /// is a function `copy`, or `relocate` and `destroy` are null, so the bytes may be copied.
  bool can_copy() const {
    return is_tag() || (copyable && (copy != nullptr || (relocate == nullptr && destroy == nullptr)));
  }

  /// Moves `count` values to uninitialised memory that does not overlap them, and ends their lifetimes.
  void relocate_values(void* to, void* from, std::size_t count) const noexcept {
    if (relocate != nullptr) return relocate(to, from, count);
    detail::copy_bytes(to, from, size * count);
  }
  /// Copies `count` values to uninitialised memory that does not overlap them.
  /// Errors: what `copy` throws.
  /// Contract: can_copy() is true.
  STRATA_API void copy_values(void* to, const void* from, std::size_t count) const;
  void destroy_values(void* values, std::size_t count) const noexcept {
    if (destroy != nullptr) destroy(values, count);
  }
};

/// Checks a description that a component is to be registered with.
/// Returns: a sentence that names the component and the first error; empty when there is none.
STRATA_API std::string check_description(const ComponentInfo& description);

namespace detail {

/// Whether T is a component that only the library adds and removes.
template <class T>
inline constexpr bool is_kept_by_library = false;

/// Returns: a text of the compiler that contains the qualified name of T, between a beginning and an end that
/// are the same for every T.
template <class T>
constexpr std::string_view signature_with() {
  return STRATA_FUNCTION_SIGNATURE;
}

/// Returns: the qualified name of the type, as the compiler spells it, but without `struct` or another such
/// keyword, which MSVC writes before the name.
template <class T>
constexpr std::string_view type_name() {
  constexpr std::string_view known = "double";
  constexpr std::string_view signature = signature_with<double>();
  constexpr std::size_t begin = signature.find(known);
  constexpr std::size_t behind = signature.size() - begin - known.size();
  std::string_view name = signature_with<T>();
  name = name.substr(begin, name.size() - begin - behind);
  for (const std::string_view kind : {"struct ", "class ", "enum ", "union "}) {
    if (name.starts_with(kind)) name.remove_prefix(kind.size());
  }
  return name;
}

/// A variable whose address identifies T within one copy of this library. Two shared libraries that contain
/// the library may have two addresses for one T.
template <class T>
inline const char type_anchor = 0;

template <class T>
void relocate_values(void* to, void* from, std::size_t count) noexcept {
  T* source = static_cast<T*>(from);
  T* target = static_cast<T*>(to);
  for (std::size_t i = 0; i < count; ++i) {
    ::new (static_cast<void*>(target + i)) T(std::move(source[i]));
    source[i].~T();
  }
}

template <class T>
void destroy_values(void* values, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) static_cast<T*>(values)[i].~T();
}

/// Builds `count` values in uninitialised memory: `build(place, i)` builds the i-th at `place`. This and
/// copy_values stand for functions of <memory>, a header that includes streams.
/// Errors: what `build` throws; the values already built are destroyed then.
template <class T, class Build>
void build_values(T* to, std::size_t count, Build build) {
  std::size_t built = 0;
  Rollback destroy([&] { destroy_values<T>(to, built); });
  for (; built < count; ++built) build(static_cast<void*>(to + built), built);
  destroy.dismiss();
}

template <class T>
void copy_values(void* to, const void* from, std::size_t count) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    copy_bytes(to, from, count * sizeof(T));
  } else {
    const T* const source = static_cast<const T*>(from);
    build_values(static_cast<T*>(to), count, [&](void* place, std::size_t i) { ::new (place) T(source[i]); });
  }
}

/// T has a function that replaces the entity handles in a value. RemapsInMember: a member `void
/// remap_entities(const EntityMap&)`. RemapsInFunction: a function `void remap_entities(T&, const
/// EntityMap&)` in the namespace of T.
template <class T>
concept RemapsInMember = requires(T& value, const EntityMap& map) {
  value.remap_entities(map);
};
template <class T>
concept RemapsInFunction = requires(T& value, const EntityMap& map) {
  remap_entities(value, map);
};

template <class T>
void remap_values(void* values, std::size_t count, const EntityMap& map) {
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (RemapsInMember<T>) {
      static_cast<T*>(values)[i].remap_entities(map);
    } else {
      remap_entities(static_cast<T*>(values)[i], map);
    }
  }
}

/// Does the same for a type without such a function, by what members_of says.
template <class T>
void remap_described(void* values, std::size_t count, const EntityMap& map) {
  remap_references(value_type_of<T>(), values, count, map);
}

// Return the functions for the members `relocate`, `destroy`, `copy` and `remap` of the ComponentInfo of T.
// Null if the bytes are copied, if there is nothing to do or, for `copy`, if T is not copyable.
template <class T>
consteval ComponentInfo::Relocate find_relocate() {
  if constexpr (is_tag<T> || std::is_trivially_copyable_v<T>)
    return nullptr;
  else
    return relocate_values<T>;
}
template <class T>
consteval ComponentInfo::Destroy find_destroy() {
  if constexpr (is_tag<T> || std::is_trivially_destructible_v<T>)
    return nullptr;
  else
    return destroy_values<T>;
}
template <class T>
consteval ComponentInfo::Copy find_copy() {
  if constexpr (is_tag<T> || !is_copyable<T> || std::is_trivially_copyable_v<T>)
    return nullptr;
  else
    return copy_values<T>;
}
template <class T>
ComponentInfo::Remap find_remap() {
  if constexpr (!is_tag<T> && (RemapsInMember<T> || RemapsInFunction<T>)) {
    return remap_values<T>;
  } else if constexpr (!is_tag<T> && is_described<T>()) {
    if (has_entities(value_type_of<T>())) return remap_described<T>;
  }
  return nullptr;
}
template <class T>
const ValueType* find_value_type() {
  if constexpr (!is_tag<T> && is_described<T>())
    return &value_type_of<T>();
  else
    return nullptr;
}

}  // namespace detail

/// The name under which a world registers the component T: the type's name as the compiler spells it, unless
/// specialised. Specialise it if code of two compilers shares a world, because their spellings may differ.
/// Two types with one spelling, as in the unnamed namespaces of two files, are one component: give one of
/// them another name.
template <class T>
inline constexpr std::string_view name_of = detail::type_name<T>();

template <Component T>
ComponentInfo describe();

namespace detail {

/// The requirements of a component, which is given by its RequiredEntries.
template <class Entries>
struct ListedRequirements {
  static constexpr std::span<const Requirement> get() { return {}; }
};
template <class First, class... Others>
struct ListedRequirements<TypeList<First, Others...>> {
  template <class Entry>
  static void make(void* place, const void*) {
    ::new (place) typename RequiredEntry<Entry>::Value(RequiredEntry<Entry>::make());
  }
  template <class Entry>
  static constexpr Requirement list() {
    using Value = typename RequiredEntry<Entry>::Value;
    return {.name = name_of<Value>,
            .make = make<Entry>,
            .nothrow = noexcept(RequiredEntry<Entry>::make()),
            .describe = strata::describe<Value>};
  }
  static constexpr Requirement kList[] = {list<First>(), list<Others>()...};
  static constexpr std::span<const Requirement> get() { return kList; }
};

}  // namespace detail

/// Returns: the description with which a world registers the component T, made from the type itself and from
/// its `storage_of`, `tracking_of`, `pool_options_of`, `hooks_of`, `requires_of`, `members_of`, `is_copyable`,
/// `can_toggle` and `name_of`.
template <Component T>
ComponentInfo describe() {
  static_assert(tracking_of<T> == Tracking::none || !is_tag<T>,
                "a tag has no value that could change: remove its tracking_of");
  static_assert(tracking_of<T> == Tracking::none || storage_of<T> == Storage::table,
                "changes of a side-store component are tracked by adding a mark such as "
                "Dirty: remove its tracking_of, or store it in tables");
  return {
      .name = std::string(name_of<T>),
      .size = is_tag<T> ? 0 : sizeof(T),
      .alignment = is_tag<T> ? 1 : alignof(T),
      .storage = storage_of<T>,
      .relocate = detail::find_relocate<T>(),
      .destroy = detail::find_destroy<T>(),
      .copy = detail::find_copy<T>(),
      .remap = detail::find_remap<T>(),
      .copyable = is_copyable<T>,
      .tracking = tracking_of<T>,
      .pool = pool_options_of<T>,
      .can_toggle = strata::can_toggle<T>,
      .hooks = detail::erase_hooks<T>(),
      .requirements = detail::ListedRequirements<detail::RequiredEntries<T>>::get(),
      .type = &detail::type_anchor<T>,
      .value = detail::find_value_type<T>(),
  };
}

}  // namespace strata
