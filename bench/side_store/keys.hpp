// Keys: what the sorting benches sort, in a pool of a world and by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <strata/strata.hpp>
#include <utility>
#include <vector>

#include "support/work.hpp"

namespace strata::bench {

/// How far away something is that is painted from front to back.
struct Distance {
  float metres;
};

/// The keys that the members get, in the order in which they lie, before each sort.
struct Keys {
  std::vector<float> of_rows;
};

/// All different and in random order.
std::shared_ptr<Keys> random_keys(std::size_t n);
/// In order, but for one in a hundred, which has changed places with one of its next eight neighbours.
std::shared_ptr<Keys> almost_sorted_keys(std::size_t n);
/// In order, but for a hundred, which belong anywhere.
std::shared_ptr<Keys> keys_with_moved(std::size_t n);

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

/// Entities that have a distance.
class Pool {
 public:
  explicit Pool(std::size_t n);

  World& world() { return world_; }
  const std::vector<Entity>& entities() const { return entities_; }

  void set(const std::vector<float>& keys);

  /// Returns: what is wrong with the order, or with a value's entity.
  Complaint complaint();

 private:
  World world_;
  Query<Entity, Distance> query_;
  std::vector<Entity> entities_;
  std::vector<float> given_;  // By entity index: its key.
};

}  // namespace strata::bench

template <>
inline constexpr strata::Storage strata::storage_of<strata::bench::Distance> = strata::Storage::sparse;
