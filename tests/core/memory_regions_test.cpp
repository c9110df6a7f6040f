#include "../../core/memory_regions.hpp"

#include <doctest/doctest.h>

#include <array>
#include <new>

#include "../support/failing_memory.hpp"

namespace strata::test::memory_regions_test {

using namespace detail;

TEST_SUITE("core/memory_regions") {
  TEST_CASE("an address is contained from the first byte of a region up to its last") {
    const std::array<std::byte, 64> memory{};
    MemoryRegions regions(std::pmr::new_delete_resource());
    CHECK_FALSE(regions.contains(memory.data()));
    regions.add(memory.data() + 8, 16);
    regions.add(memory.data() + 32, 8);
    CHECK_FALSE(regions.contains(memory.data() + 7));
    CHECK(regions.contains(memory.data() + 8));
    CHECK(regions.contains(memory.data() + 23));
    CHECK_FALSE(regions.contains(memory.data() + 24));
    CHECK(regions.contains(memory.data() + 39));
    CHECK_FALSE(regions.contains(memory.data() + 40));
    CHECK_FALSE(regions.contains(nullptr));
    CHECK(regions.bytes() == 24);
  }

  TEST_CASE("a range of addresses covers all memory that it was extended by") {
    const std::array<std::byte, 64> memory{};
    AddressRange range;
    CHECK_FALSE(range.contains(memory.data()));
    CHECK_FALSE(range.contains(nullptr));
    range.extend(memory.data() + 32, 8);
    range.extend(memory.data() + 8, 8);
    CHECK_FALSE(range.contains(memory.data() + 7));
    CHECK(range.contains(memory.data() + 8));
    CHECK(range.contains(memory.data() + 39));
    CHECK_FALSE(range.contains(memory.data() + 40));
  }

  TEST_CASE("a region that was removed contains nothing") {
    const std::array<std::byte, 64> memory{};
    MemoryRegions regions(std::pmr::new_delete_resource());
    regions.add(memory.data(), 16);
    regions.add(memory.data() + 16, 16);
    regions.remove(memory.data());
    CHECK_FALSE(regions.contains(memory.data() + 15));
    CHECK(regions.contains(memory.data() + 16));
    CHECK(regions.size() == 1);
  }

  TEST_CASE("a region for which memory runs out is not added") {
    const std::array<std::byte, 16> place{};
    FailingMemory memory;
    MemoryRegions regions(&memory);
    memory.fail_at(1);
    CHECK_THROWS_AS(regions.add(place.data(), place.size()), std::bad_alloc);
    CHECK_FALSE(regions.contains(place.data()));
    CHECK(regions.size() == 0);
  }
}

}  // namespace strata::test::memory_regions_test
