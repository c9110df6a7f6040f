// CountingMemory: a memory resource that counts the bytes in use.
#pragma once

#include <cstddef>
#include <memory_resource>

namespace strata::detail {

/// A memory resource that passes allocations on to another one and counts the bytes that are allocated. It
/// measures containers that cannot report the memory they hold: hash tables, deques, and monotonic buffers.
///
/// Threads: one at a time.
class CountingMemory final : public std::pmr::memory_resource {
 public:
  explicit CountingMemory(std::pmr::memory_resource* upstream) : upstream_(upstream) {}
  CountingMemory(const CountingMemory&) = delete;
  CountingMemory& operator=(const CountingMemory&) = delete;

  /// Returns: the bytes that are allocated now.
  std::size_t bytes() const { return bytes_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    void* const memory = upstream_->allocate(bytes, alignment);
    bytes_ += bytes;
    return memory;
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    upstream_->deallocate(memory, bytes, alignment);
    bytes_ -= bytes;
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::pmr::memory_resource* upstream_;
  std::size_t bytes_ = 0;
};

}  // namespace strata::detail
