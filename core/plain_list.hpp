// PlainList: a vector for values that can be copied as bytes. Unlike std::pmr::vector, it is cheap to compile.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory_resource>
#include <new>
#include <type_traits>
#include <utility>

#include "compiler.hpp"

namespace strata::detail {

/// The memory of a PlainList, as bytes. Not a template, so it is compiled once.
class PlainMemory {
 public:
  explicit PlainMemory(std::pmr::memory_resource* memory) noexcept : memory_(memory) {}
  PlainMemory(const PlainMemory&) = delete;
  PlainMemory& operator=(const PlainMemory&) = delete;

 protected:
  ~PlainMemory() = default;

  /// Moves the values to new memory for `capacity` values of `bytes` bytes each, aligned to `alignment`, and frees the
  /// old memory. If `capacity` is 0, allocates nothing.
  /// Errors: std::bad_alloc, also if the number of bytes is too large for any address space; nothing has changed then.
  /// Contract: the capacity is at least the size.
  STRATA_API void reallocate(std::size_t capacity, std::size_t bytes, std::size_t alignment);
  /// Doubles the capacity, or makes it 1 if it was 0: moves the values, of `bytes` bytes each, to new memory.
  /// Errors: std::bad_alloc; nothing has changed then.
  STRATA_API void grow(std::size_t bytes, std::size_t alignment);
  /// Reduces the capacity to the size: moves the values, of `bytes` bytes each, to new memory. Changes nothing if the
  /// new memory cannot be allocated.
  STRATA_API void shrink(std::size_t bytes, std::size_t alignment) noexcept;
  /// Frees the memory, but does not change `begin_`, `end_` and `limit_`: the caller has to set them or not use them.
  /// Contract: `begin_` is not null.
  STRATA_API void release(std::size_t alignment) noexcept;

  // The end of the values and the end of the memory are stored as pointers, not as sizes. By the aliasing rules of C++,
  // a write to a value of another type than std::byte* cannot change these members. So compilers need not read them
  // again after each write to a value of the list.
  std::pmr::memory_resource* memory_;
  std::byte* begin_ = nullptr;
  std::byte* end_ = nullptr;
  std::byte* limit_ = nullptr;
};

/// A vector of values that can be copied as bytes, with the functions of std::pmr::vector that the library needs.
/// Programs that include the library compile it much faster than std::pmr::vector.
///
/// Iterators are pointers. Every change of the capacity invalidates them; moving the list to another PlainList
/// does not.
///
/// Threads: any number of readers, or one writer.
template <class T>
class PlainList : private PlainMemory {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  using value_type = T;

  explicit PlainList(std::pmr::memory_resource* memory) noexcept : PlainMemory(memory) {}
  PlainList(PlainList&& other) noexcept : PlainMemory(other.memory_) { swap(other); }
  /// Exchanges the values and the memory of the two lists.
  /// Contract: both lists have the same memory resource.
  PlainList& operator=(PlainList&& other) noexcept {
    swap(other);
    return *this;
  }
  ~PlainList() {
    if (begin_ != nullptr) release(alignof(T));
  }

  std::pmr::memory_resource* memory() const noexcept { return memory_; }
  std::size_t size() const noexcept { return static_cast<std::size_t>(end() - begin()); }
  std::size_t capacity() const noexcept { return static_cast<std::size_t>(limit_ - begin_) / sizeof(T); }
  bool empty() const noexcept { return begin_ == end_; }
  /// Returns: whether the size equals the capacity, so that appending a value has to allocate memory.
  bool full() const noexcept { return end_ == limit_; }

  T* data() noexcept { return reinterpret_cast<T*>(begin_); }
  const T* data() const noexcept { return reinterpret_cast<const T*>(begin_); }
  T* begin() noexcept { return data(); }
  const T* begin() const noexcept { return data(); }
  T* end() noexcept { return reinterpret_cast<T*>(end_); }
  const T* end() const noexcept { return reinterpret_cast<const T*>(end_); }
  T& operator[](std::size_t i) noexcept { return data()[i]; }
  const T& operator[](std::size_t i) const noexcept { return data()[i]; }
  T& front() noexcept { return data()[0]; }
  const T& front() const noexcept { return data()[0]; }
  T& back() noexcept { return end()[-1]; }
  const T& back() const noexcept { return end()[-1]; }

