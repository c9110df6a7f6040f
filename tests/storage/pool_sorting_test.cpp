#include "../../storage/sorting/pool_sorting.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "sorting_fixture.hpp"

namespace strata::test::pool_sorting_test {

namespace {

template <class T, class Way>
std::string sort_all_sizes(std::size_t largest, Way way) {
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3},
                                  std::size_t{17}, std::size_t{100}, largest}) {
    for (const std::uint32_t different : {1u, 3u, 1'000'000u}) {
      NumberedPool<T> f(count, different, static_cast<unsigned>(count));
      const auto before = f.listed();
      sort_pool<T>(f.pool, kByNumber, way);
      std::string wrong = wrong_order(before, f.listed(), is_stable<Way>);
      if (wrong.empty()) wrong = f.pool.check_invariants();
      if (!wrong.empty()) return wrong + ", of " + std::to_string(count);
      if (!f.gives_all_back()) return "memory is missing";
    }
  }
  return "";
}

/// What answers at random, and contradicts itself.
struct Whims {
  bool operator()(Entity, Entity) { return random() % 2 == 0; }
  std::mt19937 random{5};
};

}  // namespace

TEST_SUITE("storage/pool_sorting") {
  TEST_CASE_TEMPLATE("every way sorts values of every kind", Way, STRATA_WAYS_TO_SORT) {
    const CountedScope scope;
    CHECK(sort_all_sizes<Health>(1000, Way{}) == "");
    CHECK(sort_all_sizes<Counted>(800, Way{}) == "");
    CHECK(sort_all_sizes<Wide>(300, Way{}) == "");
    CHECK(sort_all_sizes<Owner>(300, Way{}) == "");
    CHECK(sort_all_sizes<Bulky>(60, Way{}) == "");
    CHECK(sort_all_sizes<Huge>(60, Way{}) == "");
    CHECK(scope.clean());
  }
  TEST_CASE_TEMPLATE("every way sorts by entities, and tags too", Way, STRATA_WAYS_TO_SORT) {
    NumberedPool<Health> values(500, 1000);
    PoolFixture<Frozen> tags;
    for (const Entity entity : values.members()) tags.pool.insert(entity);
    const auto greater = [](Entity a, Entity b) { return a > b; };
    sort_pool<Health>(values.pool, greater, Way{});
    sort_pool<Frozen>(tags.pool, greater, Way{});
    std::vector<Entity> members = values.members();
    CHECK(std::is_sorted(members.begin(), members.end(), greater));
    CHECK(tags.members() == members);
    CHECK(values.pool.check_invariants() == "");
    CHECK(tags.pool.check_invariants() == "");
  }
  TEST_CASE_TEMPLATE("a comparison that throws, whenever it does, leaves the pool as it was", Way,
                     STRATA_WAYS_TO_SORT) {
    const CountedScope scope;
    for (const std::size_t count : {std::size_t{2}, std::size_t{7}, std::size_t{40}}) {
      NumberedPool<Counted> f(count, 20);
      const auto before = f.listed();
      for (std::size_t last = 0;; ++last) {
        std::size_t left = last;
        const auto less = [&left](const Counted& a, const Counted& b) {
          if (left-- == 0) throw Enough();
          return a.value() < b.value();
        };
        try {
          sort_pool<Counted>(f.pool, less, Way{});
          CHECK(wrong_order(before, f.listed(), is_stable<Way>) == "");
          break;
        } catch (const Enough&) {
          REQUIRE(f.listed() == before);
          REQUIRE(f.pool.check_invariants() == "");
        }
      }
    }
    CHECK(scope.clean());
  }
  TEST_CASE_TEMPLATE("a comparison that contradicts itself loses no member", Way, sorting::Stable,
                     sorting::ByPermutation<>, sorting::InPlace<>, sorting::BySwaps<>, sorting::Insertion) {
    NumberedPool<Owner> f(300, 1000);
    auto before = f.listed();
    std::sort(before.begin(), before.end());
    const auto always = [](Entity, Entity) { return true; };
    sort_pool<Owner>(f.pool, always, Way{});
    Whims whims;
    sort_pool<Owner>(f.pool, whims, Way{});
    auto after = f.listed();
    std::sort(after.begin(), after.end());
    CHECK(after == before);
    CHECK(f.pool.check_invariants() == "");
  }
  TEST_CASE_TEMPLATE("out of memory leaves the pool as it was", Way, STRATA_WAYS_TO_SORT) {
    NumberedPool<Bulky> f(30, 100);
    const auto before = f.listed();
    const auto less = [](const Bulky& a, const Bulky& b) { return number_in(a) < number_in(b); };
    sweep_out_of_memory(
        f.memory, [&] { sort_pool<Bulky>(f.pool, less, Way{}); }, [&] { CHECK(f.listed() == before); });
    CHECK(wrong_order(before, f.listed(), is_stable<Way>) == "");
    CHECK(f.gives_all_back());
  }
  TEST_CASE(
      "exchanging members with a comparison that cannot throw takes no memory, nor does sorting in place") {
    NumberedPool<Health> f(1000, 500);
    f.memory.fail_at(1);
    const auto less = [](const Health& a, const Health& b) noexcept { return a.points < b.points; };
    const auto greater = [](const Health& a, const Health& b) { return a.points > b.points; };
    CHECK_NOTHROW(sort_pool<Health>(f.pool, less, sorting::BySwaps{}));
    const std::vector<int> up = f.numbers();
    CHECK(std::is_sorted(up.begin(), up.end()));
    CHECK_NOTHROW(sort_pool<Health>(f.pool, greater, sorting::InPlace{}));
    const std::vector<int> down = f.numbers();
    CHECK(std::is_sorted(down.rbegin(), down.rend()));
    CHECK_NOTHROW(sort_pool<Health>(f.pool, less, sorting::Insertion{}));
    CHECK(f.numbers() == up);
    CHECK_NOTHROW(sort_pool<Health>(f.pool, less));  // Sorted already.
  }
  TEST_CASE_TEMPLATE("a key sorts as comparing it does", Way, STRATA_WAYS_TO_SORT) {
    for (const std::size_t count : {std::size_t{50}, std::size_t{400}}) {
      NumberedPool<Health> f(count, 40'000);
      const auto before = f.listed();
      sort_pool<Health>(f.pool, &Health::points, Way{});
      CHECK(wrong_order(before, f.listed(), is_stable<Way>) == "");
      const auto index = [](Entity entity) { return entity.bits(); };
      sort_pool<Health>(f.pool, index, Way{});
      const std::vector<Entity> members = f.members();
      CHECK(std::is_sorted(members.begin(), members.end()));
      const auto name = [](const Health& health) { return std::to_string(health.points); };
      sort_pool<Health>(f.pool, name, Way{});
      const std::vector<int> numbers = f.numbers();
      CHECK(std::is_sorted(numbers.begin(), numbers.end(),
                           [](int a, int b) { return std::to_string(a) < std::to_string(b); }));
    }
  }
  TEST_CASE("keys that are equal keep their order, zeros of either sign and negative numbers too") {
    NumberedPool<Health> f(2000, 6);
    const auto before = f.listed();
    constexpr double kKeys[] = {-0.0, 0.0, -1.5, 1e300, -1e-300, 0.0};
    const auto key = [&](const Health& health) { return kKeys[health.points]; };
    sort_pool<Health>(f.pool, key);
    auto expected = before;
    std::stable_sort(expected.begin(), expected.end(),
                     [&](const auto& a, const auto& b) { return kKeys[a.first] < kKeys[b.first]; });
    CHECK(f.listed() == expected);
  }
  TEST_CASE_TEMPLATE("keys that are no number come last", Way, STRATA_WAYS_TO_SORT) {
    const auto key = [](const Health& health) {
      return health.points == 0 ? std::numeric_limits<float>::quiet_NaN()
                                : static_cast<float>(-health.points);
    };
    for (const std::size_t count : {std::size_t{2}, std::size_t{3}, std::size_t{600}}) {
      for (unsigned seed = 0; seed < 8; ++seed) {
        NumberedPool<Health> f(count, 3, seed);
        sort_pool<Health>(f.pool, key, Way{});
        const std::vector<int> numbers = f.numbers();
        CHECK(std::is_sorted(numbers.rbegin(), numbers.rend()));
      }
    }
  }
  TEST_CASE("a comparison may look the values up where the pool is whole while it sorts") {
    NumberedPool<Health> f(200, 50);
    const auto before = f.listed();
    const auto less = [&](Entity a, Entity b) {
      return f.pool.template find_as<Health>(a)->points < f.pool.template find_as<Health>(b)->points;
    };
    SUBCASE("stable") {
      sort_pool<Health>(f.pool, less);
    }
    SUBCASE("by permutation") {
      sort_pool<Health>(f.pool, less, sorting::ByPermutation{});
    }
    SUBCASE("by swaps") {
      sort_pool<Health>(f.pool, less, sorting::BySwaps{});
    }
    SUBCASE("by insertion") {
      sort_pool<Health>(f.pool, less, sorting::Insertion{});
    }
    CHECK(wrong_order(before, f.listed(), false) == "");
  }
  TEST_CASE("members of another pool come first, in its order, and the others keep theirs") {
    const CountedScope scope;
    NumberedPool<Counted> f(60, 1000);
    NumberedPool<Health> other(40, 1000, 9);
    other.pool.erase(Entity(9, 5));
    other.insert(Entity(9, 77), 1);  // Of another generation: not the same entity.
    other.insert(Entity(1000, 1), 1);
    std::vector<Entity> expected;
    for (const Entity entity : other.members()) {
      if (f.pool.contains(entity)) expected.push_back(entity);
    }
    REQUIRE(expected.size() > 20);
    for (const Entity entity : f.members()) {
      if (!other.pool.contains(entity)) expected.push_back(entity);
    }
    auto before = f.listed();
    const auto in_order = before;
    sweep_out_of_memory(
        f.memory, [&] { sort_pool_like(f.pool, other.pool); }, [&] { CHECK(f.listed() == in_order); });
    CHECK(f.members() == expected);
    auto after = f.listed();
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    CHECK(after == before);
    CHECK(f.pool.check_invariants() == "");
    sort_pool_like(f.pool, f.pool);
    CHECK(f.members() == expected);
    CHECK(scope.leaked() == 60);
  }
  TEST_CASE("a pool that was put in order in any way is arranged until it has no members") {
    NumberedPool<Health> f(20, 1000);
    const auto check_arranged_by = [&](auto arrange) {
      CHECK(!f.pool.arranged());
      arrange();
      CHECK(f.pool.arranged());
      f.insert(Entity(5000, 1), 1);
      f.pool.erase(f.members()[3]);
      CHECK(f.pool.arranged());
      const std::vector<Entity> members = f.members();
      for (const Entity entity : members) f.pool.erase(entity);
      CHECK(!f.pool.arranged());
      for (std::size_t i = 0; i < members.size(); ++i) f.insert(members[i], static_cast<int>(i));
      CHECK(f.pool.check_invariants() == "");
    };
    check_arranged_by([&] { sort_pool<Health>(f.pool, kByNumber); });
    check_arranged_by([&] { sort_pool<Health>(f.pool, kByNumber, sorting::Insertion{}); });
    check_arranged_by([&] { sort_pool_step<Health>(f.pool, kByNumber, 1); });
    check_arranged_by([&] { f.pool.sort([](Entity a, Entity b) { return a < b; }); });
    PoolFixture<Health> other;
    check_arranged_by([&] { sort_pool_like(f.pool, other.pool); });
    check_arranged_by([&] { sort_pool_like(f.pool, f.pool); });
    sort_pool<Health>(f.pool, kByNumber);
    f.pool.clear();
    CHECK(!f.pool.arranged());
    sort_pool<Health>(f.pool, kByNumber);
    CHECK(!f.pool.arranged());
    CHECK(f.pool.check_invariants() == "");
  }
  TEST_CASE("a pool that could not be sorted is not arranged") {
    NumberedPool<Health> f(20, 1000);
    const auto fail = [](const Health&, const Health&) -> bool { throw 1; };
    CHECK_THROWS_AS(sort_pool<Health>(f.pool, fail), int);
    CHECK_THROWS_AS(sort_pool_step<Health>(f.pool, fail, 100), int);
    CHECK(!f.pool.arranged());
  }
}

}  // namespace strata::test::pool_sorting_test
