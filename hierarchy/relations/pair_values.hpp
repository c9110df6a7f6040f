// PairValues: the values of the pairs (links between two entities) of one relation.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <utility>

#include "../../core/component.hpp"
#include "../../core/plain_list.hpp"
#include "../../storage/side_store/value_pages.hpp"

namespace strata::detail {

/// The values of the pairs of one relation. A value is identified by its number. Values are on pages and do not move.
/// If values have a destructor, the value of a removed pair is kept until `destroy_dead` destroys it, because the
/// destructor may run user code. If the relation has no values, all numbers are 0.
///
/// Invariants:
///   I13. Each number belongs to a value of a pair, belongs to a value that waits to be destroyed, or is free.
///
/// Threads: any number of readers, or one writer.
class PairValues {
 public:
  /// Contract: `component` outlives this object.
  PairValues(const ComponentInfo& component, std::pmr::memory_resource* memory)
      : component_(component), pages_(component, memory), next_(memory) {}
  PairValues(const PairValues&) = delete;
  PairValues& operator=(const PairValues&) = delete;

  const ComponentInfo& component() const noexcept { return component_; }
  /// Returns: the address of the value with this number; null if the relation has no values.
  void* at(std::uint32_t number) const noexcept { return pages_.at(number); }

  /// Returns: whether an address lies in the memory of the values.
  /// Complexity: that of ValuePages::holds.
  bool holds(const void* address) const noexcept { return pages_.holds(address); }

  /// Returns: a free number for a new value, which the caller builds at the address that `at` returns for the number;
  /// 0 if the relation has no values.
  /// Errors: std::bad_alloc; nothing has changed then.
  std::uint32_t take() { return pages_.of_tag() ? 0 : take_row(); }
  /// Frees a number whose value was not built, or was destroyed. Does nothing if the relation has no values.
  void give_back(std::uint32_t number) noexcept {
    if (!pages_.of_tag()) next_[number] = std::exchange(free_, number);
  }
  /// Called for the value of a removed pair: frees the number, or, if values have a destructor, leaves the value to
  /// `destroy_dead`.
  void end(std::uint32_t number) noexcept {
    component_.destroy == nullptr ? give_back(number) : list_dead(number);
  }

  /// Returns: whether there are values of removed pairs that `destroy_dead` has to destroy.
  bool has_dead() const noexcept { return first_dead_ != kNone; }
  /// Destroys the values that `end` has left to this function, in the order in which `end` was called for them.
  void destroy_dead() noexcept;

  /// Copies the values of `other` to this object, which has none. The copies have the same numbers.
  /// Errors: std::bad_alloc, and what copying a value throws. If it throws, this object has no values.
  /// Contract: values can be copied, and no value of `other` waits to be destroyed.
  void assign(const PairValues& other);
  /// Exchanges the values with those of another object for the same component.
  void swap(PairValues& other) noexcept {
    pages_.swap(other.pages_);
    next_.swap(other.next_);
    std::swap(free_, other.free_);
    std::swap(first_dead_, other.first_dead_);
    std::swap(last_dead_, other.last_dead_);
  }
  /// Returns: whether `other` has values with the same numbers and the same bytes.
  bool equals(const PairValues& other) const noexcept;

  /// Frees the pages after the value with the highest number, and unused capacity. Does nothing while values of removed
  /// pairs wait to be destroyed.
  /// Complexity: O(n), where n is the highest number that was ever taken.
  void shrink() noexcept;

  /// Returns: the allocated bytes.
  std::size_t reserved() const noexcept { return pages_.reserved() + memory_use_of(next_).reserved; }

  /// Returns: a sentence about the first invariant that does not hold; an empty string if all hold. `values` is the
  /// number of values that pairs have.
  std::string check_invariants(std::size_t values) const;

 private:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;
  static constexpr std::uint32_t kInUse = 0xFFFF'FFFE;

  std::uint32_t take_row();
  void list_dead(std::uint32_t number) noexcept;

  const ComponentInfo& component_;
  ValuePages pages_;
  PlainList<std::uint32_t> next_;     // By number: kInUse, or the next number in its list (free or waiting).
  std::uint32_t free_ = kNone;        // The number that was freed last.
  std::uint32_t first_dead_ = kNone;  // The first value that waits to be destroyed.
  std::uint32_t last_dead_ = kNone;   // The last value that waits to be destroyed.
};

}  // namespace strata::detail
