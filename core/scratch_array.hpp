// ScratchArray: an array without initial values, for the temporary data of one operation.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <type_traits>

namespace strata::detail {

/// An array of fixed size, for temporary data. Its values are not initialised: write each before reading it.
template <class T>
class ScratchArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  explicit ScratchArray(std::pmr::memory_resource* memory) : memory_(memory) {}
  ScratchArray(std::size_t size, std::pmr::memory_resource* memory) : memory_(memory) { allocate(size); }
  ScratchArray(const ScratchArray&) = delete;
  ScratchArray& operator=(const ScratchArray&) = delete;
  ~ScratchArray() {
    if (values_ != nullptr) memory_->deallocate(values_, size_ * sizeof(T), alignof(T));
  }

  /// Allocates memory for `size` values.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: the array is empty.
  void allocate(std::size_t size) {
    if (size == 0) return;
    values_ = static_cast<T*>(memory_->allocate(size * sizeof(T), alignof(T)));
    size_ = size;
  }

  std::size_t size() const { return size_; }
  std::pmr::memory_resource* memory() const { return memory_; }

  /// Returns: the values; null when there are none.
  T* data() const { return values_; }
  T& operator[](std::size_t i) const { return values_[i]; }

 private:
  std::pmr::memory_resource* memory_;
  T* values_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace strata::detail
