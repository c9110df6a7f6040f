// Batch: a run of matching rows, handed from the untyped engine to the typed front.
#pragma once

#include <array>
#include <cstdint>

#include "../../core/block.hpp"
#include "../../core/component.hpp"
#include "../../core/entity.hpp"
#include "runtime_term.hpp"

namespace strata::detail {

/// Returns: whether the term requires entities to have the component.
constexpr bool is_required(const Term& term) {
  return term.role == Role::value || term.role == Role::with;
}

/// Returns: whether the term hands out values of another entity, such as the parent of the row's entity.
constexpr bool is_related(const Term& term) {
  return term.role == Role::related || term.role == Role::nearest;
}

/// The order in which a query visits tables. The rank of a table is the depth of its entities in the
/// hierarchy.
enum class Order : std::uint8_t {
  any,   ///< Archetype by archetype, whatever the rank.
  down,  ///< By rising rank: every entity after its ancestors.
  up,    ///< By falling rank: every entity before its ancestors.
};

/// How the values of a batch are addressed. "In columns" means that row i has the i-th value of the column.
/// Related values are those of other entities, such as the parents.
enum class Access : std::uint8_t {
  columns,           ///< Values are in columns. All rows share each related value.
  columns_grouped,   ///< Values are in columns. The rows of a group share each related value.
  columns_indexed,   ///< Values are in columns. Each row has a position in the columns of related values.
  columns_gathered,  ///< Values are in columns. Each row has a pointer to each related value.
  columns_picked,    ///< Each row has a position in the columns, and a pointer to each related value.
  gathered,          ///< Each row has a pointer to each value.
};

/// Neighbouring rows of a block that have the same origin. The origin of a row is the row of its related
/// entity (the parent), in another block.
struct OriginGroup {
  std::uint16_t origin;  ///< The origin, as a row of its block.
  std::uint16_t count;
};

/// A run of matching rows and where their values are. The engine, which knows no C++ types, fills it for the
/// typed loops. `lanes[k]` belongs to term k. Depending on `access`, it points to the first value of a column
/// (null where an optional component is absent), to the one value that all rows share, or to an array of one
/// pointer per row.
struct Batch {
  Access access = Access::columns;
  std::uint32_t count = 0;
  const Entity* entities = nullptr;
  const OriginGroup* groups = nullptr;  ///< For Access::columns_grouped. Their counts add up to `count`.
  const std::uint16_t* origin_rows = nullptr;  ///< For Access::columns_indexed: one position per row.
  std::array<void*, kMaxTerms> lanes{};
  std::array<const std::uint32_t*, kMaxTerms>
      picks;  ///< For Access::columns_picked: the positions of the rows in the lanes.
};

}  // namespace strata::detail
