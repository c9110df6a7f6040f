#include "../../storage/side_store/value_slots.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"

namespace strata::test::value_slots_test {

using namespace detail;

namespace {

// Four values to a page.
struct SlotsFixture {
  FailingMemory memory;
  ComponentInfo component = described();
  ValuePages values{component, &memory};
  ValueSlots slots{values, &memory};

  static ComponentInfo described() {
    ComponentInfo description = describe<Wide>();
    description.pool.value_page_bytes = 256;
    return description;
  }
  std::uint32_t push() {
    if (slots.size() == values.rows()) slots.reserve_page();
    slots.reserve(64);
    return slots.push();
  }
  void push_many(int count) {
    while (count-- > 0) push();
  }
  void erase(std::uint32_t position) {
    const std::uint32_t row = slots.row_of(position);
    slots.set(position, slots.row_of(static_cast<std::uint32_t>(slots.size() - 1)));
    slots.pop(row);
    CHECK(slots.check_invariants() == "");
  }
};

}  // namespace

TEST_SUITE("storage/value_slots") {
  TEST_CASE("rows are taken in order, and one that was left is taken next") {
    SlotsFixture f;
    for (std::uint32_t i = 0; i < 6; ++i) CHECK(f.push() == i);
    f.erase(1);
    CHECK(f.slots.row_of(1) == 5);
    CHECK(f.push() == 1);
    f.erase(2);
    f.erase(0);
    CHECK(f.push() == 0);
    CHECK(f.push() == 2);
    CHECK(f.slots.check_invariants() == "");
  }
  TEST_CASE("a page in the middle is given back with its last value, but for one spare, and used again") {
    SlotsFixture f;
    f.push_many(16);
    for (const std::uint32_t row : {4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u}) {
      std::uint32_t position = 0;
      while (f.slots.row_of(position) != row) ++position;
      f.erase(position);
    }
    CHECK(f.values.made() == 3);
    CHECK(f.values.has_memory(1));
    CHECK(!f.values.has_memory(2));
    const std::size_t allocations = f.memory.allocations();
    f.push_many(4);
    CHECK(f.memory.allocations() == allocations);
    CHECK(f.slots.check_invariants() == "");
    f.push_many(1);
    CHECK(f.values.size() == 4);
    CHECK(f.memory.allocations() == allocations + 1);
    CHECK(f.slots.check_invariants() == "");
  }
  TEST_CASE("compact puts n values into the first n rows, moving none of those that are there") {
    SlotsFixture f;
    f.push_many(16);
    for (std::uint32_t position = 10; position > 0; --position) f.erase(position - 1);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> moves;
    const std::size_t moved = f.slots.compact(
        [&](std::uint32_t, std::uint32_t from, std::uint32_t to) { moves.emplace_back(from, to); });
    CHECK(moved == moves.size());
    CHECK(f.slots.check_invariants() == "");
    CHECK(f.values.size() == 2);
    CHECK(f.values.made() == 2);
    std::vector<bool> used(6);
    for (std::uint32_t position = 0; position < 6; ++position) used.at(f.slots.row_of(position)) = true;
    CHECK(used == std::vector<bool>(6, true));
    for (const auto& [from, to] : moves) CHECK((from >= 6 && to < 6));
    CHECK(f.slots.compact(
              [](std::uint32_t, std::uint32_t, std::uint32_t) { FAIL("nothing is to be moved"); }) == 0);
  }
  TEST_CASE("shrink and clear give back what no value is in") {
    SlotsFixture f;
    f.push_many(16);
    for (int i = 0; i < 9; ++i) f.erase(static_cast<std::uint32_t>(f.slots.size() - 1));
    f.slots.shrink();
    CHECK(f.slots.check_invariants() == "");
    CHECK(f.values.size() == 2);
    f.slots.clear();
    CHECK(f.slots.check_invariants() == "");
    CHECK(f.values.made() == 1);
    CHECK(f.push() == 0);
    f.erase(0);
    f.slots.shrink();
    CHECK(f.values.size() == 0);
    CHECK(f.slots.check_invariants() == "");
  }
  TEST_CASE("out of memory makes no page") {
    SlotsFixture f;
    const std::size_t failures = sweep_out_of_memory(
        f.memory, [&] { f.slots.reserve_page(); },
        [&] {
          CHECK(f.slots.check_invariants() == "");
          CHECK(f.values.made() == 0);
        });
    CHECK(failures >= 2);
    CHECK(f.values.made() == 1);
  }
}

}  // namespace strata::test::value_slots_test
