// Scratch: keeps the buffers that the iterations of a query need, so that repeated iterations do not
// allocate.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "../../core/rollback.hpp"

namespace strata::detail {

/// The buffer memory of one query. An iteration borrows memory and gives it back at its end; Scratch keeps
/// the memory for the next iteration. So repeated iterations allocate nothing, and large buffers are not on
/// the stack, which nested iterations could overflow. Each of several nested iterations borrows memory of its
/// own.
///
/// A copy of a Scratch holds no memory.
/// Threads: one at a time.
class Scratch {
 public:
  Scratch() = default;
  Scratch(const Scratch&) noexcept {}
  Scratch(Scratch&& other) noexcept : free_(std::exchange(other.free_, nullptr)) {}
  Scratch& operator=(Scratch other) noexcept {
    std::swap(free_, other.free_);
    return *this;
  }
  ~Scratch() {
    while (free_ != nullptr) ::operator delete(std::exchange(free_, free_->next));
  }

  /// Returns: at least `bytes` bytes of memory, aligned as by operator new. The memory belongs to the caller until
  /// `give_back`.
  /// Errors: std::bad_alloc.
  void* borrow(std::size_t bytes) {
    for (Chunk** link = &free_; *link != nullptr; link = &(*link)->next) {
      if ((*link)->bytes >= bytes) return std::exchange(*link, (*link)->next) + 1;
    }
    return ::new (::operator new(sizeof(Chunk) + bytes)) Chunk{nullptr, bytes} + 1;
  }
  /// Takes back memory that `borrow` has returned, and keeps it for a later `borrow`.
  void give_back(void* memory) noexcept {
    Chunk* const chunk = static_cast<Chunk*>(memory) - 1;
    chunk->next = std::exchange(free_, chunk);
  }

 private:
  struct alignas(__STDCPP_DEFAULT_NEW_ALIGNMENT__) Chunk {
    Chunk* next;  ///< The next chunk in the list of free chunks.
    std::size_t bytes;
  };

  Chunk* free_ = nullptr;
};

/// Constructs a T in memory borrowed from a Scratch, and gives access to it like a pointer. The destructor
/// destroys the T and gives the memory back.
/// Contract: the Scratch outlives this object.
template <class T>
class Borrowed {
 public:
  template <class... Arguments>
  explicit Borrowed(Scratch& scratch, Arguments&&... arguments) : scratch_(scratch) {
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    void* const memory = scratch.borrow(sizeof(T));
    Rollback giving([&] { scratch.give_back(memory); });
    if constexpr (sizeof...(Arguments) == 0) {
      value_ = ::new (memory) T;  // Not T(), which fills arrays with zeros.
    } else {
      value_ = ::new (memory) T(std::forward<Arguments>(arguments)...);
    }
    giving.dismiss();
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() noexcept(std::is_nothrow_destructible_v<T>) {
    const Rollback giving([&] { scratch_.give_back(value_); });
    value_->~T();
  }

  T& operator*() const { return *value_; }
  T* operator->() const { return value_; }

 private:
  Scratch& scratch_;
  T* value_;
};

}  // namespace strata::detail
