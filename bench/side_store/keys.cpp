#include "keys.hpp"

#include <numeric>
#include <random>
#include <utility>

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
