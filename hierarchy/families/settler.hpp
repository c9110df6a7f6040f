// Settler: sorts rows into family order, on request and automatically.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "../../storage/store.hpp"
#include "family_order.hpp"
#include "family_rows.hpp"

namespace strata::detail {

/// Settles rows and decides when that pays. This is the ski-rental problem. Each pass adds its loss, which is
/// the time lost because rows are not in the order of their parents. When the sum reaches the price of
/// settling, the next cascade settles. So all passes together cost at most twice as much as with the best
/// moment to settle. Losses and prices are computed from numbers of rows, not measured: the same calls settle
/// at the same cascades.
///
/// Threads: `add_loss` one at a time; the others are changes of the world.
/// Source: A. Karlin, M. Manasse, L. Rudolph, D. Sleator, "Competitive snoopy caching" (1988).
class Settler {
 public:
  Settler(Store& store, const Links& links, FamilyRows& rows, Settling settling)
      : store_(store), rows_(rows), order_(store, links, rows), settling_(settling) {}

  /// Moves families that have become large or small to the right tables, then sorts the levels; see
  /// FamilyOrder.
  /// Returns: whether all is in order; false if `budget`, in rows examined, was used up before.
  /// Errors: std::bad_alloc; the tree and all values are unchanged then.
  bool settle(std::size_t budget);

  /// As FamilyOrder.
  bool in_order() const { return order_.in_order(); }
  void accept_built_levels(std::size_t nodes) { order_.accept_built_levels(nodes); }

  /// Adds the loss of one pass, in units of `loss_of_jump`.
  void add_loss(std::uint64_t loss) noexcept {
    lost_.store(lost_.load(std::memory_order_relaxed) + loss, std::memory_order_relaxed);
  }

  /// Settles everything if that pays by now, nothing is being iterated, and settling is automatic. If memory
  /// runs out, the rest is settled next time.
  /// Errors: as the end of a Store::Change, if moving values has recorded commands.
  void settle_if_due() {
    if (settling_ == Settling::automatic && lost_.load(std::memory_order_relaxed) > price_) [[unlikely]]
      settle_at_price();
  }

  /// Returns: whether a level is known to be in family order.
  bool in_order(std::uint32_t rank) const { return order_.in_order(rank); }

  /// Returns: the loss of a pass for one row whose parent's row does not follow the previous row's parent.
  /// `bytes_above` is the size of the rows in the level above.
  /// Units: about a nanosecond.
  static std::uint64_t loss_of_jump(std::uint64_t bytes_above);

 private:
  void settle_at_price();

  Store& store_;
  FamilyRows& rows_;
  FamilyOrder order_;
  Settling settling_;
  std::atomic<std::uint64_t> lost_{0};  // By all passes since the last settling.
  std::uint64_t price_ = 0;             // The price at its last computation; it may have risen since.
};

}  // namespace strata::detail
