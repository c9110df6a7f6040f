// PerTerm: a small fixed-capacity vector with at most one element for each term of a query.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "batch.hpp"

namespace strata::detail {

/// A vector with a capacity of kMaxTerms elements, stored in the object itself. It allocates nothing, so
/// creating a query for one use is cheap.
template <class T>
class PerTerm {
 public:
  /// Appends a value.
  /// Contract: fewer than kMaxTerms values are stored.
  void push_back(const T& value) { values_[size_++] = value; }
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  const T* begin() const { return values_.data(); }
  const T* end() const { return values_.data() + size_; }
  operator std::span<const T>() const { return {values_.data(), size_}; }

 private:
  std::array<T, kMaxTerms> values_{};
  std::size_t size_ = 0;
};

}  // namespace strata::detail
