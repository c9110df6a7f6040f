// Defragmenter: sorts rows into family order, on request and automatically.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "../../storage/store.hpp"
#include "family_order.hpp"
#include "family_rows.hpp"

namespace strata::detail {

/// Sorts rows into family order (see FamilyOrder), on request or automatically when that saves time.
///
/// The decision is the ski-rental problem. An iteration that reads values of parents loses time if rows are
/// not in the order of their parents' rows. `add_loss` adds up these losses. When the sum exceeds the price
/// of sorting all rows, the next cascade (an iteration level by level) sorts them first. So losses and
/// sorting together cost at most twice as much as with the best moment to sort. Losses and prices are
/// computed from numbers of rows, not measured, so the same calls always sort at the same cascades.
///
/// Threads: any number of readers may call `in_order`, and one of them at a time `add_loss`. The other
/// functions change the world.
/// Source: A. Karlin, M. Manasse, L. Rudolph, D. Sleator, "Competitive snoopy caching" (1988).
class Defragmenter {
 public:
  Defragmenter(Store& store, const Links& links, FamilyRows& rows, Defragmentation defragmentation)
      : store_(store), rows_(rows), order_(store, links, rows), defragmentation_(defragmentation) {}

  /// Moves families that have become large to tables of their own, and those that have become small back to
  /// the tables of their level (see FamilyRows); then sorts the rows of all levels.
  /// Returns: whether all is in order; false if `budget`, in rows examined, was used up before.
  /// Errors: std::bad_alloc; the tree and all values are unchanged then.
  bool defragment(std::size_t budget);

  /// See the functions of FamilyOrder with the same names.
  bool in_order() const { return order_.in_order(); }
  void mark_built_levels_ordered(std::size_t nodes) { order_.mark_built_levels_ordered(nodes); }

  /// Adds the time that one iteration has lost because rows were not in family order, in the unit of
  /// `loss_of_jump`.
  void add_loss(std::uint64_t loss) noexcept {
    lost_.store(lost_.load(std::memory_order_relaxed) + loss, std::memory_order_relaxed);
  }

  /// Defragments everything if the losses exceed the price, nothing is being iterated, and defragmentation is
  /// automatic. If memory runs out, the rest stays as it is until as much time has been lost again.
  /// Errors: as the end of a Store::Change, if moving values has recorded commands.
  void defragment_if_due() {
    if (defragmentation_ == Defragmentation::automatic && lost_.load(std::memory_order_relaxed) > price_)
        [[unlikely]]
      defragment_at_price();
  }

  /// Returns: whether a level is known to be in family order.
  bool in_order(std::uint32_t rank) const { return order_.in_order(rank); }

  /// Returns: the time that an iteration loses at one row whose parent's row does not follow that of the
  /// previous row's parent. `bytes_above` is the size of the rows in the level above.
  /// Units: about a nanosecond.
  static std::uint64_t loss_of_jump(std::uint64_t bytes_above);

 private:
  void defragment_at_price();

  Store& store_;
  FamilyRows& rows_;
  FamilyOrder order_;
  Defragmentation defragmentation_;
  std::atomic<std::uint64_t> lost_{0};  // By all passes since the last defragmentation.
  std::uint64_t price_ = 0;             // The price at its last computation; it may have risen since.
};

}  // namespace strata::detail
