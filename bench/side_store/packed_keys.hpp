// PackedKeys: the limit of what sorts a pool, a sparse set of keys by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace strata::bench {

/// Keys packed, the number that each belongs to beside it, and from a number the way to its row.
class PackedKeys {
 public:
  explicit PackedKeys(std::size_t n);

  /// Gives each row its key.
  void set(const std::vector<float>& keys) { keys_ = keys; }

  /// Sorts pairs of a key and its row by std::sort, then puts all in that order.
  void sort();

  /// Shifts each key that is out of order to its place.
  void insertion_sort();

  /// Puts rows into the order in which `numbers` come.
  void sort_like(const std::vector<std::uint32_t>& numbers);

  /// Counts off by the class of each number, of which there are `classes`.
  void counting_sort(const std::vector<std::uint32_t>& class_of, std::size_t classes);

  bool is_sorted() const;
  const std::vector<std::uint32_t>& numbers() const { return numbers_; }

 private:
  void move_to_spare(std::size_t row, std::size_t place);
  void take_spare();

  std::vector<float> keys_;
  std::vector<std::uint32_t> numbers_;  // By row, as the keys.
  std::vector<std::uint32_t> rows_;     // By number.
  std::vector<std::pair<float, std::uint32_t>> pairs_;
  std::vector<float> spare_keys_;
  std::vector<std::uint32_t> spare_numbers_;
};

}  // namespace strata::bench
