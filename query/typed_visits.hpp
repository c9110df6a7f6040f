// TypedVisits: calls visiting functions with the values of rows as typed arguments.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "batches/contiguous_runs.hpp"
#include "changes/change_pass.hpp"
#include "terms/operators.hpp"
#include "visiting/row_loops.hpp"

namespace strata::detail {

/// Calls visiting functions of a query that has the terms `Terms`, for the rows of a batch. A batch has untyped
/// addresses of values; the functions receive typed arguments. If a function does not take the arguments that the terms
/// give, compilation fails with one sentence.
template <class... Terms>
struct TypedVisits {
  /// Calls `function`, which the program has passed to Query::each, for every row of `batch`. `Rows` is Batch,
  /// BlockRows, BlockRun or BlockPart.
  template <class Rows, class Function>
  static void visit(const Rows& batch, Function& function) {
    using Visitor = detail::Visitor<std::remove_const_t<Function>, Terms...>;
    using FunctionTraits = typename Visitor::Traits;
    auto& called = Visitor::function_of(function);
    constexpr typename Visitor::Arguments terms;
    using Called = std::remove_reference_t<decltype(called)>;
    using Check = decltype(check_rows<Called, FunctionTraits>(terms));
    if constexpr (Check::fits) {
      dispatch<FunctionTraits, kRelates>(batch, called, terms);
    } else {
      Check::explain();
    }
  }

  /// Calls a function of Query::each_block once with all rows of a batch. If the rows come in groups of
  /// siblings, or are not contiguous, calls the function once for each group or run.
  template <class Function>
  static void visit_block(const Matcher& matcher, const Batch& rows, Function& function) {
    with_yielding_terms<Terms...>([&]<std::size_t... term>(std::index_sequence<term...> terms) {
      using Check = decltype(check_blocks<Function, Traits>(terms));
      if constexpr (Check::fits) {
        for_each_contiguous(matcher, rows, [&](const Batch& batch) {
          for_each_run(batch, [&](Run run) {
            function(std::tuple_element_t<term, Traits>::span(batch, term, run)...);
          });
        });
      } else {
        Check::explain();
      }
    });
  }

  /// Calls a function of CascadeQuery::propagate for every row of a batch. Sets `changed[row]` to the function's
  /// result, which says whether the function changed the entity's value, or to true if the function returns
  /// nothing.
  /// Contract: the batch has Access::gathered, that is, a pointer to each value.
  template <class Function>
  static void visit_changes(const Batch& batch, Function& function, bool* changed) {
    using Visitor = detail::Visitor<std::remove_const_t<Function>, Terms...>;
    using FunctionTraits = typename Visitor::Traits;
    auto& called = Visitor::function_of(function);
    ChangeRecorder recorder(called, changed);
    constexpr typename Visitor::Arguments terms;
    using Called = std::remove_reference_t<decltype(called)>;
    using Check = decltype(check_rows<Called, FunctionTraits>(terms));
    if constexpr (Check::fits) {
      visit_batch<Access::gathered, FunctionTraits>(batch, recorder, terms);
    } else {
      Check::explain();
    }
  }

 private:
  static constexpr bool kRelates = (is_related({TermTraits<Terms>::role, {}}) || ...);
  using Traits = std::tuple<TermTraits<Terms>...>;
};

}  // namespace strata::detail
