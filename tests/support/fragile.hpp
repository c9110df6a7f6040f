// Components whose copies throw when told to, for both storages.
#pragma once

#include <cstddef>
#include <stdexcept>

#include "components.hpp"

namespace strata::test {

/// What a Fragile throws.
struct Broken : std::runtime_error {
  Broken() : std::runtime_error("a copy that was to throw") {}
};

/// A Counted whose copies throw from the `nth` one on (1: the very next); never, if `nth` is 0.
struct Fragile : Counted {
  using Counted::Counted;
  Fragile(const Fragile& other) : Counted((spend(), other)) {}
  Fragile(Fragile&&) noexcept = default;

  static void throw_at(std::size_t nth) { countdown_ = nth; }

 private:
  static void spend() {
    if (countdown_ == 1) throw Broken();
    if (countdown_ > 1) --countdown_;
  }
  static inline std::size_t countdown_ = 0;
};

struct SparseFragile : Fragile {
  using Fragile::Fragile;
};

/// Runs `operation` with the first copy throwing, then the second, and so on until it succeeds; `unchanged`
/// is called after each failure.
/// Returns: how many times the operation failed.
template <class Operation, class Unchanged>
std::size_t sweep_throwing_copies(Operation operation, Unchanged unchanged) {
  for (std::size_t nth = 1;; ++nth) {
    Fragile::throw_at(nth);
    try {
      operation();
      Fragile::throw_at(0);
      return nth - 1;
    } catch (const Broken&) {
      Fragile::throw_at(0);
      unchanged();
    }
  }
}

}  // namespace strata::test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::SparseFragile> = strata::Storage::sparse;
