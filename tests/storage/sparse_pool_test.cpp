#include "../../storage/side_store/pool_removal.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <vector>

#include "../../core/contract.hpp"
#include "pool_fixture.hpp"

namespace strata::test::sparse_pool_test {

using namespace detail;

TEST_SUITE("storage/sparse_pool") {
  TEST_CASE("a member is found by its whole handle") {
    PoolFixture<Health> f;
    f.insert(Entity(9000, 1), 90);
    f.insert(Entity(5, 2), 50);
    CHECK(f.pool.find(Entity(5, 2)) == f.pool.value_at(1));
    CHECK(f.pool.position_of(Entity(9000, 1)) == 0);
    for (const Entity stranger : {Entity(5, 1), Entity(5, 3), Entity(6, 1), Entity(), Entity(5, 0),
                                  Entity(5000, 1), Entity(0xFFFF'FFFF, 1)}) {
      CAPTURE(stranger);
      CHECK(!f.pool.contains(stranger));
      CHECK(f.pool.find(stranger) == nullptr);
      CHECK(f.pool.position_of(stranger) == SparsePool::kAbsent);
      CHECK(!f.pool.erase(stranger));
    }
    CHECK(f.pool.insert(Entity(5, 2)).existed);
    CHECK(f.numbers() == std::vector{90, 50});
  }
  TEST_CASE("a handle is refused while another one of its index is a member, and so is none") {
    PoolFixture<Health> f;
    f.insert(Entity(5, 2), 50);
    CHECK_THROWS_WITH_AS(
        f.pool.insert(Entity(5, 3)),
        "the pool of \"strata::test::Health\" cannot take 5v3: erase 5v2 first, which has its index",
        ContractViolation);
    CHECK_THROWS_AS(f.pool.insert(Entity()), ContractViolation);
    CHECK(f.numbers() == std::vector{50});
    CHECK(f.pool.check_invariants() == "");
  }
  TEST_CASE("erase moves the last member into the hole") {
    PoolFixture<Health> f;
    f.insert_range(0, 4);
    CHECK(f.pool.erase(Entity(1, 1)));
    CHECK(f.members() == std::vector{Entity(0, 1), Entity(3, 1), Entity(2, 1)});
    CHECK(f.numbers() == std::vector{0, 3, 2});
    CHECK(f.pool.find(Entity(3, 1)) == f.pool.value_at(1));
  }
  TEST_CASE("a value stays where it is while the pool grows") {
    PoolFixture<Health> f;
    f.insert(Entity(70'000, 1), -1);
    const void* const first = f.pool.find(Entity(70'000, 1));
    f.insert_range(0, 20'000);
    CHECK(f.pool.find(Entity(70'000, 1)) == first);
    CHECK(f.number_at(0) == -1);
    CHECK(f.pool.check_invariants() == "");
  }
  TEST_CASE("pages are given back with their last member, but for one spare of each kind") {
    PoolFixture<Bulky> f;
    constexpr std::size_t kArrays = 5;  // And the room through which values are exchanged.
    for (std::uint32_t i = 0; i < 10; ++i) f.insert(Entity(i * PoolOptions{}.entries_per_page, 1), 0);
    CHECK(f.memory.blocks() == kArrays + 10 + 5);
    for (std::uint32_t i = 0; i < 6; ++i) f.pool.erase(Entity(i * PoolOptions{}.entries_per_page, 1));
    CHECK(f.memory.blocks() == kArrays + (4 + 1) + (2 + 1));
    f.pool.clear();
    CHECK(f.memory.blocks() == kArrays + 4 + 1);
    CHECK(f.pool.check_invariants() == "");
    f.pool.clear();
    CHECK(f.memory.blocks() == kArrays + 0 + 1);
    CHECK(f.pool.check_invariants() == "");
    CHECK(f.gives_all_back());
  }
  TEST_CASE(
      "members that come again after each clear cost no allocation, and pages they left are given back") {
    PoolFixture<Health> f;
    const auto fill = [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t page = begin; page < end; ++page) f.insert(Entity(page * 5000, 1), 1);
    };
    fill(0, 8);
    const std::size_t allocations = f.memory.allocations();
    const std::size_t blocks = f.memory.blocks();
    for (int i = 0; i < 3; ++i) {
      f.pool.clear();
      fill(0, 8);
    }
    CHECK(f.memory.allocations() == allocations);
    f.pool.clear();
    fill(2, 4);
    CHECK(f.pool.erase(Entity(15'000, 1)));
    CHECK(f.pool.check_invariants() == "");
    f.pool.clear();
    CHECK(f.memory.blocks() == blocks - 7);
    CHECK(f.pool.check_invariants() == "");
  }
  TEST_CASE("a member that comes and goes at the edge of a page costs no allocation") {
    PoolFixture<Bulky> f;
    for (std::uint32_t before = 0; before < 3; ++before) {
      const Entity guest(50'000, 1);
      f.insert(guest, 0);
      const std::size_t allocations = f.memory.allocations();
      for (int i = 0; i < 5; ++i) {
        f.pool.erase(guest);
        f.insert(guest, i);
      }
      CHECK(f.memory.allocations() == allocations);
      f.pool.erase(guest);
      f.insert(Entity(before, 1), 0);
    }
  }
  TEST_CASE_TEMPLATE("values of every kind survive insert, erase and sort", T, Counted, Wide, Owner, Huge,
                     Bulky) {
    const CountedScope scope;
    PoolFixture<T> f;
    f.insert_range(0, 600);
    for (std::uint32_t i = 0; i < 600; i += 3) CHECK(f.pool.erase(Entity(i, 1)));
    f.pool.sort([](Entity a, Entity b) { return a > b; });
    REQUIRE(f.pool.size() == 400);
    for (std::uint32_t i = 0; i < 400; ++i) CHECK(f.number_at(i) == static_cast<int>(f.members()[i].index()));
    CHECK(f.members()[0] == Entity(599, 1));
    CHECK(f.pool.check_invariants() == "");
    SUBCASE("clear destroys them all") {
      f.pool.clear();
    }
    SUBCASE("the pool's end destroys them all") {
      CHECK(f.gives_all_back());
    }
    CHECK(scope.clean());
  }
  TEST_CASE("a tag has members and order, and no values") {
    PoolFixture<Frozen> f;
    for (std::uint32_t i = 0; i < 5; ++i) CHECK(f.pool.insert(Entity(i, 1)).value == nullptr);
    CHECK(f.pool.insert(Entity(3, 1)).existed);
    CHECK(f.pool.erase(Entity(1, 1)));
    CHECK(f.pool.contains(Entity(4, 1)));
    CHECK(f.pool.find(Entity(4, 1)) == nullptr);
    CHECK(f.pool.value_at(0) == nullptr);
    f.pool.sort([](Entity a, Entity b) { return a > b; });
    CHECK(f.members() == std::vector{Entity(4, 1), Entity(3, 1), Entity(2, 1), Entity(0, 1)});
    CHECK(f.pool.check_invariants() == "");
    CHECK(f.gives_all_back());
  }
  TEST_CASE("members that compare equal keep their order") {
    PoolFixture<Health> f;
    f.insert_range(0, 9);
    f.pool.sort([](Entity a, Entity b) { return a.index() % 3 < b.index() % 3; });
    CHECK(f.numbers() == std::vector{0, 3, 6, 1, 4, 7, 2, 5, 8});
  }
  TEST_CASE("a comparator that contradicts itself loses no member") {
    PoolFixture<Owner> f;
    f.insert_range(0, 100);
    f.pool.sort([](Entity, Entity) { return true; });
    int calls = 0;
    f.pool.sort([&](Entity, Entity) { return ++calls % 3 == 0; });
    f.pool.sort([](Entity a, Entity b) { return a < b; });
    CHECK(f.number_at(0) == 0);
    CHECK(f.number_at(99) == 99);
    CHECK(f.pool.check_invariants() == "");
  }
  TEST_CASE("out of memory leaves the pool as it was") {
    const CountedScope scope;
    PoolFixture<Bulky> f;
    std::vector<int> before;
    const auto unchanged = [&] {
      CHECK(f.numbers() == before);
      CHECK(f.pool.check_invariants() == "");
    };
    // The second insert takes the first one's pages, the third needs new ones of both kinds.
    std::size_t failures = 0;
    for (const std::uint32_t index : {0u, 1u, 4096u}) {
      failures += sweep_out_of_memory(
          f.memory, [&] { f.insert(Entity(index, 1), 3); }, unchanged);
      before = f.numbers();
    }
    CHECK(failures > 4);
    CHECK(sweep_out_of_memory(
              f.memory, [&] { f.pool.sort(std::greater<>()); }, unchanged) == 3);
    CHECK(f.gives_all_back());
    CHECK(scope.clean());
  }
  TEST_CASE("members whose values are not alive are abandoned") {
    const CountedScope scope;
    PoolFixture<Bulky> f;
    f.insert_range(0, 9000);
    for (std::uint32_t i = 0; i < 9000; ++i) f.component.destroy_values(f.pool.value_at(i), 1);
    f.pool.abandon();
    CHECK(f.pool.size() == 0);
    CHECK(!f.pool.contains(Entity(4, 1)));
    CHECK(f.pool.check_invariants() == "");
    f.insert_range(0, 3);
    CHECK(f.numbers() == std::vector{0, 1, 2});
    CHECK(f.gives_all_back());
    CHECK(scope.clean());
  }
  TEST_CASE("shrink gives back what no member needs, and values stay where they are") {
    PoolFixture<Health> f;
    f.insert_range(0, 20'000);
    const std::size_t most = f.memory.bytes();
    CHECK(f.pool.memory_use().reserved == most);
    CHECK(f.pool.memory_use().used == 20'000 * (8 + 4 + 4));
    for (std::uint32_t i = 3; i < 20'000; ++i) f.pool.erase(Entity(i, 1));
    const void* const first = f.pool.find(Entity(0, 1));
    f.pool.shrink();
    CHECK(f.pool.find(Entity(0, 1)) == first);
    CHECK(f.numbers() == std::vector{0, 1, 2});
    CHECK(f.memory.bytes() < most / 10);
    CHECK(f.pool.memory_use().reserved == f.memory.bytes());
    CHECK(f.pool.check_invariants() == "");
    f.pool.clear();
    f.pool.shrink();
    CHECK(f.memory.bytes() == 0);
    f.insert_range(0, 100);
    CHECK(f.pool.check_invariants() == "");
  }
  TEST_CASE(
      "members are visited front to back, in the order in which they were inserted, if none was erased") {
    for (const Removal removal : {Removal::swap_and_pop, Removal::stable}) {
      PoolFixture<Health> f({.removal = removal, .entries_per_page = 64, .value_page_bytes = 64});
      std::vector<Entity> inserted;
      for (std::uint32_t i = 0; i < 1000; ++i) {
        inserted.emplace_back(i * 7919 % 1009, 1);
        f.insert(inserted.back(), static_cast<int>(i));
      }
      CHECK(f.members() == inserted);
      for (std::uint32_t i = 0; i < 1000; ++i) CHECK(f.number_at(i) == static_cast<int>(i));
      for (std::uint32_t i = 1; i < 1000; ++i) {
        if (f.pool.values_together(i - 1) > 1) {
          CHECK(static_cast<Health*>(f.pool.value_at(i - 1)) + 1 == f.pool.value_at(i));
        }
      }
    }
  }
  TEST_CASE("pages are given back with their last member, whatever their size and the way of removal") {
    for (const Removal removal : {Removal::swap_and_pop, Removal::stable}) {
      for (const std::uint32_t entries : {64u, 1024u, 65'536u}) {
        for (const std::uint32_t bytes : {64u, 4096u, 65'536u}) {
          PoolFixture<Health> f({.removal = removal, .entries_per_page = entries, .value_page_bytes = bytes});
          f.insert_range(0, 3000);
          CHECK(f.pool.memory_use().reserved == f.memory.bytes());
          const std::size_t most = f.memory.bytes();
          for (std::uint32_t i = 0; i < 2999; ++i) CHECK(f.pool.erase(Entity(i, 1)));
          CHECK(f.pool.check_invariants() == "");
          CHECK(f.memory.bytes() <= most);
          if (entries == 64 && bytes == 64) CHECK(f.memory.bytes() < most - 3000 * 4);
          f.pool.shrink();
          CHECK(f.pool.check_invariants() == "");
          CHECK(f.pool.memory_use().reserved == f.memory.bytes());
          CHECK(f.numbers() == std::vector{2999});
          f.pool.clear();
          f.pool.shrink();
          CHECK(f.memory.bytes() == 0);
        }
      }
    }
  }
}

}  // namespace strata::test::sparse_pool_test
