// A memory resource for tests: fails at a chosen allocation, and counts what was not given back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <new>
#include <string>

namespace strata::test {

/// Hands out memory of new/delete until told to fail.
///
/// Every release is compared with its allocation, so a wrong size, alignment or address is a complaint and
/// not a corrupted heap.
class FailingMemory final : public std::pmr::memory_resource {
 public:
  /// The `nth` allocation from now throws std::bad_alloc (1: the very next), and so does every later one.
  void fail_at(std::size_t nth) { countdown_ = nth; }
  void never_fail() { countdown_ = 0; }

  bool has_failed() const { return failed_; }
  std::size_t allocations() const { return allocations_; }  // ever made
  std::size_t blocks() const { return live_.size(); }       // not yet given back
  std::size_t bytes() const { return bytes_; }              // not yet given back

  /// Returns: what was wrong with the releases so far; empty when nothing was.
  const std::string& complaint() const { return complaint_; }

 private:
  struct Shape {
    std::size_t size;
    std::size_t alignment;
  };

  void* do_allocate(std::size_t size, std::size_t alignment) override {
    if (countdown_ == 1) {
      failed_ = true;
      throw std::bad_alloc();
    }
    if (countdown_ > 1) --countdown_;
    void* address = std::pmr::new_delete_resource()->allocate(size, alignment);
    live_[address] = {size, alignment};
    bytes_ += size;
    ++allocations_;
    return address;
  }

  void do_deallocate(void* address, std::size_t size, std::size_t alignment) override {
    const auto found = live_.find(address);
    if (found == live_.end()) {
      complaint_ = "an address was released that is not allocated";
      return;
    }
    const Shape shape = found->second;
    if (shape.size != size || shape.alignment != alignment) {
      complaint_ = "allocated " + std::to_string(shape.size) + " bytes aligned to " +
                   std::to_string(shape.alignment) + ", released " + std::to_string(size) + " aligned to " +
                   std::to_string(alignment);
    }
    live_.erase(found);
    bytes_ -= shape.size;
    std::pmr::new_delete_resource()->deallocate(address, shape.size, shape.alignment);
  }

  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::map<void*, Shape> live_;
  std::size_t bytes_ = 0;
  std::size_t allocations_ = 0;
  std::size_t countdown_ = 0;  // 0: never
  bool failed_ = false;
  std::string complaint_;
};

/// Runs `operation` with `memory` failing at its first allocation, then its second, and so on until it
/// succeeds; `unchanged` is called after each failure. No CHECK inside `operation`: it would keep the
/// exception to itself.
/// Returns: how many times the operation failed.
/// Errors: std::bad_alloc must be what leaves the operation; anything else passes through to the test.
template <class Operation, class Unchanged>
std::size_t sweep_out_of_memory(FailingMemory& memory, Operation operation, Unchanged unchanged) {
  for (std::size_t nth = 1;; ++nth) {
    memory.fail_at(nth);
    try {
      operation();
      memory.never_fail();
      return nth - 1;
    } catch (const std::bad_alloc&) {
      memory.never_fail();
      unchanged();
    }
  }
}

}  // namespace strata::test
