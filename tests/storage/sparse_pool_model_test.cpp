#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "../../core/rollback.hpp"
#include "../../storage/side_store/pool_removal.hpp"
#include "../support/hooked.hpp"
#include "../support/model_test.hpp"
#include "pool_fixture.hpp"

namespace strata::test::sparse_pool_model_test {

using namespace detail;

namespace {

// The members of a pool, kept the dumb way. The indices lie on several pages, so that pages come and go.
template <class T>
class PoolTest {
 public:
  PoolTest(Bytes& bytes, Log& log, PoolOptions options) : bytes_(bytes), log_(log), subject_(options) {
    generations_.fill(1);
    hooks_->moved = [this](int) { look(false); };
    hooks_->destroyed = [this](int) { look(true); };
  }

  PoolTest(const PoolTest&) = delete;
  PoolTest& operator=(const PoolTest&) = delete;
  ~PoolTest() { Hooks::all() = {}; }

  Disagreement turn() {
    switch (bytes_.below(9)) {
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
      case 7:
        return compact();
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
            pool.contains(entity) !=
                (kTag ? pool.position_of(entity) != SparsePool::kAbsent : value != nullptr)) {
          return "contains or find is wrong about " + to_string(entity);
        }
        if (value == nullptr) continue;
        if (value != pool.value_at(pool.position_of(entity))) return to_string(entity) + " has two positions";
        if (number_of(value) != found->second) return "the value of " + to_string(entity) + " is wrong";
        if (pool.is_stable() && value != addresses_.at(entity))
          return to_string(entity) + "'s value has moved";
      }
    }
    if (const std::string broken = pool.check_invariants(); !broken.empty()) return broken;
    if (wrong_) return wrong_;
    if (kHooked && live_hooked - hooked_ != static_cast<int>(order_.size()))
      return "a value that calls hooks was leaked, or destroyed twice";
    if (scope_.leaked() != (kCounted ? static_cast<int>(order_.size()) : 0))
      return "a value was leaked, or destroyed twice";
    return {};
  }
  Disagreement finish() {
    hooks_->destroyed = nullptr;
    if (!subject_.gives_all_back()) return "the pool kept some of its memory";
    if (!scope_.clean()) return "a value was misused or leaked";
    return {};
  }

