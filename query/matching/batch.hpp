// Batch: some rows that match a query, with the addresses of their values. The untyped part of a query fills it; the
// typed part reads it.
#pragma once

#include <array>
#include <cstdint>

#include "../../core/block.hpp"
#include "../../core/component.hpp"
#include "../../core/entity.hpp"
#include "runtime_term.hpp"

namespace strata::detail {

/// Returns: whether each bit that is set in `role` (what a query term requires of a component) is also set in `bits`.
/// The functions below use it to test with one instruction whether a role is one of several roles: for example, `value`
/// is 0, `with` is 2 and `read` is 16, and every other role has a bit that is not in 2 | 16. These tests are frequent:
/// each archetype or row is tested against many terms.
constexpr bool has_only_bits(Role role, unsigned bits) {
  return (static_cast<unsigned>(role) & ~bits) == 0;
}
static_assert(Role::value == Role{0} && Role::optional == Role{1} && Role::with == Role{2} &&
              Role::read == Role{16} && Role::read_optional == Role{17});

/// Returns: whether an entity matches the query only if it has the term's component.
constexpr bool is_required(const Term& term) {
  return has_only_bits(term.role, 2 | 16);  // value, with, read
}

/// Returns: whether the term gives a visiting function a value of the visited entity.
constexpr bool has_own_value(const Term& term) {
  return has_only_bits(term.role, 1 | 16);  // value, optional, read, read_optional
}

/// Returns: whether the term gives a visiting function the visited entity's value of the component if there is one, and
/// null otherwise. Such a term does not affect which entities match.
constexpr bool is_optional(const Term& term) {
  return term.role == Role::optional || term.role == Role::read_optional;
}

/// Returns: whether the term gives a visiting function a value of the visited entity that the function may change.
constexpr bool writes_own_value(const Term& term) {
  return term.role == Role::value || term.role == Role::optional;
}

/// Returns: whether the values that the term gives to a visiting function belong to another entity than the visited
/// one: to the parent, another ancestor, or a target of a relation.
constexpr bool is_related(const Term& term) {
  return term.role == Role::related || term.role == Role::nearest;
}

/// Returns: whether the term filters entities by a component of the parent or an ancestor. Such a term gives no value
/// to a visiting function.
constexpr bool filters_above(const Term& term) {
  return term.role >= Role::parent_with && term.role <= Role::ancestor_without;
}

/// Returns: whether the term is about a component of the visited entity itself.
constexpr bool is_of_visited(const Term& term) {
  return term.role != Role::entity && !is_related(term) && !filters_above(term);
}

/// Returns: true if the term requires that the parent or an ancestor has the component; false if it excludes entities
/// with a parent or an ancestor that has it.
/// Contract: `filters_above(term)` is true.
constexpr bool requires_above(const Term& term) {
  return term.role == Role::parent_with || term.role == Role::ancestor_with;
}

/// The order in which a query visits tables. The rank of a table is the depth of its entities in the
/// hierarchy.
enum class Order : std::uint8_t {
  any,   ///< Archetype by archetype, whatever the rank.
  down,  ///< By ascending rank: every entity after its ancestors.
  up,    ///< By descending rank: every entity before its ancestors.
};

/// How to find the values of the rows of a Batch. "In columns" means: row i has the i-th value of the column. A related
/// value is a value of another entity: the parent, another ancestor, or a target of a relation.
enum class Access : std::uint8_t {
  columns,           ///< Values are in columns. All rows have the same related values.
  columns_grouped,   ///< Values are in columns. All rows of a group have the same related values.
  columns_indexed,   ///< Values are in columns. `origin_rows` has the position of each row's related values.
  columns_gathered,  ///< Values are in columns. Each row has a pointer to each of its related values.
  columns_picked,    ///< Each row has a position per column (`picks`) and a pointer to each related value.
  gathered,          ///< Each row has a pointer to each of its values.
};

/// A group of neighbouring rows of one block whose entities have the same parent. The row of this parent, which is in
/// another block, is called the origin of the rows of the group.
struct OriginGroup {
  std::uint16_t origin;  ///< The index of the parent's row in the parent's block.
  std::uint16_t count;
};

/// Some rows that match a query, and where their values are. `lanes[k]` belongs to term k of the query. What it points
/// to depends on how Access says the term's values are found:
/// - in a column, in the order of the rows: the value of the first row of the batch; null if there is no such column
/// - in a column, by the positions in `groups`, `origin_rows` or `picks`: the value at position 0; null if there is no
///   such column
/// - a related value that all rows share (only with Access::columns): this value; null if there is none
/// - by a pointer for each row: an array of these pointers
struct Batch {
  Access access = Access::columns;
  std::uint32_t count = 0;
  const Entity* entities = nullptr;
  const OriginGroup* groups = nullptr;         ///< For Access::columns_grouped; the counts add up to `count`.
  const std::uint16_t* origin_rows = nullptr;  ///< For Access::columns_indexed: one position per row.
  std::array<void*, kMaxTerms> lanes{};
  std::array<const std::uint32_t*, kMaxTerms>
      picks;  ///< For Access::columns_picked: by term, the position of each row in the term's column.
};

}  // namespace strata::detail
