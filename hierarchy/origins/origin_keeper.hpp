// OriginKeeper: finds the rows of the parents of level tables' rows, and updates them after changes.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "../../query/matching/relation.hpp"
#include "../../storage/store.hpp"
#include "../families/branches.hpp"
#include "../families/defragmenter.hpp"
#include "../links/links.hpp"
#include "origin_writer.hpp"

namespace strata::detail {

/// Keeps the origin of each row in tables that the children of several parents share: the place of its
/// parent's row. Each block has an `Origins` with those of its rows, so that queries read values of parents
/// without look-ups. A block with many new rows is computed as a whole. For other rows, storage's log of
/// moves lists those that have moved or have another parent. Their origins and those of their children are
/// updated one by one. Few updates are made in the stored runs; for many, the runs are converted to places,
/// and back to runs when changes have become rare.
///
/// Invariants:
///   O1. While the log of moves is empty, valid origins describe all rows of their block, each with the place
///       of its parent's row. They may also describe removed rows behind the last one.
///
/// Threads: one at a time. Other threads may read origins meanwhile: only the first call after a change
/// writes to valid ones.
class OriginKeeper {
 public:
  /// `defragmenter` knows which levels are in family order, and adds up the time that passes lose because
  /// rows are not. With null, no level counts as in order, and losses are dropped.
  OriginKeeper(Store& store, const Links& links, Branches& branches, Defragmenter* defragmenter)
      : store_(store),
        links_(links),
        branches_(branches),
        defragmenter_(defragmenter),
        writer_(store, links),
        opened_(store.memory()) {}

  /// Updates the origins of all rows of the archetypes after changes. For `state` and the result, see
  /// Relation::prepare.
  /// Errors: std::bad_alloc; origins are then void, or right up to a point of the log, and the next call
  /// corrects them.
  std::uint64_t prepare(std::span<Archetype* const> archetypes, std::uint64_t state, PlanCost& cost);

  /// Returns: a sentence about the block whose valid origins are wrong; empty if there is none.
  std::string check_invariants() const;

 private:
  /// A cached result of `loss_of_jump`, for parents of one archetype and rank.
  struct Above {
    const Archetype* archetype = nullptr;
    std::uint32_t rank = 0;
    std::uint64_t loss_of_jump = 0;
  };

  template <class Visit>
  void for_each_level_block(std::span<Archetype* const> archetypes, Visit visit) const;
  std::uint64_t loss_of_jump(const Block& block);
  void add_loss(std::uint64_t loss) const;
  void read_changes(PlanCost& cost);
  void read_moves(PlanCost& cost);
  void prefetch_entry(std::span<const std::uint32_t> entries, std::size_t next) const;
  void patch_around(std::uint32_t node);
  void patch(const Place& row, const Place& origin);
  Origins* open(Block& block);
  void close(Block& block, PlanCost& cost);
  void compress_if_idle(Block& block);
  void look_for_runs(Block& block, Origins& origins);
  bool ensure_valid(Block& block, PlanCost& cost);

  Store& store_;
  const Links& links_;
  Branches& branches_;
  Defragmenter* defragmenter_;
  OriginWriter writer_;
  Above above_;                      // The parents of the current block.
  std::pmr::vector<Block*> opened_;  // Blocks with single updates in this pass.
  std::uint32_t pass_ = 0;           // The current or last pass.
  // The last pass that left origins as places; 0: none since changes became rare.
  std::uint32_t last_spread_ = 0;
  std::uint64_t seen_changes_ = 0;  // RowChanges::count when changes were last read.
};

}  // namespace strata::detail
