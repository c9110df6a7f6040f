// PointerList: a list of pointers that allocates only from the second pointer on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <utility>

#include "memory_use.hpp"

namespace strata::detail {

/// A vector of pointers that does not own what they point to. A world has many such lists, and most have one
/// element. So the object itself has room for one pointer, and only longer lists allocate memory.
///
/// Threads: any number of readers, or one writer.
template <class T>
class PointerList {
 public:
  explicit PointerList(std::pmr::memory_resource* memory) : memory_(memory) {}
  PointerList(PointerList&& other) noexcept
      : memory_(other.memory_), places_(other.places_), size_(other.size_), capacity_(other.capacity_) {
    other.places_.inside = nullptr;
    other.size_ = 0;
    other.capacity_ = 1;
  }
  PointerList(const PointerList&) = delete;
  PointerList& operator=(const PointerList&) = delete;
  PointerList& operator=(PointerList&&) = delete;
  ~PointerList() { free_places(); }

  std::pmr::memory_resource* memory() const { return memory_; }
  std::uint32_t size() const { return size_; }
  std::uint32_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }

  /// Returns: the memory that the list has allocated; the list object itself is not included.
  MemoryUse memory_use() const {
    return capacity_ == 1 ? MemoryUse{} : MemoryUse{size_ * sizeof(T*), capacity_ * sizeof(T*)};
  }

  T* const* data() const { return capacity_ == 1 ? &places_.inside : places_.outside; }
  T** data() { return capacity_ == 1 ? &places_.inside : places_.outside; }

  /// Returns: the pointers of the list as a span.
  /// Invalidates: the span, by any change or move of the list.
  operator std::span<T* const>() const { return {data(), size_}; }

  T*& operator[](std::size_t i) { return data()[i]; }
  T* operator[](std::size_t i) const { return data()[i]; }
  T* back() const { return data()[size_ - 1]; }

  /// Allocates room for `capacity` pointers in all, those in the list included.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(std::size_t capacity) {
    if (capacity > capacity_) change_capacity(static_cast<std::uint32_t>(capacity));
  }

  /// Appends a pointer, without allocating memory.
  /// Contract: the capacity exceeds the size.
  void push_back(T* pointer) noexcept { data()[size_++] = pointer; }
  /// Removes the last pointer.
  /// Contract: the list is not empty.
  void pop_back() noexcept { --size_; }

  /// Inserts a pointer before the one at `position`.
  /// Contract: the capacity exceeds the size, and `position` is at most the size.
  /// Complexity: O(pointers after the position).
  void insert(std::size_t position, T* pointer) noexcept {
    T** const list = data();
    std::copy_backward(list + position, list + size_, list + size_ + 1);
    list[position] = pointer;
    ++size_;
  }
  /// Removes the pointer at `position`. The pointers behind it move one position towards the front.
  /// Complexity: O(pointers after the position).
  void erase(std::size_t position) noexcept {
    T** const list = data();
    std::copy(list + position + 1, list + size_, list + position);
    --size_;
  }

  /// Reduces the capacity to the size, but at least to 1.
  /// Errors: std::bad_alloc; nothing has changed then.
  void shrink_to_fit() {
    const std::uint32_t wanted = std::max(size_, 1u);
    if (wanted < capacity_) change_capacity(wanted);
  }

 private:
  union Places {
    T* inside = nullptr;
    T** outside;
  };

  void change_capacity(std::uint32_t capacity) {
    Places places;
    if (capacity != 1) {
      places.outside = static_cast<T**>(memory_->allocate(capacity * sizeof(T*), alignof(T*)));
    }
    std::copy_n(data(), size_, capacity == 1 ? &places.inside : places.outside);
    free_places();
    places_ = places;
    capacity_ = capacity;
  }

  void free_places() noexcept {
    if (capacity_ != 1) memory_->deallocate(places_.outside, capacity_ * sizeof(T*), alignof(T*));
  }

  std::pmr::memory_resource* memory_;
  Places places_;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 1;
};

}  // namespace strata::detail
