// TypeLists: remembers what is needed to create entities with a certain list of component types.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <type_traits>

#include "../../../core/compiler.hpp"
#include "../../../core/plain_list.hpp"
#include "../../../core/requirements.hpp"
#include "../../../core/type_numbers.hpp"
#include "../../../storage/tables/archetype.hpp"

namespace strata::detail {

/// The number of times that T is among Ts.
template <class T, class... Ts>
inline constexpr std::size_t occurrences = (std::size_t{std::is_same_v<T, Ts>} + ... + 0);

/// A cache of what is needed to create entities with a list of component types: the archetype, its table for entities
/// without a parent, and for each type the position of its column in a block. The position is stored as a prefix (the
/// bytes per row of all columns before the column), from which the column's address is computed (see BlockFormat). The
/// cache is indexed by the type number of `TypeList<Ts...>` (a number that identifies a C++ type in this process). An
/// entry is valid while all types of its list are stored where `storage_of` says.
class TypeLists {
 public:
  struct Known {
    Archetype* archetype;  ///< The archetype of those types of the list that are stored in tables.
    Table* roots;          ///< The table of root entities, which is never dropped; null until it is created.
    std::uint32_t first_prefix;  ///< Index of the first type's prefix in `prefixes_`.
  };

  explicit TypeLists(std::pmr::memory_resource* memory)
      : positions_(memory), known_(memory), prefixes_(memory) {}

  /// Returns: the entry of a list of types; null if there is none. `list` is the type number of `TypeList<Ts...>`.
  /// Invalidates: nothing. `add` and `clear` invalidate the returned entry.
  STRATA_ALWAYS_INLINE Known* find(TypeNumber list) noexcept {
    const std::uint32_t position = positions_.find(list);
    return position != kNone ? &known_[position] : nullptr;
  }

  /// Returns: an array with one number for each type of the list, in the order of the types: the prefix of the type's
  /// column, from which the column's address is computed (see BlockFormat). For a type without a column, the number has
  /// no meaning.
  /// Invalidates: arrays returned before, when another list is added.
  STRATA_ALWAYS_INLINE const std::uint32_t* prefixes(const Known& known) const noexcept {
    return prefixes_.data() + known.first_prefix;
  }

  /// Returns: what `prefixes` returns, for a list of `count` types. If `copied` is true, the result is a copy, for
  /// callers that run user code while they use it: user code may add lists.
  template <std::size_t count, bool copied>
  STRATA_ALWAYS_INLINE auto prefixes_for(const Known& known) const noexcept {
    const std::uint32_t* const listed = prefixes(known);
    if constexpr (copied && count != 0) {
      std::array<std::uint32_t, count> copy;
      std::copy_n(listed, count, copy.begin());
      return copy;
    } else {
      return listed;
    }
  }

  /// Adds an entry for a list of types with these component ids. Does nothing if the number `list` was assigned by
  /// another copy of the library in this process, such as one in a plugin: the cache has no room for such numbers.
  /// Errors: std::bad_alloc; nothing has changed then.
  STRATA_API void add(TypeNumber list, Archetype& archetype, std::span<const ComponentId> ids);

  void clear() noexcept {
    std::ranges::fill(positions_.values(), kNone);
    known_.clear();
    prefixes_.clear();
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  // For each list of types, by its type number: the position of its entry in `known_`.
  TypeTable<std::uint32_t, kNone> positions_;
  PlainList<Known> known_;
  PlainList<std::uint32_t> prefixes_;
};

}  // namespace strata::detail
