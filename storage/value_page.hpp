// ValuePage: a counted reference to copies of successive values of one column. Several images (copies of a whole store)
// can share these copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <utility>

#include "../core/block_pool.hpp"
#include "../core/component.hpp"

namespace strata::detail {

/// The memory of the images (copies) of a store, and how many bytes of it are in use.
struct ImageMemory {
  explicit ImageMemory(std::pmr::memory_resource* memory) : resource(memory), pool(memory) {}

  std::pmr::memory_resource* resource;
  BlockPool pool;  // For pages of values, and lists of pairs (links between entities).
  std::size_t bytes = 0;
};

/// A reference to copies of successive values of one column. The copies do not change. Several references share the
/// copies, and the last reference destroys them.
///
/// Contract: the component and the memory outlive the reference.
/// Threads: only one thread at a time may use references to the same copies, because the count of references is not
/// atomic.
class ValuePage {
 public:
  ValuePage() = default;
  /// Copies `count` values of the component, which are in an array that begins at `values`.
  /// Errors: std::bad_alloc, and what copying a value throws.
  /// Contract: values of the component can be copied; `count` is not 0.
  ValuePage(const ComponentInfo& component, const void* values, std::uint32_t count, ImageMemory& memory);
  ValuePage(const ValuePage& other) noexcept : head_(other.head_) {
    if (head_ != nullptr) ++head_->references;
  }
  ValuePage(ValuePage&& other) noexcept : head_(std::exchange(other.head_, nullptr)) {}
  ValuePage& operator=(ValuePage other) noexcept {
    std::swap(head_, other.head_);
    return *this;
  }
  ~ValuePage() {
    if (head_ != nullptr && --head_->references == 0) free();
  }

  /// Returns: whether two ValuePage objects refer to the same copies.
  friend bool operator==(const ValuePage& a, const ValuePage& b) { return a.head_ == b.head_; }

  std::uint32_t count() const { return head_->count; }
  /// Returns: the address of the first copy.
  const void* values() const {
    return reinterpret_cast<const std::byte*>(head_) + offset_of(*head_->component);
  }
  /// Returns: whether the `count()` values at `values` have the same bytes as the copies.
  bool equals(const void* values) const noexcept;

 private:
  struct Head {
    std::uint32_t references;
    std::uint32_t count;
    const ComponentInfo* component;
    ImageMemory* memory;
  };

  static std::size_t alignment_of(const ComponentInfo& component);
  static std::size_t offset_of(const ComponentInfo& component);
  std::size_t bytes() const { return offset_of(*head_->component) + head_->component->size * head_->count; }
  void free() noexcept;

  Head* head_ = nullptr;
};

/// Returns: whether values of a component are copied and replaced as bytes, and need not be destroyed.
inline bool copies_as_bytes(const ComponentInfo& component) {
  return component.copy == nullptr && component.relocate == nullptr && component.destroy == nullptr;
}

}  // namespace strata::detail
