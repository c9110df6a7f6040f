// ContiguousRuns: splits a batch (some rows that match a query) into runs of rows whose values are contiguous in
// memory, for Query::each_block.
#pragma once

#include <cstdint>

#include "../../core/compiler.hpp"
#include "../matching/matcher.hpp"

namespace strata::detail {

/// Splits a batch into runs of rows whose values are contiguous in memory, for Query::each_block, which hands out
/// contiguous values. Only two kinds of batches need this: in one, each row has a position in the columns
/// (Access::columns_picked), in the other, each row has a pointer to each value (Access::gathered). In all other
/// batches, the rows' values are contiguous. The two kinds come from queries with components that are switched off
/// (hidden from queries without being removed) for some entities: the rows of these entities are left out, or the
/// values of such components are not handed out.
/// Contract: the values of terms that read the rows' own entities (not a parent, ancestor or relation target) are in
/// tables, not in the side store (sparse sets); the batch outlives this object.
class ContiguousRuns {
 public:
  ContiguousRuns(const Matcher& matcher, const Batch& batch) : matcher_(matcher), batch_(batch) {}

  /// Fills `run` with the next rows whose values are contiguous, at least one row. For a term that reads the rows' own
  /// entities, `run.lanes` has the address of the first value, or null if the rows have no value. For a term that reads
  /// another entity (a parent, ancestor or relation target), it has the address of an array with one pointer to a value
  /// for each row.
  /// Returns: false if no row of the batch is left.
  STRATA_API bool next(Batch& run);

 private:
  const void* value_of(std::uint32_t term, std::uint32_t row) const;
  bool follows(std::uint32_t row) const;

  const Matcher& matcher_;
  const Batch& batch_;
  std::uint32_t row_ = 0;
};

/// Calls `visit(const Batch&)` for the whole batch. Exception: if the batch has Access::columns_picked or
/// Access::gathered, calls it for each run of rows whose values are contiguous; see ContiguousRuns.
template <class Visit>
void for_each_contiguous(const Matcher& matcher, const Batch& batch, Visit visit) {
  if (batch.access < Access::columns_picked) [[likely]]
    return visit(batch);
  Batch run;
  for (ContiguousRuns runs(matcher, batch); runs.next(run);) visit(std::as_const(run));
}

}  // namespace strata::detail
