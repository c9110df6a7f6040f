// CountingMemory: a memory resource that counts the bytes it has handed out.
#pragma once

#include <cstddef>
#include <memory_resource>

namespace strata::bench {

/// Hands out memory of new/delete and counts the requested bytes that are not yet given back.
class CountingMemory final : public std::pmr::memory_resource {
 public:
  std::size_t bytes() const { return bytes_; }

 private:
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    void* address = std::pmr::new_delete_resource()->allocate(size, alignment);
    bytes_ += size;
    return address;
  }

  void do_deallocate(void* address, std::size_t size, std::size_t alignment) override {
    bytes_ -= size;
    std::pmr::new_delete_resource()->deallocate(address, size, alignment);
  }

  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::size_t bytes_ = 0;
};

}  // namespace strata::bench
