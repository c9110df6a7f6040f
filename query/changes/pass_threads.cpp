#include "pass_threads.hpp"

#include "../../core/contract.hpp"

namespace strata::detail {

void require_grain(std::size_t grain) {
  STRATA_EXPECTS(
      grain != 0,
      "the grain of a parallel visit is the number of rows that are worth a worker's time: it is 1 or more");
}

}  // namespace strata::detail
