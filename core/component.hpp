// Component: what may be stored, where it is stored, and how its values are moved, copied and destroyed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace strata {

class EntityMap;

/// A component's number in one world. Valid as long as that world; means nothing in another.
enum class ComponentId : std::uint32_t {};

constexpr std::uint32_t to_index(ComponentId id) {
  return static_cast<std::uint32_t>(id);
}

/// Where the values of a component live.
enum class Storage : std::uint8_t {
  table,   ///< Packed in the columns of archetype tables: fastest to iterate.
  sparse,  ///< In a sparse set beside the tables: cheapest to add and remove.
};

/// Chooses the storage of a component, in one line after its definition:
/// `template <> inline constexpr Storage strata::storage_of<Burning> = Storage::sparse;`
template <class T>
inline constexpr Storage storage_of = Storage::table;

/// What becomes of the place of a value that is taken out of the middle of a pool.
enum class Removal : std::uint8_t {
  swap_and_pop,  ///< The last value moves there: values stay packed.
  stable,        ///< It waits for the next value: none moves as long as its entity has it.
};

/// How the pool of a side-store component keeps its members.
struct PoolOptions {
  Removal removal = Removal::swap_and_pop;
  std::uint32_t entries_per_page = 4096;  ///< Neighbouring entity indices that share a page; a power of two.
  std::uint32_t value_page_bytes = 16 * 1024;  ///< A power of two; of a larger value there is one to a page.

  friend constexpr bool operator==(const PoolOptions&, const PoolOptions&) = default;
};

/// Chooses how a component's pool keeps its members, in one line after its definition:
/// `template <> inline constexpr PoolOptions strata::pool_options_of<Target> = {.removal = Removal::stable};`
template <class T>
inline constexpr PoolOptions pool_options_of = {};

/// How exactly a world remembers when values were last written, for `Query::changed`.
enum class Tracking : std::uint8_t {
  none,    ///< Not at all: free.
  blocks,  ///< Block by block: a stamp for each block.
  rows,    ///< Row by row: a stamp for each value, and one for each block.
};

/// Chooses how a component's changes are tracked, in one line after its definition, wherever it is used:
/// `template <> inline constexpr Tracking strata::tracking_of<Position> = Tracking::blocks;`
template <class T>
inline constexpr Tracking tracking_of = Tracking::none;

/// What a world can store: a plain object type whose move and destruction do not throw, so that no row is
/// ever half moved. An empty type is a tag: it is stored as its mere presence.
template <class T>
concept Component =
    std::is_object_v<T> && !std::is_const_v<T> && !std::is_pointer_v<T> && !std::is_array_v<T> &&
    std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>;

template <class T>
inline constexpr bool is_tag = std::is_empty_v<T>;

/// Whether T's values may be copied, as instantiating a subtree does. A type that only claims to have a copy
/// constructor, like a vector of unique pointers, says so in one line after its definition:
/// `template <> inline constexpr bool strata::is_copyable<Inventory> = false;`
template <class T>
inline constexpr bool is_copyable = std::is_copy_constructible_v<T>;

/// Moves `count` values to uninitialised memory that does not overlap them, and ends their lives.
using RelocateOperation = void (*)(void* to, void* from, std::size_t count) noexcept;
/// Ends the lives of `count` values.
using DestroyOperation = void (*)(void* values, std::size_t count) noexcept;
/// Copies `count` values to uninitialised memory that does not overlap them.
/// Errors: whatever a copy throws; those made before have been destroyed then.
using CopyOperation = void (*)(void* to, const void* from, std::size_t count);
/// Replaces the entities that `count` values refer to by what the map says of them.
/// Errors: whatever it throws; all values are whole then.
/// Contract: the world is left alone.
using RemapOperation = void (*)(void* values, std::size_t count, const EntityMap& map);

