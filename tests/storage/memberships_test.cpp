#include "../../storage/side_store/memberships.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "../support/failing_memory.hpp"

namespace strata::test::memberships_test {

using namespace detail;

namespace {

std::vector<std::uint32_t> take(Memberships& joined, std::uint32_t index) {
  std::vector<std::uint32_t> pools;
  joined.take(index, [&](std::uint32_t pool) { pools.push_back(pool); });
  return pools;
}

}  // namespace

TEST_SUITE("storage/memberships") {
  TEST_CASE("an index answers once with the pools that were added, in their order") {
    Memberships joined(std::pmr::new_delete_resource());
    joined.reserve_pools(130);
    joined.hold(0, 4096);
    for (const std::uint32_t pool : {129u, 3u, 64u, 3u}) joined.add(1024, Memberships::Mark(pool));
    joined.add(1025, Memberships::Mark(0));
    CHECK(joined.contains(1024, Memberships::Mark(64)));
    CHECK(!joined.contains(1024, Memberships::Mark(65)));
    CHECK(!joined.contains(5000, Memberships::Mark(64)));
    joined.remove(1024, Memberships::Mark(64));
    CHECK(take(joined, 1024) == std::vector{3u, 129u});
    CHECK(take(joined, 1024).empty());
    CHECK(take(joined, 1025) == std::vector{0u});
    CHECK(take(joined, 0xFFFF'FFFF).empty());
    CHECK(joined.check_invariants() == "");
  }
  TEST_CASE("what was recorded stays as pools are added, whatever the number of words becomes") {
    Memberships joined(std::pmr::new_delete_resource());
    joined.reserve_pools(1);
    joined.hold(2048, 1);
    for (std::uint32_t pool = 0; pool < 400; ++pool) {
      joined.reserve_pools(pool + 1);
      if (pool % 50 == 3) joined.add(2048 + pool, Memberships::Mark(pool));
      joined.add(2048, Memberships::Mark(pool));
      CHECK(joined.check_invariants() == "");
    }
    CHECK(take(joined, 2048).size() == 400);
    for (std::uint32_t pool = 3; pool < 400; pool += 50)
      CHECK(take(joined, 2048 + pool) == std::vector{pool});
  }
  TEST_CASE("shrink gives back what is not in use") {
    FailingMemory memory;
    Memberships joined(&memory);
    joined.reserve_pools(10);
    joined.hold(0, 64);
    joined.hold(64, 64);
    joined.hold(8192, 4096);
    joined.add(70, Memberships::Mark(9));
    CHECK(joined.memory_use().reserved == memory.bytes());
    joined.release(0, 64);
    joined.release(8192, 4096);
    joined.shrink();
    CHECK(joined.memory_use().reserved == memory.bytes());
    CHECK(memory.bytes() < 9000);
    CHECK(take(joined, 70) == std::vector{9u});
    joined.release(64, 64);
    joined.shrink();
    CHECK(memory.bytes() == 0);
    CHECK(joined.check_invariants() == "");
  }
  TEST_CASE("out of memory leaves everything as it was recorded") {
    FailingMemory memory;
    {
      Memberships joined(&memory);
      joined.reserve_pools(64);
      std::size_t failures = sweep_out_of_memory(
          memory, [&] { joined.hold(0, 2048); }, [&] { CHECK(joined.check_invariants() == ""); });
      CHECK(failures >= 3);
      joined.add(7, Memberships::Mark(63));
      joined.add(1500, Memberships::Mark(1));
      failures = sweep_out_of_memory(
          memory, [&] { joined.reserve_pools(65); },
          [&] {
            CHECK(joined.contains(7, Memberships::Mark(63)));
            CHECK(joined.check_invariants() == "");
          });
      CHECK(failures == 3);
      CHECK(take(joined, 7) == std::vector{63u});
      CHECK(take(joined, 1500) == std::vector{1u});
    }
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint() == "");
  }
}

}  // namespace strata::test::memberships_test
