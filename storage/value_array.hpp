// ValueArray: an array of values of one component, outside of tables and pools (sparse sets).
#pragma once

#include <cstddef>
#include <cstring>
#include <memory_resource>

#include "../core/component.hpp"
#include "../core/rollback.hpp"

namespace strata::detail {

/// Builds `count` copies of one value, one after the other, in the uninitialised memory at `to`.
/// Errors: what a copy throws; the copies made before are destroyed then.
/// Contract: the component is no tag, and can be copied.
inline void copy_to_each(const ComponentInfo& component, std::byte* to, const void* value,
                         std::size_t count) {
  if (count == 0) return;
  if (component.copy == nullptr) {
    copy_bytes(to, value, component.size);
    for (std::size_t done = 1; done < count; done *= 2) {
      const std::size_t more = done < count - done ? done : count - done;
      std::memcpy(to + done * component.size, to, more * component.size);
    }
    return;
  }
  std::size_t made = 0;
  Rollback destroy([&] { component.destroy_values(to, made); });
  for (; made < count; ++made) component.copy(to + made * component.size, value, 1);
  destroy.dismiss();
}

/// An array of values of one component. Its destructor destroys the values.
class ValueArray {
 public:
  ValueArray(const ComponentInfo& component, std::pmr::memory_resource* memory)
      : component_(component), memory_(memory) {}
  ValueArray(const ValueArray&) = delete;
  ValueArray& operator=(const ValueArray&) = delete;
  ~ValueArray() {
    if (values_ == nullptr) return;
    component_.destroy_values(values_, size_);
    memory_->deallocate(values_, room_ * component_.size, component_.alignment);
  }

  /// Allocates memory for `count` values. Does nothing for a tag.
  /// Errors: std::bad_alloc.
  /// Contract: `reserve` is called at most once.
  void reserve(std::size_t count) {
    if (count == 0 || component_.is_tag()) return;
    values_ = static_cast<std::byte*>(memory_->allocate(count * component_.size, component_.alignment));
    room_ = count;
  }

  /// Appends `count` copies of a value. Does nothing for a tag.
  /// Errors: what a copy throws; no value is appended then.
  /// Contract: `reserve` has made room for these values.
  void append_copies(const void* value, std::size_t count) {
    if (values_ == nullptr) return;
    copy_to_each(component_, at(size_), value, count);
    size_ += count;
  }

  /// Moves `count` values from `values` to the end of the array. The lifetime of the values at `values` has ended
  /// afterwards.
  /// Contract: `reserve` has made room for these values.
  void take(void* values, std::size_t count) noexcept {
    component_.relocate_values(at(size_), values, count);
    size_ += count;
  }

  /// Moves the last value out of the array, to the uninitialised memory `to`.
  /// Contract: the array is not empty.
  void give_last(void* to) noexcept { component_.relocate_values(to, at(--size_), 1); }

  std::byte* at(std::size_t i) const { return values_ + i * component_.size; }
  std::size_t size() const { return size_; }

 private:
  const ComponentInfo& component_;
  std::pmr::memory_resource* memory_;
  std::byte* values_ = nullptr;
  std::size_t room_ = 0;
  std::size_t size_ = 0;
};

}  // namespace strata::detail
