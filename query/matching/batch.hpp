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

/// Returns: whether the term hands out values of other entities than the row's.
constexpr bool is_related(const Term& term) {
  return term.role == Role::related || term.role == Role::nearest;
}

/// The order in which a query visits tables.
enum class Order : std::uint8_t {
  any,   ///< Archetype by archetype.
  down,  ///< By rising rank: every entity after its ancestors.
  up,    ///< By falling rank: every entity before its ancestors.
};

/// How the values of a batch are addressed.
enum class Access : std::uint8_t {
  columns,           ///< Columns. All rows share each related value.
  columns_grouped,   ///< Columns. The rows of a group share each related value.
  columns_indexed,   ///< Columns. Related values are in columns, too, at one position per row.
  columns_gathered,  ///< Columns. Related values have one pointer per row.
  columns_picked,    ///< Columns, with one position per row. Related values have one pointer per row.
  gathered,          ///< One pointer per row and term.
};

/// Neighbouring rows with the same origin in another block.
struct OriginGroup {
  std::uint16_t origin;  ///< Row of the origin.
  std::uint16_t count;
};

/// A run of rows. `lanes[k]` belongs to term k. Depending on `access`, it points to the first value of a
/// column (null where an optional component is absent), to the one value that all rows share, or to an array
/// of one pointer per row.
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
