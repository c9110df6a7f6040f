// TypeLists: cached data for creating entities with a list of C++ types.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "../../../core/compiler.hpp"
#include "../../../core/type_numbers.hpp"
#include "../../../storage/tables/archetype.hpp"

namespace strata::detail {

/// A list of component types, which type_number gives a number.
template <class... Ts>
struct TypeList {};

/// A cache of what creating entities with a list of component types needs: the archetype, the table of roots
/// and the column prefixes (see BlockFormat). It is indexed by the number of the TypeList. An entry is valid
/// while all of its types are stored as they declare.
class TypeLists {
 public:
  struct Known {
    Archetype* archetype;  ///< Of those types that are stored in tables.
    Table* roots;          ///< The table of root entities, which is never dropped; null until it is created.
    std::uint32_t first_prefix;  ///< Index of the first type's prefix in `prefixes_`.
  };

  explicit TypeLists(std::pmr::memory_resource* memory)
      : positions_(memory), known_(memory), prefixes_(memory) {}

  /// Returns: the entry of a list of types; null when there is none.
  /// Invalidates: entries returned before, when another list is added.
  STRATA_ALWAYS_INLINE Known* find(TypeNumber list) noexcept {
    const std::uint32_t position = positions_.find(list);
    return position != kNone ? &known_[position] : nullptr;
  }

  /// Returns: an array with the column prefix of each type of an entry, in their order; the element of a type
  /// without a column must not be used.
  /// Invalidates: prefixes returned before, when another list is added.
  STRATA_ALWAYS_INLINE const std::uint32_t* prefixes(const Known& known) const noexcept {
    return prefixes_.data() + known.first_prefix;
  }

  /// Adds an entry. Does nothing if another copy of the library has numbered the list.
  /// Errors: std::bad_alloc; nothing has changed then.
  void add(TypeNumber list, Archetype& archetype, std::span<const ComponentId> ids);

  void clear() noexcept {
    std::ranges::fill(positions_.values(), kNone);
    known_.clear();
    prefixes_.clear();
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  TypeTable<std::uint32_t, kNone> positions_;  // The position in `known_`.
  std::pmr::vector<Known> known_;
  std::pmr::vector<std::uint32_t> prefixes_;
};

}  // namespace strata::detail
