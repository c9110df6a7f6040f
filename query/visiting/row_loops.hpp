// Row loops: the loops of the typed front over the rows of a batch.
#pragma once

#include <cstdint>
#include <tuple>
#include <utility>

#include "../../core/compiler.hpp"
#include "../batches/table_batches.hpp"
#include "../terms/terms.hpp"

namespace strata::detail {

/// Visits rows through their cells. It is a function of its own so that the cells are locals and the loop
/// vectorises.
template <class Function, class... Cells>
void visit_rows(std::uint32_t begin, std::uint32_t end, Function& function, const Cells... cells) {
  for (std::uint32_t row = begin; row < end; ++row) function(cells[row]...);
}

/// Visits the rows of one batch.
template <Access access, class Traits, class Rows, std::size_t... terms, class Function>
void visit_batch(const Rows& batch, Function& function, std::index_sequence<terms...>) {
  if constexpr (access == Access::columns_grouped) {
    const OriginGroup* group = batch.groups;
    for (std::uint32_t row = 0; row < batch.count; ++group) {
      const std::uint32_t end = row + group->count;
      visit_rows(row, end, function,
                 in_group(std::tuple_element_t<terms, Traits>::template cell<access>(batch, terms),
                          group->origin)...);
      row = end;
    }
  } else {
    visit_rows(0, batch.count, function,
               std::tuple_element_t<terms, Traits>::template cell<access>(batch, terms)...);
  }
}

/// Calls the loop for the access of a batch. Loops for related values are compiled only if a term needs
/// them.
template <class Traits, bool relates, class Function, class Terms>
void dispatch(const Batch& batch, Function& function, Terms terms) {
  if (batch.access == Access::gathered) return visit_batch<Access::gathered, Traits>(batch, function, terms);
  if (batch.access == Access::columns_picked) {
    return visit_batch<Access::columns_picked, Traits>(batch, function, terms);
  }
  if constexpr (relates) {
    if (batch.access == Access::columns_grouped) {
      return visit_batch<Access::columns_grouped, Traits>(batch, function, terms);
    }
    if (batch.access == Access::columns_indexed) {
      return visit_batch<Access::columns_indexed, Traits>(batch, function, terms);
    }
    if (batch.access == Access::columns_gathered) {
      return visit_batch<Access::columns_gathered, Traits>(batch, function, terms);
    }
  }
  visit_batch<Access::columns, Traits>(batch, function, terms);
}

/// As above, for values that are known to be in columns.
template <class Traits, bool relates, class Function, class Terms>
void dispatch(const BlockRows& rows, Function& function, Terms terms) {
  visit_batch<Access::columns, Traits>(rows, function, terms);
}

/// As above, for the few rows of a run. A function of its own for the same reason as `visit_rows`.
template <class Function, class... Cells>
void visit_run(std::size_t first, std::size_t end, Function& function, const Cells... cells) {
  if (first >= end) STRATA_UNREACHABLE();  // A run has rows.
  for (std::size_t row = first; row < end; ++row) function(cells[row]...);
}
template <class Traits, bool relates, class Function, std::size_t... terms>
void dispatch(const BlockRun& rows, Function& function, std::index_sequence<terms...>) {
  visit_run(rows.first, rows.count, function,
            std::tuple_element_t<terms, Traits>::template cell<Access::columns>(rows, terms)...);
}

/// Calls `visit(Run)` for each group of a batch, or once for all rows of a batch without groups.
template <class Visit>
void for_each_run(const Batch& batch, Visit&& visit) {
  if (batch.access != Access::columns_grouped) return visit(Run{0, batch.count, 0});
  const OriginGroup* group = batch.groups;
  for (std::uint32_t row = 0; row < batch.count; row += (group++)->count) {
    visit(Run{row, group->count, group->origin});
  }
}

}  // namespace strata::detail
