// Branch: a group of tables, such as the tables of the children of one parent. It has at most one table for each
// archetype.
#pragma once

#include <cstdint>

namespace strata::detail {

class Table;

/// A group of tables, at most one for each archetype. The hierarchy decides which entities a branch has: the children
/// of one parent, or all entities of one depth; there may be branches of both kinds. Storage does not know what a
/// branch represents. A table is identified by its archetype and its branch. All tables of a branch have the rank of
/// the branch: the depth of their entities. Queries order tables by rank.
struct Branch {
  explicit Branch(std::uint32_t rank_of_tables = 0, std::uint32_t label_of_blocks = 0)
      : rank(rank_of_tables), label(label_of_blocks) {}

  static constexpr std::uint32_t kFree = 0xFFFF'FFFF;

  std::uint32_t rank;   ///< The rank of all tables of the branch; kFree if the branch is not in use.
  std::uint32_t label;  ///< Chosen by the creator of the branch; copied into the blocks of its tables.
  union {
    Table* first_table = nullptr;  ///< The newest table; `Table::next_in_branch` leads to the others.
    Branch* next_free;             ///< The next free branch, if this one is free.
  };
  std::uint32_t table_count = 0;
  std::uint32_t number : 31 = 0;  ///< The index of the branch in Tables; see Tables::branch.
  std::uint32_t lasts : 1 = 0;    ///< Set if the branch is never dropped and keeps its rank; see EmptyTables.
};

}  // namespace strata::detail
