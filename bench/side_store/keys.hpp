// Keys: what the sorting benches sort, in a pool of a world and by hand.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <strata/strata.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/random.hpp"

namespace strata::bench {

/// How far away something is that is painted from front to back.
struct Distance {
  float metres;
};

}  // namespace strata::bench

template <>
inline constexpr strata::Storage strata::storage_of<strata::bench::Distance> = strata::Storage::sparse;

namespace strata::bench {

/// The keys that the members get, in the order in which they lie, before each sort.
using Keys = std::vector<float>;

/// Keys packed, the number that each belongs to beside it, and from a number the way to its row.
class PackedKeys {
 public:
  explicit PackedKeys(std::size_t n)
      : keys_(n), numbers_(numbers_below(n)), rows_(numbers_), pairs_(n), spare_keys_(n), spare_numbers_(n) {}

  /// Gives each row its key.
  void set(const Keys& keys) { keys_ = keys; }

  /// Sorts pairs of a key and its row by std::sort, then puts all in that order.
  void sort() {
    for (std::size_t row = 0; row < keys_.size(); ++row) {
      pairs_[row] = {keys_[row], static_cast<std::uint32_t>(row)};
    }
    std::sort(pairs_.begin(), pairs_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t place = 0; place < pairs_.size(); ++place) move_to_spare(pairs_[place].second, place);
    take_spare();
  }

  /// Shifts each key that is out of order to its place.
  void insertion_sort() {
    for (std::size_t row = 1; row < keys_.size(); ++row) {
      if (!(keys_[row] < keys_[row - 1])) continue;
      const float key = keys_[row];
      const std::uint32_t number = numbers_[row];
      std::size_t place = row;
      for (; place != 0 && key < keys_[place - 1]; --place) {
        keys_[place] = keys_[place - 1];
        numbers_[place] = numbers_[place - 1];
        rows_[numbers_[place]] = static_cast<std::uint32_t>(place);
      }
      keys_[place] = key;
      numbers_[place] = number;
      rows_[number] = static_cast<std::uint32_t>(place);
    }
  }

  /// Puts rows into the order in which `numbers` come.
  void sort_like(const std::vector<std::uint32_t>& numbers) {
    for (std::size_t place = 0; place < numbers.size(); ++place) move_to_spare(rows_[numbers[place]], place);
    take_spare();
  }

  /// Counts off by the class of each number, of which there are `classes`.
  void counting_sort(const std::vector<std::uint32_t>& class_of, std::size_t classes) {
    std::vector<std::size_t> places(classes + 1);
    for (const std::uint32_t number : numbers_) ++places[class_of[number] + 1];
    std::partial_sum(places.begin(), places.end(), places.begin());
    for (std::size_t row = 0; row < numbers_.size(); ++row) {
      move_to_spare(row, places[class_of[numbers_[row]]]++);
    }
    take_spare();
  }

  bool is_sorted() const { return std::is_sorted(keys_.begin(), keys_.end()); }
  const std::vector<std::uint32_t>& numbers() const { return numbers_; }

 private:
  void move_to_spare(std::size_t row, std::size_t place) {
    spare_keys_[place] = keys_[row];
    spare_numbers_[place] = numbers_[row];
    rows_[numbers_[row]] = static_cast<std::uint32_t>(place);
  }
  void take_spare() {
    keys_.swap(spare_keys_);
    numbers_.swap(spare_numbers_);
  }

  Keys keys_;
  std::vector<std::uint32_t> numbers_;  // By row, as the keys.
  std::vector<std::uint32_t> rows_;     // By number.
  std::vector<std::pair<float, std::uint32_t>> pairs_;
  Keys spare_keys_;
  std::vector<std::uint32_t> spare_numbers_;
};

/// Entities that have a distance.
struct Pool {
  explicit Pool(std::size_t n) : query(world.query<Entity, Distance>()), given(n) {
    for (std::size_t i = 0; i < n; ++i) entities.push_back(world.create(Distance{0}));
  }

  void set(const Keys& keys) {
    std::size_t i = 0;
    query.each([&](Entity entity, Distance& distance) {
      distance.metres = keys[i++];
      given[entity.index()] = distance.metres;
    });
  }

  /// Returns: what is wrong with the order, or with a value's entity.
  std::string complaint() {
    std::string complaint;
    float last = -1;
    std::size_t visited = 0;
    query.each([&](Entity entity, const Distance& distance) {
      if (distance.metres < last) complaint = to_string(entity) + " comes too late";
      if (distance.metres != given[entity.index()]) complaint = to_string(entity) + " has another's value";
      last = distance.metres;
      ++visited;
    });
    return visited == given.size() ? complaint : "not all are visited";
  }

  World world;
  Query<Entity, Distance> query;
  std::vector<Entity> entities;
  Keys given;  // By entity index: its key.
};

}  // namespace strata::bench
