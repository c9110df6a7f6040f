// Branch: the second part of a table's key, opaque here but for its rank.
#pragma once

#include <cstdint>

namespace strata {

class Table;

/// Where the rows of a table sit. Storage compares branches by address and orders tables by their rank; what
/// a branch stands for is the business of the room that created it.
struct Branch {
  std::uint32_t rank = 0;
  std::uint64_t label = 0;  ///< Free for use by the creator.
  Table* first_table = nullptr;
  Table* recent_table = nullptr;  ///< The one asked for last: nearly always the one asked for next.
};

}  // namespace strata
