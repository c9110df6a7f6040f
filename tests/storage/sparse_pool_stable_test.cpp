#include <doctest/doctest.h>

#include <functional>
#include <new>
#include <vector>

#include "../../storage/side_store/pool_removal.hpp"
#include "pool_fixture.hpp"

namespace strata::test::sparse_pool_stable_test {

namespace {

constexpr PoolOptions kStable{.removal = Removal::stable, .entries_per_page = 64, .value_page_bytes = 256};

/// Returns: the address of every member's value, by its index, which is below `end`.
template <class T>
std::vector<void*> addresses(const PoolFixture<T>& f, std::uint32_t end) {
  std::vector<void*> all;
  for (std::uint32_t i = 0; i < end; ++i) all.push_back(f.pool.find(Entity(i, 1)));
  return all;
}

}  // namespace

TEST_SUITE("storage/sparse_pool_stable") {
  TEST_CASE_TEMPLATE("a value never moves while its entity is a member", T, Counted, Wide, Owner, Huge,
                     Bulky) {
    const CountedScope scope;
    PoolFixture<T> f(kStable);
    f.insert_range(0, 300);
    std::vector<void*> expected = addresses(f, 300);
    for (std::uint32_t i = 0; i < 300; i += 3) {
      CHECK(f.pool.erase(Entity(i, 1)));
      expected[i] = nullptr;
    }
    CHECK(addresses(f, 300) == expected);
    f.pool.sort(std::greater<>());
    f.pool.shrink();
    CHECK(addresses(f, 300) == expected);
    CHECK(f.members().front() == Entity(299, 1));
    for (std::uint32_t i = 0; i < f.pool.size(); ++i) {
      CHECK(f.number_at(i) == static_cast<int>(f.members()[i].index()));
    }
    CHECK(f.pool.check_invariants() == "");
    SUBCASE("clear destroys them all") {
      f.pool.clear();
      CHECK(f.pool.check_invariants() == "");
    }
    SUBCASE("the pool's end destroys them all") {
      CHECK(f.gives_all_back());
    }
    CHECK(scope.clean());
  }
  TEST_CASE("the next value takes the place that was left last") {
    PoolFixture<Health> f(kStable);
    f.insert_range(0, 10);
    const void* const third = f.pool.find(Entity(3, 1));
    f.pool.erase(Entity(5, 1));
    f.pool.erase(Entity(3, 1));
    f.insert(Entity(77, 1), 77);
    CHECK(f.pool.find(Entity(77, 1)) == third);
    CHECK(f.pool.check_invariants() == "");
  }
  TEST_CASE("one member among 99,999 holes is all that is visited") {
    PoolFixture<Health> f({.removal = Removal::stable});
    f.insert_range(0, 100'000);
    for (std::uint32_t i = 0; i < 100'000; ++i) {
      if (i != 51'234) f.pool.erase(Entity(i, 1));
    }
    CHECK(f.members() == std::vector{Entity(51'234, 1)});
    CHECK(f.numbers() == std::vector{51'234});
    f.pool.shrink();
    CHECK(f.pool.memory_use().reserved < 300'000);
    CHECK(f.pool.check_invariants() == "");
  }
  TEST_CASE("erasing never allocates, and so does inserting into a hole") {
    PoolFixture<Counted> f(kStable);
    f.insert_range(0, 200);
    const std::size_t allocations = f.memory.allocations();
    for (std::uint32_t i = 0; i < 200; i += 2) f.pool.erase(Entity(i, 1));
    f.memory.fail_at(1);
    for (std::uint32_t i = 0; i < 200; i += 2) f.insert(Entity(i, 1), 1);
    f.memory.never_fail();
    CHECK(f.memory.allocations() == allocations);
    CHECK(f.pool.check_invariants() == "");
  }
  TEST_CASE("compact closes the holes, and says how many values it moved") {
    const CountedScope scope;
    PoolFixture<Counted> f(kStable);
    f.insert_range(0, 400);
    for (std::uint32_t i = 0; i < 400; ++i) {
      if (i % 4 != 1) f.pool.erase(Entity(i, 1));
    }
    const std::size_t before = f.memory.bytes();
    const std::vector<Entity> members = f.members();
    const std::vector<int> numbers = f.numbers();
    CHECK(f.pool.compact() == 75);
    CHECK(f.members() == members);
    CHECK(f.numbers() == numbers);
    CHECK(f.pool.check_invariants() == "");
    CHECK(f.memory.bytes() < before);
    CHECK(f.pool.compact() == 0);
    f.insert_range(500, 600);
    CHECK(f.pool.check_invariants() == "");
    CHECK(f.gives_all_back());
    CHECK(scope.clean());
  }
  TEST_CASE("compact has nothing to do where values are packed, nor where there are none") {
    PoolFixture<Health> packed;
    packed.insert_range(0, 10);
    packed.pool.erase(Entity(2, 1));
    CHECK(packed.pool.compact() == 0);
    PoolFixture<Frozen> tags(kStable);
    CHECK(!tags.pool.is_stable());
    CHECK(tags.pool.compact() == 0);
    PoolFixture<Health> empty(kStable);
    CHECK(empty.pool.compact() == 0);
    empty.insert_range(0, 1);
    empty.pool.erase(Entity(0, 1));
    CHECK(empty.pool.compact() == 0);
    CHECK(empty.pool.check_invariants() == "");
  }
  TEST_CASE("values_together counts those that really lie side by side") {
    PoolFixture<Wide> f(kStable);
    f.insert_range(0, 6);
    CHECK(f.pool.values_together(0) == 4);
    CHECK(f.pool.values_together(4) == 2);
    f.pool.erase(Entity(1, 1));
    CHECK(f.pool.values_together(0) == 1);
    CHECK(f.pool.values_together(2) == 2);
  }
  TEST_CASE("out of memory leaves a stable pool as it was, wherever it strikes") {
    const CountedScope scope;
    bool failed = true;
    std::size_t nth = 0;
    while (failed) {
      PoolFixture<Bulky> f({.removal = Removal::stable, .value_page_bytes = 64});
      f.insert_range(0, 16);
      const std::vector<int> before = f.numbers();
      const std::vector<void*> where = addresses(f, 16);
      f.memory.fail_at(++nth);
      try {
        f.insert(Entity(70'000, 1), 7);
        failed = false;
      } catch (const std::bad_alloc&) {
        CHECK(f.numbers() == before);
      }
      f.memory.never_fail();
      CHECK(addresses(f, 16) == where);
      CHECK(f.pool.check_invariants() == "");
      CHECK(f.gives_all_back());
    }
    CHECK(nth > 4);
    CHECK(scope.clean());
  }
}

}  // namespace strata::test::sparse_pool_stable_test
