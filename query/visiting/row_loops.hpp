// Row loops: templates that call a visiting function for each row of a batch, with loops that the compiler
// inlines.
#pragma once

#include <cstdint>
#include <tuple>
#include <utility>

#include "../../core/compiler.hpp"
#include "../batches/table_batches.hpp"
#include "../terms/terms.hpp"

namespace strata::detail {

/// Calls `function` for each row from `begin` up to `end`. A cell is an object that gives one argument for a row, as
/// `cell[row]` (see cells.hpp). The cells are passed by value, so that they stay in registers and the compiler can
/// vectorise the loop.
template <class Function, class... Cells>
void visit_rows(std::uint32_t begin, std::uint32_t end, Function& function, const Cells... cells) {
  for (std::uint32_t row = begin; row < end; ++row) function(cells[row]...);
}

/// Calls `function` for each row of the batch. `access` is the batch's Access, that is, the way in which the values of
/// its rows are found (see batch.hpp). The index sequence has the positions of the terms that give the function its
/// arguments; `Traits` is a tuple of the TermTraits of all terms.
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

/// Calls `function` for each row of a batch, with the loop that is compiled for the batch's way of addressing values
/// (Access). `relates` is whether a term reads values of other entities, such as the parent; if none does, the loops
/// for batches with such values are not compiled.
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

/// Calls `function` for each row of a block. A BlockRows has all values in the columns of its block, so this function
/// always uses the loop for Access::columns.
template <class Traits, bool relates, class Function, class Terms>
void dispatch(const BlockRows& rows, Function& function, Terms terms) {
  visit_batch<Access::columns, Traits>(rows, function, terms);
}

/// Calls `function` for each row from `first` up to `end`; see `visit_rows`. Meant for few rows, such as those of a few
/// siblings: the compiler knows that there is a row, so the loop needs no test before the first one.
/// Contract: there is at least one row.
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
template <class Traits, bool relates, class Function, std::size_t... terms>
void dispatch(const BlockPart& rows, Function& function, std::index_sequence<terms...>) {
  visit_rows(0, rows.count - rows.first, function,
             starting_at(rows.first, std::tuple_element_t<terms, Traits>::template cell<Access::columns>(
                                         rows, terms))...);
}

/// Calls `visit(Run)` for each group of siblings of a batch, or once for all rows if the batch has no groups.
template <class Visit>
void for_each_run(const Batch& batch, Visit&& visit) {
  if (batch.access != Access::columns_grouped) return visit(Run{0, batch.count, 0});
  const OriginGroup* group = batch.groups;
  for (std::uint32_t row = 0; row < batch.count; row += (group++)->count) {
    visit(Run{row, group->count, group->origin});
  }
}

}  // namespace strata::detail
