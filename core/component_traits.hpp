// Which types may be stored as components, and the options that a program chooses for each type.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "compiler.hpp"

namespace strata {

/// Where the values of a component are stored. Components with Storage::sparse form the side store, which has
/// a sparse set (a pool) for each of them.
enum class Storage : std::uint8_t {
  table,   ///< Packed in the columns of archetype tables: fastest to iterate.
  sparse,  ///< In a sparse set beside the tables: cheapest to add and remove.
};

/// Chooses the storage in which a component is registered. A program specialises this variable in one line after the
/// definition of the component's type (World::set_storage can change the storage later):
/// `template <> inline constexpr strata::Storage strata::storage_of<Burning> = Storage::sparse;`
template <class T>
inline constexpr Storage storage_of = Storage::table;

/// What a pool (the sparse set of one component with Storage::sparse) does with the memory of a removed value that is
/// not the last one in the pool.
enum class Removal : std::uint8_t {
  swap_and_pop,  ///< The last value moves to the removed value's place: values stay packed.
  /// The memory stays free for the next value. So removing or sorting moves no value; only calls such as Pool::compact
  /// and World::set_storage do.
  stable,
};

/// Memory options of the pool (sparse set) of a component with Storage::sparse. A pool has two kinds of
/// pages: those of its index, which maps entities to values, and those of the values. A value that is larger
/// than `value_page_bytes` has a page of its own.
struct PoolOptions {
  Removal removal = Removal::swap_and_pop;
  std::uint32_t entries_per_page = 4096;       ///< Entity indices that one index page covers; a power of two.
  std::uint32_t value_page_bytes = 16 * 1024;  ///< Size of a page of values; a power of two.

  friend constexpr bool operator==(const PoolOptions&, const PoolOptions&) = default;
};

/// Chooses the pool options of a component, in one line after its definition:
/// `template <> inline constexpr strata::PoolOptions strata::pool_options_of<Target> = {.removal = Removal::stable};`
template <class T>
inline constexpr PoolOptions pool_options_of = {};

/// The granularity at which a world records writes to values, for `Query::changed`.
enum class Tracking : std::uint8_t {
  none,    ///< Writes are not recorded, and cost nothing extra.
  blocks,  ///< One record per block of rows: a write counts for all rows of the block, which may be thousands.
  rows,    ///< One record per value, which takes 8 bytes for each value.
};

/// Chooses the tracking of a component, in one line after its definition:
/// `template <> inline constexpr strata::Tracking strata::tracking_of<Position> = Tracking::blocks;`
template <class T>
inline constexpr Tracking tracking_of = Tracking::none;

namespace detail {

/// Whether T is a term of queries, such as With<A> or Entity, and so no component.
template <class T>
inline constexpr bool is_query_term = false;

}  // namespace detail

/// A type that a world can store as a component: an object type whose move and destruction do not throw, so a
/// row is never half moved. It is not const, a pointer, an array or a term of queries, such as With<A> or Entity. An
/// empty type is a tag: entities have it or not, and it has no value.
template <class T>
concept Component =
    std::is_object_v<T> && !std::is_const_v<T> && !std::is_pointer_v<T> && !std::is_array_v<T> &&
    !detail::is_query_term<T> && std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>;

/// Whether T is a tag, a component without a value.
template <class T>
inline constexpr bool is_tag = std::is_empty_v<T>;

/// Whether the world may copy values of T, for example to copy a subtree of entities. A type may claim to be
/// copyable although its copy constructor does not compile, as a vector of unique pointers does. Such a type
/// opts out in one line after its definition:
/// `template <> inline constexpr bool strata::is_copyable<Inventory> = false;`
template <class T>
inline constexpr bool is_copyable = std::is_copy_constructible_v<T>;

/// Chooses whether a component can be switched off and on for an entity without moving the entity's row (see
/// StateOperations), in one line after its definition:
/// `template <> inline constexpr bool strata::can_toggle<Renderer> = true;`
template <class T>
inline constexpr bool can_toggle = false;

namespace detail {

/// Returns: a string made by the compiler that contains the qualified name of T. The parts before and after the
/// name are the same for every T.
template <class T>
constexpr std::string_view signature_with() {
  return STRATA_FUNCTION_SIGNATURE;
}

/// Returns: the qualified name of the type, as the compiler spells it, but without the keyword (such as `struct`) that
/// MSVC writes before the name.
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

}  // namespace detail

/// The name under which a world registers the component T: the type's name as the compiler spells it, unless a program
/// specialises this variable. A specialisation is needed if code of two compilers shares a world, because their
/// spellings may differ. Two types with one spelling, as in the unnamed namespaces of two files, are one component:
/// give one of them another name.
template <class T>
inline constexpr std::string_view name_of = detail::type_name<T>();

}  // namespace strata
