// SwapSpace: temporary memory, used to exchange the values of two rows.
#pragma once

#include <cstddef>
#include <memory_resource>

#include "../../core/block_format.hpp"
#include "../../core/slots.hpp"

namespace strata::detail {

/// Temporary memory that is allocated in advance, so that putting a value aside or exchanging the values of
/// two rows cannot fail.
class SwapSpace {
 public:
  explicit SwapSpace(std::pmr::memory_resource* memory) : memory_(memory) {}
  SwapSpace(const SwapSpace&) = delete;
  SwapSpace& operator=(const SwapSpace&) = delete;
  ~SwapSpace() { release(); }

  /// Makes room for any one value of a row of this format.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: the temporary memory contains no value now.
  void reserve(const BlockFormat& format);

  /// Makes room for `bytes` bytes with this alignment.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: the temporary memory contains no value now.
  void reserve(std::size_t bytes, std::size_t alignment);

  /// Returns: the temporary memory; null before `reserve`. The caller constructs values there, and destroys
  /// them.
  void* value() const { return value_; }

  /// Exchanges the values of two rows of one format, but not their entities and the times of their last
  /// writes.
  /// Contract: `reserve` was called for the format.
  /// Complexity: O(columns).
  void swap_values(Place a, Place b) noexcept;

 private:
  void release() noexcept {
    if (bytes_ != 0) memory_->deallocate(value_, bytes_, alignment_);
  }

  std::pmr::memory_resource* memory_;
  void* value_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t alignment_ = 1;
};

}  // namespace strata::detail