 private:
  static constexpr bool kTag = is_tag<T>;
  static constexpr bool kHooked = std::is_same_v<T, SparseHooked>;
  static constexpr bool kCounted = std::is_same_v<T, Bulky> || std::is_same_v<T, Counted>;
  static constexpr std::array<std::uint32_t, 12> kIndices{0,    1,    2,    63,   64,   127,
                                                          4095, 4096, 4097, 8191, 8192, 12'290};

  static int number_of(const void* value) {
    if constexpr (!kTag) return number_in(*static_cast<const T*>(value));
    return 0;
  }
  void insert(Entity entity, int number) {
    if constexpr (kTag) {
      subject_.pool.insert(entity);
    } else {
      subject_.insert(entity, number);
    }
  }
  /// What the code of a value sees of the pool. When a value is destroyed, the model is what the pool is to be.
  void look(bool destroys) {
    if (is_replacing_) return;
    for (const Entity entity :
         {Entity(kIndices[looks_ % kIndices.size()], 1), order_.empty() ? Entity() : order_[0]}) {
      const void* const value = subject_.pool.find(entity);
      if (value != nullptr && number_of(value) < 0) wrong_ = "half a value is found of " + to_string(entity);
      if (destroys && subject_.pool.contains(entity) != numbers_.contains(entity))
        wrong_ = "a destructor sees other members";
    }
    if (destroys && subject_.pool.size() != order_.size()) wrong_ = "a destructor sees more or fewer members";
    if (destroys && ++looks_ % 4 == 0) {
      if (std::string broken = subject_.pool.check_invariants(); !broken.empty()) wrong_ = broken;
    }
  }
  void record_addresses() {
    for (const Entity entity : order_) addresses_[entity] = subject_.pool.find(entity);
  }

  Disagreement insert() {
    const std::size_t which = bytes_.below(kIndices.size());
    const Entity entity(kIndices[which], generations_[which]);
    const int number = static_cast<int>(bytes_.below(100));
    const std::size_t fail_at = bytes_.below(6) == 5 ? 1 + bytes_.below(3) : 0;
    log_("insert ", entity, " with ", number, fail_at != 0 ? " while memory runs out" : "");
    if (fail_at != 0) subject_.memory.fail_at(fail_at);
    is_replacing_ = true;  // By this test, not by the pool.
    const detail::Rollback replaced([&] { is_replacing_ = false; });
    try {
      insert(entity, number);
      addresses_[entity] = subject_.pool.find(entity);
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
  Disagreement compact() {
    const std::size_t moved = subject_.pool.compact();
    log_("compact, which moves ", moved);
    if (!subject_.pool.is_stable()) {
      if (moved != 0) return "compact moved values that are packed";
      return {};
    }
    std::size_t others = 0;
    for (const Entity entity : order_) others += subject_.pool.find(entity) != addresses_[entity] ? 1 : 0;
    if (moved != others) return "compact moved as many values as it does not say";
    record_addresses();
    return {};
  }
  Disagreement clear() {
    if (!bytes_.chance(8)) {
      log_("shrink");
      subject_.pool.shrink();
      return {};
    }
    log_("clear");
    order_.clear();
    numbers_.clear();
    subject_.pool.clear();
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
  Disagreement sort_by_contradictions() {
    std::size_t random = bytes_.below(256);
    log_("sort by contradictions");
    subject_.pool.sort(
        [&](Entity, Entity) { return ((random = random * 1664525 + 1013904223) >> 16) % 3 == 0; });
    const std::vector<Entity> members = subject_.members();
    if (!std::is_permutation(members.begin(), members.end(), order_.begin(), order_.end()))
      return "a member was lost, or is there twice";
    order_ = members;
    return {};
  }
  Disagreement sort_and_throw() {
    if (bytes_.chance(3)) return sort_by_contradictions();
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
  HookScope hooks_;
  int hooked_ = live_hooked;
  PoolFixture<T> subject_;
  std::array<std::uint32_t, kIndices.size()> generations_{};
  std::map<Entity, int> numbers_;
  std::map<Entity, const void*> addresses_;
  std::vector<Entity> order_;
  Disagreement wrong_;
  std::size_t looks_ = 0;
  bool is_replacing_ = false;
};

template <class T>
Disagreement pool_agrees(Bytes& bytes, Log& log, PoolOptions options) {
  PoolTest<T> test(bytes, log, options);
  while (bytes.turn()) {
    if (const Disagreement wrong = test.turn()) return wrong;
    if (const Disagreement wrong = test.compare()) return wrong;
  }
  return test.finish();
}

constexpr PoolOptions kSmallPages{.entries_per_page = 64, .value_page_bytes = 64};
constexpr PoolOptions kStable{.removal = Removal::stable};
constexpr PoolOptions kStableOnSmallPages{
    .removal = Removal::stable, .entries_per_page = 64, .value_page_bytes = 256};

Disagreement big_values(Bytes& bytes, Log& log) {
  return pool_agrees<Bulky>(bytes, log, {});
}
Disagreement small_pages(Bytes& bytes, Log& log) {
  return pool_agrees<Health>(bytes, log, kSmallPages);
}
Disagreement tags(Bytes& bytes, Log& log) {
  return pool_agrees<Frozen>(bytes, log, kSmallPages);
}
Disagreement stable_big_values(Bytes& bytes, Log& log) {
  return pool_agrees<Bulky>(bytes, log, kStable);
}
Disagreement stable_small_pages(Bytes& bytes, Log& log) {
  return pool_agrees<Counted>(bytes, log, kStableOnSmallPages);
}
Disagreement looking(Bytes& bytes, Log& log) {
  return pool_agrees<SparseHooked>(bytes, log, kSmallPages);
}
Disagreement stable_looking(Bytes& bytes, Log& log) {
  return pool_agrees<SparseHooked>(bytes, log, kStableOnSmallPages);
}
Disagreement stable_over_aligned(Bytes& bytes, Log& log) {
  return pool_agrees<Wide>(bytes, log, kStableOnSmallPages);
}

}  // namespace

TEST_SUITE("storage/sparse_pool") {
  STRATA_MODEL_TEST("a pool behaves like a map with an order", big_values, .runs = 75, .turns = 150);
  STRATA_MODEL_TEST("so does one of small pages", small_pages, .runs = 75, .turns = 150);
  STRATA_MODEL_TEST("so does one of tags", tags, .runs = 100, .turns = 150);
  STRATA_MODEL_TEST("in a stable pool, no value moves but by compact", stable_big_values, .runs = 75,
                    .turns = 150);
  STRATA_MODEL_TEST("nor on small pages", stable_small_pages, .runs = 75, .turns = 150);
  STRATA_MODEL_TEST("values whose moves and destructors look at the pool find no half of a value", looking,
                    .runs = 75, .turns = 150);
  STRATA_MODEL_TEST("nor do they in a stable pool", stable_looking, .runs = 75, .turns = 150);
  STRATA_MODEL_TEST("nor if it is over-aligned", stable_over_aligned, .runs = 100, .turns = 150);
}

}  // namespace strata::test::sparse_pool_model_test
