#include "pass_threads.hpp"

#include <algorithm>

#include "../../core/contract.hpp"

namespace strata::detail {

void require_grain(std::size_t grain) {
  STRATA_EXPECTS(
      grain != 0,
      "a parallel visit got a grain of 0: it is 1 or more, the number of rows worth a worker's time");
}

std::size_t PassThreads::count_parts(std::size_t rows) const {
  if (!divides(rows)) return 1;
  return std::min((rows + grain_ - 1) / grain_, count_workers(*executor_) * kGroupsPerWorker);
}

}  // namespace strata::detail
