// PackedSet, PackedRows: what limits keep entities in, by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace strata::bench {

/// Values of some of the numbers below n, packed: one presized array per type, and a map each way between a
/// number and its row. No checks.
template <class... Ts>
class PackedSet {
 public:
  explicit PackedSet(std::size_t n) : rows_(n), numbers_(n), columns_(std::vector<Ts>(n)...) {}

  /// The number is not in the set.
  void add(std::uint32_t number, const Ts&... values) {
    const std::size_t row = size_++;
    rows_[number] = static_cast<std::uint32_t>(row);
    numbers_[row] = number;
    ((column<Ts>()[row] = values), ...);
  }

  /// The number is in the set. The last row moves into the hole.
  bool remove(std::uint32_t number) {
    const std::uint32_t row = rows_[number];
    const std::size_t last = --size_;
    const std::uint32_t moved = numbers_[last];
    rows_[moved] = row;
    numbers_[row] = moved;
    ((column<Ts>()[row] = column<Ts>()[last]), ...);
    return true;
  }

  void clear() { size_ = 0; }

  std::size_t size() const { return size_; }
  /// The number is in the set.
  template <class T>
  const T& get(std::uint32_t number) const {
    return std::get<std::vector<T>>(columns_)[rows_[number]];
  }

  bool contains(std::uint32_t number) const {
    return rows_[number] < size_ && numbers_[rows_[number]] == number;
  }

 private:
  template <class T>
  std::vector<T>& column() {
    return std::get<std::vector<T>>(columns_);
  }

  std::vector<std::uint32_t> rows_;     // By number.
  std::vector<std::uint32_t> numbers_;  // By row, as the columns.
  std::tuple<std::vector<Ts>...> columns_;
  std::size_t size_ = 0;
};

/// A set that gives the numbers out itself, and those given back first.
template <class... Ts>
class PackedRows {
 public:
  explicit PackedRows(std::size_t n) : set_(n), free_(n) {}

  std::uint32_t create(const Ts&... values) {
    const auto number = free_count_ == 0 ? static_cast<std::uint32_t>(next_++) : free_[--free_count_];
    set_.add(number, values...);
    return number;
  }

  void destroy(std::uint32_t number) {
    set_.remove(number);
    free_[free_count_++] = number;
  }

  void clear() {
    set_.clear();
    free_count_ = 0;
    next_ = 0;
  }

  std::size_t size() const { return set_.size(); }
  const PackedSet<Ts...>& set() const { return set_; }

 private:
  PackedSet<Ts...> set_;
  std::vector<std::uint32_t> free_;
  std::size_t free_count_ = 0;
  std::size_t next_ = 0;  // No std::uint32_t, which what is stored to the arrays could alias.
};

}  // namespace strata::bench
