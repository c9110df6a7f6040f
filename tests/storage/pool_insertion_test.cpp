#include "../../storage/sorting/pool_insertion.hpp"

#include <doctest/doctest.h>

#include "sorting_fixture.hpp"

namespace strata::test::pool_insertion_test {

namespace {

/// A pool that is sorted in steps, each of which is seen to keep to its budget.
template <class T>
struct SteppedPool : NumberedPool<T> {
  using NumberedPool<T>::NumberedPool;

  /// Returns: whether the pool is said to be sorted.
  bool step(std::size_t budget) {
    std::size_t comparisons = 0;
    const auto before = this->members();
    const auto less = [&](const T& a, const T& b) {
      ++comparisons;
      return number_in(a) < number_in(b);
    };
    const bool sorted = sort_pool_step<T>(this->pool, less, budget);
    const auto after = this->members();
    std::size_t moves = 0;
    for (std::size_t i = 0; i < before.size(); ++i) moves += after[i] != before[i] ? 1 : 0;
    within_budget = within_budget && comparisons + moves <= budget;
    return sorted;
  }
  bool is_sorted() const {
    const std::vector<int> numbers = this->numbers();
    return std::is_sorted(numbers.begin(), numbers.end());
  }

  bool within_budget = true;
};

}  // namespace

TEST_SUITE("storage/pool_insertion") {
  TEST_CASE_TEMPLATE("steps of any budget bring a pool into order, stably, and say when", T, Health, Counted,
                     Bulky) {
    for (const std::size_t budget :
         {std::size_t{3}, std::size_t{4}, std::size_t{7}, std::size_t{50}, std::size_t{100'000}}) {
      SteppedPool<T> f(50, 20);
      const auto before = f.listed();
      std::size_t steps = 0;
      while (!f.step(budget)) REQUIRE(++steps < 5000);
      CHECK(wrong_order(before, f.listed(), true) == "");
      CHECK(f.within_budget);
      CHECK(f.pool.check_invariants() == "");
    }
  }
  TEST_CASE("a budget that is too small for a move compares, and moves no row") {
    SteppedPool<Health> f(10, 1000);
    const auto before = f.listed();
    for (std::size_t budget = 0; budget < 3; ++budget) {
      for (int i = 0; i < 20; ++i) CHECK_FALSE(f.step(budget));
    }
    CHECK(f.listed() == before);
    CHECK(f.within_budget);
  }
  TEST_CASE("a pool that is sorted is said to be, by as many comparisons as it has pairs") {
    SteppedPool<Health> f(100, 1000);
    CHECK(f.step(100'000));
    CHECK(f.step(99));  // Backward
    CHECK(f.step(99));  // and forward.
    CHECK_FALSE(f.step(98));
    CHECK(f.step(1));
    SteppedPool<Health> empty(0, 1);
    CHECK(empty.step(0));
    SteppedPool<Health> one(1, 1);
    CHECK(one.step(0));
  }
  TEST_CASE("members that come at the end go to their places on the way back") {
    SteppedPool<Health> f(1000, 100'000);
    REQUIRE(f.step(10'000'000));
    f.insert(Entity(1, 1), 50'000);
    f.insert(Entity(2, 1), 10);
    std::size_t spent = 0;
    while (!f.step(100)) ++spent;
    CHECK(spent < 40);
    CHECK(f.is_sorted());
    CHECK(f.within_budget);
  }
  TEST_CASE("a sweep during which a member was displaced does not say that all is in order") {
    SteppedPool<Health> f(100, 1000);
    REQUIRE(f.step(100'000));
    REQUIRE_FALSE(f.step(50));  // Half of the way back.
    f.pool.erase(f.members()[80]);
    CHECK_FALSE(f.is_sorted());
    CHECK_FALSE(f.step(60));  // To the front: what lies at the back is not in order.
    while (!f.step(60)) {
    }
    CHECK(f.is_sorted());
  }
  TEST_CASE("another order begins anew") {
    SteppedPool<Health> f(100, 1000);
    REQUIRE(f.step(100'000));
    REQUIRE_FALSE(f.step(98));
    const auto greater = [](const Health& a, const Health& b) { return a.points > b.points; };
    CHECK_FALSE(sort_pool_step<Health>(f.pool, greater, 3));
    while (!sort_pool_step<Health>(f.pool, greater, 500)) {
    }
    const std::vector<int> numbers = f.numbers();
    CHECK(std::is_sorted(numbers.rbegin(), numbers.rend()));
  }
  TEST_CASE("a comparison that throws takes back what the step has moved, and the next one goes on") {
    const CountedScope scope;
    NumberedPool<Counted> f(30, 100);
    const auto at_first = f.listed();
    std::size_t left = 0;
    const auto less = [&](const Counted& a, const Counted& b) {
      if (left-- == 0) throw Enough();
      return a.value() < b.value();
    };
    bool sorted = false;
    for (std::size_t last = 0; !sorted; ++last) {
      REQUIRE(last < 3000);
      left = last % 40;
      const auto before = f.listed();
      try {
        sorted = sort_pool_step<Counted>(f.pool, less, 60);
      } catch (const Enough&) {
        REQUIRE(f.listed() == before);
      }
      REQUIRE(f.pool.check_invariants() == "");
    }
    CHECK(wrong_order(at_first, f.listed(), true) == "");
  }
  TEST_CASE("no step makes the order worse after a member has been displaced behind the cursor") {
    const auto less = [](const Health& a, const Health& b) { return a.points < b.points; };
    const auto inversions = [](const std::vector<int>& numbers) {
      std::size_t count = 0;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        for (std::size_t k = i + 1; k < numbers.size(); ++k) count += numbers[k] < numbers[i] ? 1 : 0;
      }
      return count;
    };
    for (std::size_t budget = 3; budget < 60; ++budget) {
      PoolFixture<Health> f;
      std::uint32_t index = 0;
      for (const int number : {10, 20, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 28, 90, 91, 92, 93, 100}) {
        f.insert(Entity(index++, 1), number);
      }
      CHECK_FALSE(sort_pool_step<Health>(f.pool, less, 11));  // As far as 38.
      f.pool.erase(Entity(1, 1));                             // 100 takes the place of 20.
      const std::size_t before = inversions(f.numbers());
      sort_pool_step<Health>(f.pool, less, budget);
      CHECK(inversions(f.numbers()) <= before);
    }
  }
  TEST_CASE("stretches that have to go the same way go together") {
    PoolFixture<Health> f;
    // The second half belongs before the first: by one member at a time, 25,000,000 moves.
    for (std::uint32_t i = 0; i < 10'000; ++i) f.insert(Entity(i, 1), static_cast<int>((i + 5000) % 10'000));
    std::size_t comparisons = 0;
    const auto less = [&](const Health& a, const Health& b) {
      ++comparisons;
      return a.points < b.points;
    };
    sort_pool<Health>(f.pool, less, sorting::Insertion{});
    const std::vector<int> numbers = f.numbers();
    CHECK(std::is_sorted(numbers.begin(), numbers.end()));
    CHECK(comparisons < 30'000);
    CHECK(f.pool.check_invariants() == "");
  }
}

}  // namespace strata::test::pool_insertion_test
