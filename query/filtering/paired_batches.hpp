// PairedBatches: visits the entities that match a query and satisfy conditions on their pairs. A pair links an entity
// to a target entity, by a relation.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "filtered_batches.hpp"

namespace strata::detail {

/// Hands out the rows that match a query and satisfy its conditions on pairs, each row once, as batches. A pair links a
/// source entity to a target entity, by a relation. If conditions require pairs, goes through the sources that satisfy
/// the first such condition, in the order of Relations::sources or by depth, and tests the other conditions for each
/// source. In an order by depth, all rows of a batch have the same depth. If no condition requires a pair, goes through
/// pools (sparse sets) or tables, as FilteredBatches does.
/// Contract: no structural change while this object is in use; the selection has Scope::paired.
class PairedBatches {
 public:
  /// Errors: std::bad_alloc.
  PairedBatches(const Matcher& matcher, const Selection& selection);
  PairedBatches(const PairedBatches&) = delete;
  PairedBatches& operator=(const PairedBatches&) = delete;

  /// Fills `batch` with the next matching rows, at least one.
  /// Returns: false if no matching row is left.
  /// Errors: std::bad_alloc, when an `Up` term searches through many ancestors.
  /// Invalidates: the previous batch.
  bool next(Batch& batch);

 private:
  void arrange(const Selection& selection);
  std::span<const Entity> next_run();
  std::uint32_t depth_of(Entity entity) const;

  const Matcher& matcher_;
  bool by_depth_;
  std::vector<Entity> buffer_;
  std::span<const Entity> sources_;         // The sources, in `buffer_` or in memory of the relation.
  std::size_t next_ = 0;                    // The first source that was not visited yet.
  std::optional<GatheredRows> rows_;        // Finds the matching rows among the sources.
  std::optional<FilteredBatches> batches_;  // Used instead if no condition requires a pair.
  std::array<Entity, GatheredRows::kRun> run_;
};

}  // namespace strata::detail
