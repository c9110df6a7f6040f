// PerTerm: up to one value for each term of a query.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "batch.hpp"

namespace strata::detail {

/// A list in place: a query's terms need no memory of their own, so that one which is made to be used once costs little.
template <class T>
class PerTerm {
 public:
  /// Contract: there are fewer than kMaxTerms.
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
