// OriginKeeper: keeps a cache of where each row's parent is stored, and updates it when rows move.
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

/// The origin of a row is the location at which the parent of the row's entity is stored: a block (a piece of memory
/// with successive rows of a table) and a row in it. This class keeps a cache of origins, so that queries read values
/// of parents without looking the parents up. Only tables that the children of several parents share have this cache:
/// each of their blocks has an object of class `Origins` for its rows. Origins are updated in two ways:
/// - If a block has got rows of new entities, or if more than a quarter of its rows have moved into it or have other
///   origins than before, the origins of all its rows are computed again.
/// - For other blocks, the log of moves (see MoveLog) lists rows that have moved or whose entity has another parent.
///   The origins of these rows, and of the rows of their entities' children, are updated one by one.
///
/// Origins are stored compressed, as one entry for several rows. When many rows of a block have changed, its origins
/// are stored with one entry for each row instead (see Origins::Form). They are compressed again when changes have
/// become rare.
///
/// Invariants:
///   O1. While the log of moves is empty, an `Origins` object that is marked as valid has the right origin of every row
///       of its block. The object may also have origins of rows that were removed from the end of the block.
///
/// Threads: one at a time. During a call of `prepare`, other threads may read origins that are marked as valid, unless
/// it is the first call after a change: only such a call writes to valid origins.
class OriginKeeper {
 public:
  /// `defragmenter` knows which rows are in the order of their parents' rows, and adds up the time that visits lose
  /// because of rows that are not in this order. If `defragmenter` is null, no rows count as in order, and lost time is
  /// not recorded.
  OriginKeeper(Store& store, const Links& links, Branches& branches, Defragmenter* defragmenter)
      : store_(store),
        links_(links),
        branches_(branches),
        defragmenter_(defragmenter),
        writer_(store, links),
        opened_(store.memory()) {}

  /// Updates the origins (cached locations of parents) of all rows of these archetypes after changes, and adds the work
  /// to `cost`. Sets PlanCost::loss to the time that a visit of these rows loses because they are not in the order of
  /// their parents' rows; if no row has changed since the call that returned `state`, leaves PlanCost::loss as it
  /// is. Passes this time to Defragmenter::add_loss, plus the time that this call itself has lost in this way.
  /// Returns: the `state` to pass to the next call for these archetypes; pass 0 to the first call.
  /// Errors: std::bad_alloc; the next call of this function completes the update.
  std::uint64_t prepare(std::span<Archetype* const> archetypes, std::uint64_t state, PlanCost& cost);

  /// Returns: a sentence about a block whose cached locations of parents are marked as valid but wrong; empty if there
  /// is none.
  std::string check_invariants() const;

 private:
  /// The last result of the function `loss_of_jump`: how much longer it takes to read a parent's row that is not near
  /// the parent's row that was read just before. The result is kept because it is the same for all blocks whose rows
  /// have their parents in tables of the archetype `archetype` at depth `rank`.
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
  Above above_;                      // The last result of `loss_of_jump`.
  std::pmr::vector<Block*> opened_;  // Blocks that `open` has prepared in this pass.
  std::uint32_t pass_ = 0;           // The number of calls of `read_changes` so far. Each is a pass.
  // A pass is a call of `read_changes`. This is the number of the last pass that updated a block whose origins are not
  // compressed. It is 0 if there was no such pass, or if more than kCalmPasses passes have followed it. While it is 0,
  // passes do not look for blocks whose origins can be compressed.
  std::uint32_t last_spread_ = 0;
  std::uint64_t seen_changes_ = 0;  // RowChanges::count at the end of the last pass.
};

}  // namespace strata::detail
