#include "plain_list.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "try_allocating.hpp"

namespace strata::detail {
namespace {

[[noreturn]] void refuse_size() {
#if defined(__cpp_exceptions)
  throw std::bad_alloc();
#else
  std::abort();
#endif
}

}  // namespace

void PlainMemory::reallocate(std::size_t capacity, std::size_t bytes, std::size_t alignment) {
  const auto used = static_cast<std::size_t>(end_ - begin_);
  std::byte* data = nullptr;
  if (capacity != 0) {
    if (capacity > PTRDIFF_MAX / bytes) refuse_size();
    data = static_cast<std::byte*>(memory_->allocate(capacity * bytes, alignment));
    if (used != 0) std::memcpy(data, begin_, used);
  }
  if (begin_ != nullptr) release(alignment);
  begin_ = data;
  end_ = data + used;
  limit_ = data + capacity * bytes;
}

void PlainMemory::grow(std::size_t bytes, std::size_t alignment) {
  const std::size_t capacity = static_cast<std::size_t>(limit_ - begin_) / bytes;
  reallocate(std::max<std::size_t>(2 * capacity, 1), bytes, alignment);
}

void PlainMemory::shrink(std::size_t bytes, std::size_t alignment) noexcept {
  (void)try_allocating(
      [&] { reallocate(static_cast<std::size_t>(end_ - begin_) / bytes, bytes, alignment); });
}

void PlainMemory::release(std::size_t alignment) noexcept {
  memory_->deallocate(begin_, static_cast<std::size_t>(limit_ - begin_), alignment);
}

}  // namespace strata::detail
