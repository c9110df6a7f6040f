#include "keys.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "support/random.hpp"

namespace strata::bench {
namespace {

std::vector<float> sorted_keys(std::size_t n) {
  std::vector<float> keys(n);
  std::iota(keys.begin(), keys.end(), 0.0f);  // Exact up to 16,777,216.
  return keys;
}

}  // namespace

std::shared_ptr<Keys> random_keys(std::size_t n) {
  std::mt19937 random(41);
  return std::make_shared<Keys>(Keys{chosen(random, sorted_keys(n), n)});
}

std::shared_ptr<Keys> almost_sorted_keys(std::size_t n) {
  std::mt19937 random(43);
  std::vector<float> keys = sorted_keys(n);
  for (std::size_t i = 0; i + 8 < n; i += 100) std::swap(keys[i], keys[i + 1 + below(random, 8)]);
  return std::make_shared<Keys>(Keys{std::move(keys)});
}

std::shared_ptr<Keys> keys_with_moved(std::size_t n) {
  std::mt19937 random(47);
  std::vector<float> keys = sorted_keys(n);
  const auto count = static_cast<std::uint32_t>(n);
  for (int i = 0; i < 100; ++i) keys[below(random, count)] = static_cast<float>(below(random, count));
  return std::make_shared<Keys>(Keys{std::move(keys)});
}

PackedKeys::PackedKeys(std::size_t n)
    : keys_(n), numbers_(n), rows_(n), pairs_(n), spare_keys_(n), spare_numbers_(n) {
  std::iota(numbers_.begin(), numbers_.end(), 0u);
  std::iota(rows_.begin(), rows_.end(), 0u);
}

void PackedKeys::move_to_spare(std::size_t row, std::size_t place) {
  spare_keys_[place] = keys_[row];
  spare_numbers_[place] = numbers_[row];
  rows_[numbers_[row]] = static_cast<std::uint32_t>(place);
}

void PackedKeys::take_spare() {
  keys_.swap(spare_keys_);
  numbers_.swap(spare_numbers_);
}

void PackedKeys::sort() {
  for (std::size_t row = 0; row < keys_.size(); ++row) {
    pairs_[row] = {keys_[row], static_cast<std::uint32_t>(row)};
  }
  std::sort(pairs_.begin(), pairs_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t place = 0; place < pairs_.size(); ++place) move_to_spare(pairs_[place].second, place);
  take_spare();
}

void PackedKeys::insertion_sort() {
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

void PackedKeys::sort_like(const std::vector<std::uint32_t>& numbers) {
  for (std::size_t place = 0; place < numbers.size(); ++place) move_to_spare(rows_[numbers[place]], place);
  take_spare();
}

void PackedKeys::counting_sort(const std::vector<std::uint32_t>& class_of, std::size_t classes) {
  std::vector<std::size_t> places(classes + 1);
  for (const std::uint32_t number : numbers_) ++places[class_of[number] + 1];
  std::partial_sum(places.begin(), places.end(), places.begin());
  for (std::size_t row = 0; row < numbers_.size(); ++row) {
    move_to_spare(row, places[class_of[numbers_[row]]]++);
  }
  take_spare();
}

bool PackedKeys::is_sorted() const {
  return std::is_sorted(keys_.begin(), keys_.end());
}

Pool::Pool(std::size_t n) : query_(world_.query<Entity, Distance>()), given_(n) {
  for (std::size_t i = 0; i < n; ++i) entities_.push_back(world_.create(Distance{0}));
}

void Pool::set(const std::vector<float>& keys) {
  std::size_t i = 0;
  query_.each([&](Entity entity, Distance& distance) {
    distance.metres = keys[i++];
    given_[entity.index()] = distance.metres;
  });
}

Complaint Pool::complaint() {
  Complaint complaint;
  float last = -1;
  std::size_t visited = 0;
  query_.each([&](Entity entity, const Distance& distance) {
    if (distance.metres < last) complaint = to_string(entity) + " comes too late";
    if (distance.metres != given_[entity.index()]) complaint = to_string(entity) + " has another's value";
    last = distance.metres;
    ++visited;
  });
  return visited == given_.size() ? complaint : "not all are visited";
}

}  // namespace strata::bench
