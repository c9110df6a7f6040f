#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../storage/sparse_pool.hpp"
#include "../support/model_test.hpp"
#include "pool_fixture.hpp"

using namespace strata;
using namespace strata::test;

namespace {

// The members of a pool, kept the dumb way. The indices lie on four pages, so that pages come and go.
class PoolTest {
 public:
  PoolTest(Bytes& bytes, Log& log) : bytes_(bytes), log_(log) { generations_.fill(1); }

  Disagreement turn() {
    switch (bytes_.below(8)) {
      case 0:
      case 1:
      case 2:
        return insert();
      case 3:
      case 4:
        return erase();
      case 5:
        return sort();
      case 6:
        return sort_and_throw();
      default:
        return clear();
    }
  }

  Disagreement compare() const {
    const SparsePool& pool = subject_.pool;
    if (subject_.members() != order_) return "the members are others, or in another order";
    for (const std::uint32_t index : kIndices) {
      for (std::uint32_t generation = 0; generation < 6; ++generation) {
        const Entity entity(index, generation);
        const auto found = numbers_.find(entity);
        const void* value = pool.find(entity);
        if (pool.contains(entity) != (found != numbers_.end()) ||
            pool.contains(entity) != (value != nullptr)) {
          return "contains or find is wrong about " + to_string(entity);
        }
        if (value == nullptr) continue;
        if (value != pool.value_at(pool.position_of(entity))) return to_string(entity) + " has two positions";
        if (number_in(*static_cast<const Bulky*>(value)) != found->second) {
          return "the value of " + to_string(entity) + " is wrong";
        }
      }
    }
    if (const std::string broken = pool.check_invariants(); !broken.empty()) return broken;
    if (scope_.leaked() != static_cast<int>(order_.size())) return "a value was leaked, or destroyed twice";
    return {};
  }
  Disagreement finish() {
    if (!subject_.gives_all_back()) return "the pool kept some of its memory";
    if (!scope_.clean()) return "a value was misused or leaked";
    return {};
  }

 private:
  static constexpr std::array<std::uint32_t, 9> kIndices{0, 1, 2, 4095, 4096, 4097, 8191, 8192, 12'290};

  Disagreement insert() {
    const std::size_t which = bytes_.below(kIndices.size());
    const Entity entity(kIndices[which], generations_[which]);
    const int number = static_cast<int>(bytes_.below(100));
    const std::size_t fail_at = bytes_.below(6) == 5 ? 1 + bytes_.below(3) : 0;
    log_("insert ", entity, " with ", number, fail_at != 0 ? " while memory runs out" : "");
    if (fail_at != 0) subject_.memory.fail_at(fail_at);
    try {
      subject_.insert(entity, number);
      if (!numbers_.contains(entity)) order_.push_back(entity);
      numbers_[entity] = number;
    } catch (const std::bad_alloc&) {
      if (fail_at == 0 || numbers_.contains(entity)) return "insert failed for no reason";
    }
    subject_.memory.never_fail();
    return {};
  }
  Disagreement erase() {
    const std::size_t which = bytes_.below(kIndices.size());
    const bool forged = bytes_.below(4) == 3;
    const auto any = static_cast<std::uint32_t>(bytes_.below(6));
    const Entity entity(kIndices[which], forged ? any : generations_[which]);
    log_("erase ", entity);
    const bool expected = numbers_.erase(entity) != 0;
    if (expected) {
      *std::find(order_.begin(), order_.end(), entity) = order_.back();
      order_.pop_back();
      if (bytes_.chance(2) && generations_[which] < 5) ++generations_[which];
    }
    if (subject_.pool.erase(entity) != expected) return "erase answered wrongly";
    return {};
  }
  Disagreement clear() {
    if (!bytes_.chance(8)) {
      log_("shrink");
      subject_.pool.shrink();
      return {};
    }
    log_("clear");
    subject_.pool.clear();
    order_.clear();
    numbers_.clear();
    return {};
  }
  Disagreement sort() {
    const int modulus = 1 + static_cast<int>(bytes_.below(20));  // Small: many are equal.
    log_("sort by value modulo ", modulus);
    const auto less = [&](Entity a, Entity b) { return numbers_[a] % modulus < numbers_[b] % modulus; };
    subject_.pool.sort(less);
    std::stable_sort(order_.begin(), order_.end(), less);
    return {};
  }
  Disagreement sort_and_throw() {
    std::size_t left = bytes_.below(12);
    log_("sort and throw at comparison ", left);
    try {
      subject_.pool.sort([&](Entity a, Entity b) {
        if (left-- == 0) throw std::runtime_error("enough");
        return a < b;
      });
      std::sort(order_.begin(), order_.end());
    } catch (const std::runtime_error&) {
    }
    return {};
  }

  Bytes& bytes_;
  Log& log_;
  CountedScope scope_;
  PoolFixture<Bulky> subject_;
  std::array<std::uint32_t, kIndices.size()> generations_{};
  std::map<Entity, int> numbers_;
  std::vector<Entity> order_;
};

Disagreement pools_agree(Bytes& bytes, Log& log) {
  PoolTest test(bytes, log);
  while (bytes.turn()) {
    if (const Disagreement wrong = test.turn()) return wrong;
    if (const Disagreement wrong = test.compare()) return wrong;
  }
  return test.finish();
}

}  // namespace

TEST_SUITE("storage/sparse_pool") {
  STRATA_MODEL_TEST("a pool behaves like a map with an order", pools_agree, .runs = 150, .turns = 150);
}
