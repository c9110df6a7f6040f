// ValueBuffer: memory in which a component's value is built before it is moved to its place.
#pragma once

#include <cstddef>
#include <memory_resource>

#include "component.hpp"

namespace strata::detail {

/// Uninitialised memory for one value of a component. Values of up to 256 bytes with an alignment of up to 64
/// need no allocation.
class ValueBuffer {
 public:
  /// Provides memory of the size and alignment of the component's values. It is a part of this object or, for values of
  /// more than 256 bytes or with an alignment of more than 64, is allocated from `memory`.
  /// Errors: std::bad_alloc.
  ValueBuffer(const ComponentInfo& component, std::pmr::memory_resource* memory)
      : memory_(memory), size_(component.size), alignment_(component.alignment), value_(small_) {
    if (is_large()) value_ = memory_->allocate(size_, alignment_);
  }
  ValueBuffer(const ValueBuffer&) = delete;
  ValueBuffer& operator=(const ValueBuffer&) = delete;
  ~ValueBuffer() {
    if (is_large()) memory_->deallocate(value_, size_, alignment_);
  }

  void* get() const { return value_; }

 private:
  static constexpr std::size_t kAlignment = 64;

  bool is_large() const { return size_ > sizeof(small_) || alignment_ > kAlignment; }

  std::pmr::memory_resource* memory_;
  std::size_t size_;
  std::size_t alignment_;
  void* value_;
  alignas(kAlignment) std::byte small_[256];
};

}  // namespace strata::detail
