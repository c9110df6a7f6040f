#include "defragmenter.hpp"

#include <limits>

#include "../../core/try_allocating.hpp"
#include "../../storage/store_change.hpp"

namespace strata::detail {
namespace {

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

}  // namespace

bool Defragmenter::defragment(std::size_t budget) {
  if (budget == kAll && rows_.has_resized_families()) {
    // There is no limit, so sort first: then the rows of one parent's children are adjacent, and move together to
    // tables of their own.
    order_.defragment(kAll);
    rows_.sort_resized_families();
  }
  const std::size_t used = rows_.move_resized_families(budget);
  const bool defragmented = order_.defragment(budget - used) && !rows_.has_resized_families();
  if (defragmented) lost_.store(0, std::memory_order_relaxed);
  return defragmented;
}

void Defragmenter::defragment_at_price() {
  if (store_.guard().locked()) return;
  price_ = order_.price();
  if (lost_.load(std::memory_order_relaxed) <= price_) return;
  const Store::Change change(store_, "defragment", Entity());
  // If memory runs out, rows stay unsorted: iterations are slower, but their results do not change. The next attempt
  // comes when iterations have again lost as much time as sorting costs.
  try_allocating([&] { defragment(kAll); });
  lost_.store(0, std::memory_order_relaxed);
}

std::uint64_t Defragmenter::loss_of_jump(std::uint64_t bytes_above) {
  // A jump (a step to the row of a parent that is not near the row of the previous parent) loads that row from the
  // smallest memory that is likely to hold the rows of all parents: a cache of 32 KiB, of 512 KiB or of 4 MiB, or else
  // main memory. Each returned number is the time that this takes, in nanoseconds.
  if (bytes_above <= 32 * 1024) return 1;
  if (bytes_above <= 512 * 1024) return 2;
  return bytes_above <= 4 * 1024 * 1024 ? 16 : 32;
}

}  // namespace strata::detail
