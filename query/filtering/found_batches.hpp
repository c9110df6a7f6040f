// FoundBatches: finds the rows that a query visits. Another class, such as FilteredBatches, does the work; which one
// depends on the query's terms and on whether the query is restricted, for example to the children of one entity.
#pragma once

#include <variant>

#include "../../core/compiler.hpp"
#include "../batches/child_batches.hpp"
#include "../batches/table_batches.hpp"
#include "above_filtered_batches.hpp"
#include "filtered_batches.hpp"
#include "paired_batches.hpp"

namespace strata::detail {

/// Hands out each row of a selection that matches a query once, as batches. Uses the class that the selection and the
/// terms of the query require, such as FilteredBatches. So a visiting function is compiled for one loop over batches,
/// not for one loop for each of these classes.
/// Contract: no structural change while this object is in use.
class FoundBatches {
 public:
  /// Errors: std::bad_alloc.
  STRATA_API FoundBatches(const Matcher& matcher, const Selection& selection);
  FoundBatches(const FoundBatches&) = delete;
  FoundBatches& operator=(const FoundBatches&) = delete;

  /// Fills `batch` with the next matching rows, at least one.
  /// Returns: false if no matching row is left.
  /// Errors: std::bad_alloc, when a search for a component passes many ancestors: its result is then stored for other
  /// rows.
  /// Invalidates: the previous batch.
  bool next(Batch& batch) {
    if (auto* const tables = std::get_if<TableBatches>(&batches_)) [[likely]]
      return tables->next(batch);
    return next_of_others(batch);
  }

 private:
  using Batches = std::variant<TableBatches, ChildBatches, Borrowed<FilteredBatches>,
                               Borrowed<AboveFilteredBatches>, Borrowed<PairedBatches>>;

  static Batches batches_for(const Matcher& matcher, const Selection& selection);
  STRATA_API bool next_of_others(Batch& batch);

  Batches batches_;
};

}  // namespace strata::detail
