// Branch: the second part of a table's key, opaque here but for its rank.
#pragma once

#include <cstdint>

namespace strata::detail {

class Table;

/// Where the rows of a table sit. Storage compares branches by address and orders tables by their rank; what
/// a branch stands for is the business of the room that created it.
struct Branch {
  explicit Branch(std::uint32_t rank_of_tables = 0, std::uint32_t label_of_blocks = 0)
      : rank(rank_of_tables), label(label_of_blocks) {}

  static constexpr std::uint32_t kFree = 0xFFFF'FFFF;

  std::uint32_t rank;   ///< kFree: the branch is not in use.
  std::uint32_t label;  ///< Free for use by the spawner; copied into the blocks of the branch.
  union {
    Table* first_table = nullptr;  ///< The newest of its tables, chained by `next_in_branch_`.
    Branch* next_free;             ///< Of a branch that is not in use.
  };
  std::uint32_t table_count = 0;
  std::uint32_t number : 31 = 0;  ///< By which Tables finds it.
  std::uint32_t lasts : 1 = 0;    ///< It is never dropped and keeps its rank: see Rows.
};

}  // namespace strata::detail
