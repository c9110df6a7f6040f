#include "first_failure.hpp"

namespace strata::detail {

void FirstFailure::attempt(void (*task)(void* context, std::size_t index), void* context,
                           std::size_t index) noexcept {
  if (index > stop_.load(std::memory_order_relaxed)) return;
#if defined(__cpp_exceptions)
  try {
    task(context, index);
  } catch (...) {
    const std::lock_guard lock(throwing_);
    if (index >= stop_.load(std::memory_order_relaxed)) return;
    stop_.store(index, std::memory_order_relaxed);
    exception_ = std::current_exception();
  }
#else
  task(context, index);
#endif
}

void FirstFailure::rethrow() const {
  if (exception_ != nullptr) std::rethrow_exception(exception_);
}

}  // namespace strata::detail
