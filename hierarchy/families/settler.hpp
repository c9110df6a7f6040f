// Settler: brings rows into family order, when asked and by itself.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "../../storage/store.hpp"
#include "family_order.hpp"
#include "family_rows.hpp"

namespace strata::detail {

/// Settles rows, and decides when that pays. This is the ski-rental problem: each pass notes what its rows lost by not
/// lying in the order of their parents, and when the sum has reached the price of settling, the next cascade settles.
/// So all passes together cost at most twice what they would with the best moment to settle. Losses and prices are
/// counted in rows, not measured in time: the same calls settle at the same cascades.
///
/// Threads: `add_loss` one at a time; the others are changes of the world.
/// Source: A. Karlin, M. Manasse, L. Rudolph, D. Sleator, "Competitive snoopy caching" (1988).
class Settler {
 public:
  Settler(Store& store, const Links& links, FamilyRows& rows, Settling settling)
      : store_(store), rows_(rows), order_(store, links, rows), settling_(settling) {}

  /// Gives families that have become large or small their tables, then sorts the levels, see FamilyOrder.
  /// Returns: whether all is in order; false when `budget`, in rows looked at, was used up before.
  /// Errors: std::bad_alloc; the world means the same.
  bool settle(std::size_t budget);

  /// As FamilyOrder.
  bool in_order() const { return order_.in_order(); }
  void accept_built_levels(std::size_t nodes) { order_.accept_built_levels(nodes); }

  /// Adds what one pass has lost, in units of `loss_of_jump`.
  void add_loss(std::uint64_t loss) noexcept {
    lost_.store(lost_.load(std::memory_order_relaxed) + loss, std::memory_order_relaxed);
  }

  /// Settles everything, if that pays by now, nothing is being iterated, and it is not to be done by hand. If memory
  /// runs out, what is not settled waits for the next time.
  /// Errors: as the end of a Store::Change, if moving values has recorded commands.
  void settle_if_due() {
    if (settling_ == Settling::automatic && lost_.load(std::memory_order_relaxed) > price_) [[unlikely]]
      settle_at_price();
  }

  /// Returns: whether a level is known to be in family order.
  bool in_order(std::uint32_t rank) const { return order_.in_order(rank); }

  /// Returns: what a pass loses by one row whose parent's row does not follow that of the row before, where the rows of
  /// the level above take so many bytes.
  /// Units: about a nanosecond.
  static std::uint64_t loss_of_jump(std::uint64_t bytes_above);

 private:
  void settle_at_price();

  Store& store_;
  FamilyRows& rows_;
  FamilyOrder order_;
  Settling settling_;
  std::atomic<std::uint64_t> lost_{0};  // By all passes since it was settled.
  std::uint64_t price_ = 0;             // Of settling, when it was computed last; it may have risen since.
};

}  // namespace strata::detail
