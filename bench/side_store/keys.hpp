// Keys: what the sorting benches sort, and the same pool for strata's answers and by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <strata/strata.hpp>
#include <vector>

#include "packed_keys.hpp"
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

/// By hand, `sort(PackedKeys&)`.
template <class Sort>
auto sort_by_hand(Sort sort) {
  return [sort](Keys& keys) {
    const auto packed = std::make_shared<PackedKeys>(keys.of_rows.size());
    return Work{.step = [packed, sort] { sort(*packed); },
                .check = [packed] { return packed->is_sorted() ? "" : "the keys are not sorted"; },
                .prepare = [packed, &keys] { packed->set(keys.of_rows); }};
  };
}

/// In a world, `sort(World&)`.
template <class Sort>
auto sort_in_world(Sort sort) {
  return [sort](Keys& keys) {
    const auto pool = std::make_shared<Pool>(keys.of_rows.size());
    return Work{.step = [pool, sort] { sort(pool->world()); },
                .check = [pool] { return pool->complaint(); },
                .prepare = [pool, &keys] { pool->set(keys.of_rows); }};
  };
}

inline constexpr auto kNearer = [](const Distance& a, const Distance& b) { return a.metres < b.metres; };

}  // namespace strata::bench

template <>
inline constexpr strata::Storage strata::storage_of<strata::bench::Distance> = strata::Storage::sparse;
