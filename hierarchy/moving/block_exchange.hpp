// BlockExchange: when entities move to another world, exchanges full blocks (pieces of memory with rows of a table) of
// the two worlds where possible, instead of moving the values in them.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "../../storage/store.hpp"
#include "component_match.hpp"

namespace strata::detail {

/// When entities are moved from a source world to a destination world, all rows of a full block of the source world may
/// have to move. If the new rows fill a block of the destination world, both worlds exchange the memory of the two
/// blocks instead of moving the values. An exchange is possible if both blocks have the same capacity and the same
/// columns at the same places, no component is tracked (has its writes recorded), neither table has removed rows whose
/// values still exist (see DeadRows), and both worlds allocate from the same memory resource.
///
/// Contract: the objects that the constructor receives outlive this object.
class BlockExchange {
 public:
  /// `own` are the rows of the source world. `own` is null if the entities are copied instead of moved: then no block
  /// is exchanged. `to` is the store of the destination world.
  BlockExchange(Rows* own, Store& to, const ComponentMatch& match) : own_(own), to_(to), match_(match) {}

  /// Returns: whether a run (adjacent rows of one block) of the source world consists of all rows of a full block that
  /// has the largest capacity (BlockFormat::full_capacity), and this block satisfies the conditions of an exchange (see
  /// BlockExchange) that do not depend on the other block. `fits` compares the columns with those in the destination.
  bool fills_block(const RowRun& run) const noexcept;
  /// Counts the runs for which `fills_block` is true, and reserves memory to record the exchange of as many blocks, so
  /// that `exchange` does not allocate. Called once, before the first exchange.
  /// Returns: whether there is such a run.
  /// Errors: std::bad_alloc.
  bool prepare(std::span<const RowRun> runs);
  /// Returns: whether new rows can be added to `table` (destination world) as a whole block that has the same layout as
  /// `block` (source world), so that the two blocks can be exchanged.
  bool fits(const Block& block, const Table& table) const noexcept;

  /// Exchanges two blocks: the one that has the `count` rows of the source world from `here` on, and the one that has
  /// the `count` new rows of the destination world from `there` on. Records the exchange for `update`.
  /// Returns: true; or false, without a change, if the rows do not fill these blocks, if an exchange of the two blocks
  /// is not possible (see BlockExchange), or if the memory that `prepare` has reserved for such records is used up.
  bool exchange(Place here, Place there, std::uint32_t count) noexcept;
  /// Does what `exchange` does, but does not record the exchange for `update`. Used to exchange blocks back when the
  /// move of the entities is undone.
  bool exchange_once(Place here, Place there, std::uint32_t count) noexcept;
  /// Updates `runs`, a list of runs of the source world. If `exchange` gave away the block of a run, the run gets the
  /// block that the source world received instead. The other runs stay as they are.
  /// Contract: the blocks were passed to `exchange` in the order in which they occur in the list.
  void update(std::span<RowRun> runs) const noexcept;

 private:
  bool are_alike(const BlockFormat& own, const BlockFormat& other) const noexcept;

  Rows* own_;
  Store& to_;
  const ComponentMatch& match_;
  std::vector<std::pair<Block*, Block*>>
      exchanged_;  // Each exchanged block of the source world, with the block received for it.
};

}  // namespace strata::detail
