// OriginKeeper: finds where the parents of rows of level tables lie, and keeps that right.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "../../query/matching/relation.hpp"
#include "../../storage/store.hpp"
#include "../families/branches.hpp"
#include "../families/settler.hpp"
#include "../links/links.hpp"
#include "origin_writer.hpp"

namespace strata::detail {

/// Keeps `Origins` with the blocks of level tables. Those of a block with new rows are found anew as a whole. Of
/// other rows, storage's log of moves tells which lie elsewhere than before, or have another parent: the origins of
/// these rows and of their children's are found anew one by one, in the runs that are kept or, where there are many, as
/// places, which become runs again when it is calm.
///
/// Invariants:
///   O1. While the log of moves is empty, origins that are valid describe all rows of their block, each with the place
///       of its parent's row; they may describe rows that are gone from the end.
///
/// Threads: one at a time. What is kept may be read meanwhile, as only the first call after a change writes to origins
/// that are valid.
class OriginKeeper {
 public:
  /// `settler` knows which levels are in family order, and adds up what passes lose by the order of rows; null: none is,
  /// and nothing does.
  OriginKeeper(Store& store, const Links& links, Branches& branches, Settler* settler)
      : store_(store),
        links_(links),
        branches_(branches),
        settler_(settler),
        writer_(store, links),
        opened_(store.memory()) {}

  /// As `Relation::prepare`.
  /// Errors: std::bad_alloc; what is kept is void, or right for moves up to now, or gets right by the next call.
  std::uint64_t prepare(std::span<Archetype* const> archetypes, std::uint64_t state, PlanCost& cost);

  /// Returns: the first block whose origins claim to hold good and do not, as a sentence; empty when all are right.
  std::string check_invariants() const;

 private:
  /// What is known of the rows of an archetype at a rank.
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
  void close_calm(Block& block);
  void look_for_runs(Block& block, Origins& origins);
  bool keep_right(Block& block, PlanCost& cost);

  Store& store_;
  const Links& links_;
  Branches& branches_;
  Settler* settler_;
  OriginWriter writer_;
  Above above_;                      // Where the parents of the block at hand are.
  std::pmr::vector<Block*> opened_;  // Blocks in which rows are being found anew one by one.
  std::uint32_t pass_ = 0;           // The one that is under way, or was last.
  std::uint32_t last_spread_ = 0;    // The last one that left origins as places; 0: none since it was calm.
  std::uint64_t seen_changes_ = 0;   // Rows::changes when changes were last read.
};

}  // namespace strata::detail
