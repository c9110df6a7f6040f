// Batch: a run of matching rows, handed from the untyped engine to the typed front.
#pragma once

#include <array>
#include <cstdint>

#include "../../core/block.hpp"
#include "../../core/component.hpp"
#include "../../core/entity.hpp"
#include "runtime_term.hpp"

namespace strata::detail {

/// Returns: whether an entity without the component cannot match.
constexpr bool is_required(const Term& term) {
  return term.role == Role::value || term.role == Role::with;
}

/// Returns: whether the values that a term hands out are on other entities.
constexpr bool is_related(const Term& term) {
  return term.role == Role::related || term.role == Role::nearest;
}

/// In which order a query visits tables.
enum class Order : std::uint8_t {
  any,   ///< Archetype by archetype.
  down,  ///< By rising rank: every entity after its ancestors.
  up,    ///< By falling rank: every entity before its ancestors.
};

/// Where the values of a batch are.
enum class Access : std::uint8_t {
  columns,           ///< In columns; related values are the same for all rows.
  columns_grouped,   ///< In columns; related values are the same for all rows of a group.
  columns_indexed,   ///< In columns; related values are in columns too, at a position for each row.
  columns_gathered,  ///< In columns; related values are behind a pointer per row.
  columns_picked,    ///< In columns, at a position for each row; related ones are behind a pointer per row.
  placed,            ///< In columns of blocks alike, at a block and a position for each row; none is related.
  gathered,          ///< All behind a pointer per row.
};

/// Neighbouring rows that relate to the same row of another block.
struct OriginGroup {
  std::uint16_t origin;  ///< The row that they relate to.
  std::uint16_t count;
};

/// A run of rows. `lanes[k]` belongs to term k: the first value of a column (null: an optional one is
/// absent), the value that all rows share, or an array with a pointer per row, as `access` says.
struct Batch {
  Access access = Access::columns;
  std::uint32_t count = 0;
  const Entity* entities = nullptr;
  const OriginGroup* groups = nullptr;         ///< Of Access::columns_grouped: `count` rows in all.
  const std::uint16_t* origin_rows = nullptr;  ///< Of Access::columns_indexed: one for each row.
  std::array<void*, kMaxTerms> lanes{};
  std::array<const std::uint32_t*, kMaxTerms>
      picks;                                    ///< Of Access::columns_picked: the rows' positions in lanes.
  const Block* const* blocks = nullptr;         ///< Of Access::placed: the block of each row,
  const std::uint32_t* block_rows = nullptr;    ///< its position there,
  std::array<std::uint32_t, kMaxTerms> starts;  ///< and where a term's column starts; kAbsent for none.
  static constexpr std::uint32_t kAbsent = 0xFFFF'FFFF;
};

}  // namespace strata::detail
