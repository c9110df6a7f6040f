// Defragmenter: sorts rows into the order of their parents' rows, on request or when that saves time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "../../storage/store.hpp"
#include "family_order.hpp"
#include "family_rows.hpp"

namespace strata::detail {

/// Sorts rows into the order of their parents' rows, on request or automatically when that saves time.
///
/// Deciding when to sort is the ski-rental problem: whether to go on paying small losses, or to pay a greater price
/// once. An iteration that reads values of parents loses time if rows are not in the order of their parents' rows.
/// `add_loss` adds up these losses. When the sum exceeds the price of sorting all rows, the next iteration by depth
/// sorts the rows before it visits them. So losses and sorting together cost at most twice as much as if the rows were
/// sorted at the best moment. Losses and prices are computed from numbers of rows, not measured, so the same calls
/// always sort at the same moment.
///
/// Threads: any number of readers may call `in_order`; only one reader at a time may call `add_loss`. The other
/// functions change the world.
/// Source: A. Karlin, M. Manasse, L. Rudolph, D. Sleator, "Competitive snoopy caching" (1988).
class Defragmenter {
 public:
  Defragmenter(Store& store, const Links& links, FamilyRows& rows, Defragmentation defragmentation)
      : store_(store), rows_(rows), order_(store, links, rows), defragmentation_(defragmentation) {}

  /// Moves rows to where reading them is fastest. First, the rows of a parent's children move to tables of their own if
  /// the parent has got many children, or back to tables that several parents share if the parent has few children left
  /// (see FamilyRows). Then the rows of shared tables are sorted into the order of their parents' rows.
  /// Returns: true if no row has to move any more; false if `budget`, a number of rows to examine, was used up before.
  /// Errors: std::bad_alloc; the tree and all values are unchanged then.
  bool defragment(std::size_t budget);

  /// `in_order` returns whether the rows of all depths are known to be in the order of their parents' rows. Call
  /// `mark_built_levels_ordered` after `nodes` new entities were created in breadth-first order: it records at which
  /// depths all rows, including those of the new entities, are in the order of their parents' rows; see FamilyOrder.
  bool in_order() const { return order_.in_order(); }
  void mark_built_levels_ordered(std::size_t nodes) { order_.mark_built_levels_ordered(nodes); }

  /// Adds to the sum of losses the time that one iteration has lost because rows were not in the order of their
  /// parents' rows. The unit is that of `loss_of_jump`.
  void add_loss(std::uint64_t loss) noexcept {
    lost_.store(lost_.load(std::memory_order_relaxed) + loss, std::memory_order_relaxed);
  }

  /// Sorts all rows if WorldOptions::defragmentation is automatic, nothing is being iterated, and iterations have lost
  /// more time since the last attempt to sort than sorting costs. If memory runs out, the rows that are not sorted yet
  /// stay in place until the next attempt.
  /// Errors: what applying commands throws, if moving values has recorded commands.
  void defragment_if_due() {
    if (defragmentation_ == Defragmentation::automatic && lost_.load(std::memory_order_relaxed) > price_)
        [[unlikely]]
      defragment_at_price();
  }

  /// Returns: whether the rows of depth `rank` in tables that several parents share are known to be in the
  /// order of their parents' rows.
  bool in_order(std::uint32_t rank) const { return order_.in_order(rank); }

  /// Returns: an estimate of the time that one jump costs an iteration that reads parents. A jump is a step from the
  /// row of one parent to the row of the next parent if these rows are not near each other (see OriginRuns::follows).
  /// The time depends on the processor cache into which the rows of all possible parents fit; `bytes_above` is the size
  /// of these rows in bytes.
  /// Units: about a nanosecond.
  static std::uint64_t loss_of_jump(std::uint64_t bytes_above);

 private:
  void defragment_at_price();

  Store& store_;
  FamilyRows& rows_;
  FamilyOrder order_;
  Defragmentation defragmentation_;
  std::atomic<std::uint64_t> lost_{0};  // Sum of the losses since the last defragmentation.
  std::uint64_t price_ = 0;             // Price of sorting all rows when it was last computed.
};

}  // namespace strata::detail