  /// Makes room for `capacity` values in all.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(std::size_t capacity) {
    if (capacity > this->capacity()) reallocate(capacity, sizeof(T), alignof(T));
  }
  /// Reduces the capacity to the size. Changes nothing if the memory for the smaller list cannot be allocated.
  void shrink_to_fit() noexcept {
    if (limit_ != end_) shrink(sizeof(T), alignof(T));
  }

  /// Appends a value.
  /// Returns: the value in the list.
  /// Errors: std::bad_alloc, if there is no room; nothing has changed then.
  /// Complexity: amortised O(1).
  T& push_back(T value) {
    if (end_ == limit_) [[unlikely]]
      grow(sizeof(T), alignof(T));
    return append(value);
  }
  /// Appends a value without allocating memory.
  /// Returns: the value in the list.
  /// Contract: the capacity exceeds the size.
  T& append(const T& value) noexcept { return *::new (next()) T(value); }
  /// Appends a value-initialised value, in place, without allocating memory.
  /// Returns: the value in the list.
  /// Contract: the capacity exceeds the size.
  T& append() noexcept { return *::new (next()) T(); }

  /// Appends copies of `count` values without allocating memory.
  /// Contract: there is room for them, and they are not in this list.
  void append(const T* values, std::size_t count) noexcept {
    std::memcpy(end_, values, count * sizeof(T));
    end_ += count * sizeof(T);
  }

  /// Appends `count` values without allocating memory. They have no defined content until the caller writes them.
  /// Returns: the first of them.
  /// Contract: there is room for them.
  T* append_unset(std::size_t count) noexcept {
    T* const first = end();
    end_ += count * sizeof(T);
    return first;
  }

  void pop_back() noexcept { end_ -= sizeof(T); }
  void clear() noexcept { end_ = begin_; }

  /// Removes the last values, or appends copies of `value`, until the list has `size` values.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Complexity: amortised O(1) for each value that is appended.
  void resize(std::size_t size, T value = T()) {
    if (size > capacity()) reserve(size > 2 * this->size() ? size : 2 * this->size());
    T* const to = data() + size;
    for (T* at = end(); at < to; ++at) ::new (static_cast<void*>(at)) T(value);
    end_ = begin_ + size * sizeof(T);
  }
  /// Replaces all values by `size` copies of `value`.
  /// Errors: std::bad_alloc; nothing has changed then.
  void assign(std::size_t size, T value) {
    reserve(size);
    clear();
    resize(size, value);
  }

  /// Replaces all values by copies of those of another list.
  /// Errors: std::bad_alloc; nothing has changed then.
  void assign(const PlainList& other) {
    reserve(other.size());
    clear();
    if (!other.empty()) append(other.data(), other.size());
  }

  /// Inserts a value before the one at `position`, or at the end if `position` is the size.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: `position` is at most the size.
  /// Complexity: O(values after the position).
  void insert(std::size_t position, T value) {
    push_back(value);
    T* const place = data() + position;
    std::memmove(static_cast<void*>(place + 1), place, (size() - 1 - position) * sizeof(T));
    *place = value;
  }
  /// Removes the values with indices in [first, last). The values behind them move into the gap.
  /// Complexity: O(values after `first`).
  void erase(std::size_t first, std::size_t last) noexcept {
    if (first == last) return;
    std::memmove(static_cast<void*>(data() + first), data() + last, (size() - last) * sizeof(T));
    end_ -= (last - first) * sizeof(T);
  }

  void swap(PlainList& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(begin_, other.begin_);
    std::swap(end_, other.end_);
    std::swap(limit_, other.limit_);
  }

 private:
  void* next() noexcept { return std::exchange(end_, end_ + sizeof(T)); }
};

}  // namespace strata::detail
