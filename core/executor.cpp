#include "executor.hpp"

namespace strata {

void InlineExecutor::parallel_for(std::size_t count, std::size_t, RangeFunction body) {
  if (count != 0) body(0, count);
}

std::size_t InlineExecutor::worker_count() const noexcept {
  return 1;
}

std::size_t InlineExecutor::worker_index() const noexcept {
  return 0;
}

}  // namespace strata
