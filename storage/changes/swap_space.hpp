// SwapSpace: temporary memory, used to exchange the values of two rows.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <utility>

#include "../../core/block_format.hpp"
#include "../../core/slots.hpp"

namespace strata::detail {

/// Temporary memory for values. It is allocated in advance, so that moving a value into it, or exchanging the values of
/// two rows, cannot fail.
class SwapSpace {
 public:
  explicit SwapSpace(std::pmr::memory_resource* memory) : memory_(memory) {}
  SwapSpace(const SwapSpace&) = delete;
  SwapSpace& operator=(const SwapSpace&) = delete;
  ~SwapSpace() { free(value_, bytes_, alignment_); }

  /// Makes room for one value of any column of this format. Does nothing if the temporary memory is large enough
  /// already. Memory that a Loan (a scope object, see below) has taken out of the SwapSpace counts, too, because the
  /// Loan gives it back.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: the temporary memory contains no value now, because larger memory may replace it. (Memory that a Loan
  /// has taken out is not replaced, and may contain a value.)
  void reserve(const BlockFormat& format);

  /// Makes room for `bytes` bytes with this alignment, in the same way as `reserve(const BlockFormat&)`.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: that of `reserve(const BlockFormat&)`.
  void reserve(std::size_t bytes, std::size_t alignment);

  /// Makes room for as many bytes as `other` has room for, with the same alignment.
  /// Errors and contract: those of `reserve`.
  void reserve_as(const SwapSpace& other) { reserve(other.bytes_, other.alignment_); }

  /// Exchanges the temporary memory with that of another object.
  /// Contract: no Loan (a scope object) has taken out the memory of either object.
  void swap(SwapSpace& other) noexcept {
    std::swap(value_, other.value_);
    std::swap(bytes_, other.bytes_);
    std::swap(alignment_, other.alignment_);
  }

  /// Returns: the temporary memory; null before `reserve`, and while a Loan (a scope object) has taken the memory out
  /// of the SwapSpace. The caller constructs values in this memory, and destroys them.
  void* value() const { return value_; }

  /// Exchanges the values of two rows whose blocks have the same format. Does not exchange the entities of the rows or
  /// the times of their last writes.
  /// Contract: `reserve` was called for the format.
  /// Complexity: O(columns).
  void swap_values(Place a, Place b) noexcept;

  /// Takes the temporary memory out of the SwapSpace as long as the Loan exists. Used for values whose moves run user
  /// code. Such code may cause a call of `reserve` for more memory: then this call allocates other memory, and the
  /// memory on loan stays valid. When the Loan ends, the SwapSpace keeps the larger memory.
  /// Contract: `reserve` was called; there is one Loan at a time; the SwapSpace outlives the Loan.
  class Loan {
   public:
    explicit Loan(SwapSpace& space)
        : space_(space),
          value_(std::exchange(space.value_, nullptr)),
          bytes_(space.bytes_),
          alignment_(space.alignment_) {}
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() {
      if (space_.value_ != nullptr) {
        space_.free(value_, bytes_, alignment_);
      } else {
        space_.value_ = value_;
      }
    }

    void* value() const { return value_; }

   private:
    SwapSpace& space_;
    void* value_;
    std::size_t bytes_;
    std::size_t alignment_;
  };

 private:
  void free(void* value, std::size_t bytes, std::size_t alignment) noexcept {
    if (value != nullptr) memory_->deallocate(value, bytes, alignment);
  }

  std::pmr::memory_resource* memory_;
  void* value_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t alignment_ = 1;
};

}  // namespace strata::detail