namespace detail {

/// Copies bytes between places that do not overlap: one or two values, as a rule, for which calling a library
/// function of any length would cost more than the copy.
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

/// A component as the untyped engine sees it: of a C++ type or described at run time.
struct ComponentInfo {
  std::string name;           ///< Identifies the component within a world and across shared libraries.
  std::size_t size = 0;       ///< In bytes; 0 makes it a tag. A multiple of `alignment`.
  std::size_t alignment = 1;  ///< In bytes; a power of two.
  Storage storage = Storage::table;
  RelocateOperation relocate = nullptr;  ///< Null: the bytes are copied.
  DestroyOperation destroy = nullptr;    ///< Null: nothing to do.
  CopyOperation copy = nullptr;          ///< Null: the bytes are copied, if `can_copy`.
  RemapOperation remap = nullptr;        ///< Null: the values refer to no entities.
  bool copyable = true;                  ///< False: a value is the only one of its kind.
  Tracking tracking = Tracking::none;    ///< Of a value in tables.
  PoolOptions pool = {};                 ///< Of values in the side store.
  const void* type = nullptr;  ///< Set by `describe`: the C++ type, as this shared library knows it.

  bool is_tag() const { return size == 0; }

  /// Returns: whether values can be copied: by their operation, or as bytes if nothing has to be done to move
  /// or destroy one either.
  bool can_copy() const {
    return is_tag() || (copyable && (copy != nullptr || (relocate == nullptr && destroy == nullptr)));
  }

  void relocate_values(void* to, void* from, std::size_t count) const noexcept {
    if (relocate != nullptr) return relocate(to, from, count);
    detail::copy_bytes(to, from, size * count);
  }
  /// Contract: `can_copy`.
  /// Errors: what `copy` throws.
  void copy_values(void* to, const void* from, std::size_t count) const;
  void destroy_values(void* values, std::size_t count) const noexcept {
    if (destroy != nullptr) destroy(values, count);
  }
};

/// Returns: what is wrong with the description, as a sentence; empty when it can be registered.
std::string check_description(const ComponentInfo& description);

namespace detail {

/// Returns: the type as the compiler spells it, qualified. Declared `auto`, because a named return type would
/// be spelled out behind T by one of the compilers.
template <class T>
constexpr auto type_name() {
  constexpr std::string_view text = __PRETTY_FUNCTION__;
  constexpr std::string_view key = "T = ";
  constexpr std::size_t begin = text.find(key) + key.size();
  constexpr std::size_t end = text.rfind(']');
  return text.substr(begin, end - begin);
}

/// Its address stands for T in one copy of this library: in two shared libraries it may be two addresses.
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

template <class T>
void copy_values(void* to, const void* from, std::size_t count) {
  std::uninitialized_copy_n(static_cast<const T*>(from), count, static_cast<T*>(to));
}

/// A type says what its entities are to become in a member `void remap_entities(const EntityMap&)`, or in a
/// function `void remap_entities(T&, const EntityMap&)` beside it.
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

}  // namespace detail

/// The stable name under which T is registered; specialise it where two compilers have to agree. Types that
/// are spelled alike, as in the unnamed namespaces of two files, are one component: name one of them apart.
template <class T>
inline constexpr std::string_view name_of = detail::type_name<T>();

/// Returns: the description under which a world registers T.
template <Component T>
ComponentInfo describe() {
  static_assert(tracking_of<T> == Tracking::none || !is_tag<T>,
                "a tag has no value that could change: take its tracking_of away");
  static_assert(tracking_of<T> == Tracking::none || storage_of<T> == Storage::table,
                "changes of a side-store component are tracked by a mark that is added with them, such as "
                "Dirty: take its tracking_of away, or store it in tables");
  ComponentInfo description;
  description.type = &detail::type_anchor<T>;
  description.name = std::string(name_of<T>);
  description.size = is_tag<T> ? 0 : sizeof(T);
  description.alignment = is_tag<T> ? 1 : alignof(T);
  description.storage = storage_of<T>;
  description.tracking = tracking_of<T>;
  description.pool = pool_options_of<T>;
  if constexpr (!is_tag<T> && !std::is_trivially_copyable_v<T>) {
    description.relocate = detail::relocate_values<T>;
  }
  if constexpr (!is_tag<T> && !std::is_trivially_destructible_v<T>) {
    description.destroy = detail::destroy_values<T>;
  }
  description.copyable = is_copyable<T>;
  if constexpr (!is_tag<T> && is_copyable<T> && !std::is_trivially_copyable_v<T>) {
    description.copy = detail::copy_values<T>;
  }
  if constexpr (!is_tag<T> && (detail::RemapsInMember<T> || detail::RemapsInFunction<T>)) {
    description.remap = detail::remap_values<T>;
  }
  return description;
}

}  // namespace strata
