#include "../../core/component_table.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <vector>

#include "../support/failing_memory.hpp"

namespace strata::test::component_table_test {

using namespace detail;

TEST_SUITE("core/component_table") {
  TEST_CASE("an empty table finds nothing and needs no memory") {
    FailingMemory memory;
    const ComponentTable<std::uint32_t> table(&memory);
    CHECK(table.empty());
    CHECK(table.find(ComponentId{0}) == nullptr);
    CHECK(table.find(ComponentId{0xFFFF'FFFF}) == nullptr);
    CHECK(memory.allocations() == 0);
    CHECK(table.memory_use() == MemoryUse{});
  }
  TEST_CASE("a table behaves like a map, whatever the distances of ids") {
    for (const std::uint32_t distance : {1u, 64u, 4096u, 0x0100'0000u}) {
      FailingMemory memory;
      ComponentTable<std::uint32_t> table(&memory);
      std::map<std::uint32_t, std::uint32_t> model;
      std::mt19937 random(distance);
      for (int turn = 0; turn < 200; ++turn) {
        const std::uint32_t index = random() % 250 * distance;
        if (model.contains(index)) continue;
        table.insert(ComponentId{index}, index + 1);
        model[index] = index + 1;
        REQUIRE(table.size() == model.size());
        REQUIRE(table.memory_use().reserved == memory.bytes());
        REQUIRE(table.memory_use().reserved <= 8 * (4 * model.size() + 2));
      }
      for (std::uint32_t i = 0; i < 250; ++i) {
        const std::uint32_t* const found = table.find(ComponentId{i * distance});
        REQUIRE((found != nullptr) == model.contains(i * distance));
        if (found != nullptr) CHECK(*found == i * distance + 1);
      }
      CHECK(table.find(ComponentId{0xFFFF'FFFF}) == nullptr);
      std::map<std::uint32_t, std::uint32_t> visited;
      table.for_each([&](ComponentId id, std::uint32_t value) { visited[to_index(id)] = value; });
      CHECK(visited == model);
    }
  }
  TEST_CASE("out of memory leaves a table as it was") {
    FailingMemory memory;
    ComponentTable<std::uint32_t> table(&memory);
    for (std::uint32_t i = 0; i < 20; ++i) {
      sweep_out_of_memory(
          memory, [&] { table.insert(ComponentId{i}, i); },
          [&] {
            CHECK(table.size() == i);
            for (std::uint32_t known = 0; known < i; ++known) CHECK(*table.find(ComponentId{known}) == known);
          });
    }
    CHECK(table.size() == 20);
    CHECK(memory.complaint().empty());
  }
}

}  // namespace strata::test::component_table_test
