#include <doctest/doctest.h>

#include <cstdint>
#include <new>

#include "rows_fixture.hpp"

namespace strata::test::swap_space_test {

using namespace detail;

TEST_SUITE("storage/swap_space") {
  TEST_CASE_FIXTURE(RowsFixture, "an exchange moves every value, and ends or copies none") {
    const CountedScope scope;
    Archetype& archetype = this->archetype<Counted, Health, Frozen>();
    const Entity first = create(archetype, 1);
    const Entity second = create(archetype, 2);
    const Place a = store.slots().find(first);
    const Place b = store.slots().find(second);
    SwapSpace space(&memory);
    space.reserve(archetype.format());
    memory.fail_at(1);
    space.swap_values(a, b);
    memory.never_fail();
    CHECK(number(first) == 2);
    CHECK(number(second) == 1);
    CHECK(archetype.format().entities(*a.block)[a.row] == first);
    store.destroy(first);
    store.destroy(second);
    CHECK(scope.clean());
  }
  TEST_CASE_FIXTURE(RowsFixture, "memory that is on loan stays as it is while more is reserved") {
    SwapSpace space(&memory);
    space.reserve(8, 8);
    {
      const SwapSpace::Loan loan(space);
      ::new (loan.value()) std::uint64_t(7);
      space.reserve(8, 8);
      CHECK(space.value() == nullptr);
      space.reserve(64, 16);
      CHECK(space.value() != nullptr);
      CHECK(*static_cast<std::uint64_t*>(loan.value()) == 7);
    }
    const std::size_t before = memory.allocations();
    space.reserve(64, 16);
    void* const value = space.value();
    { const SwapSpace::Loan loan(space); }
    CHECK(space.value() == value);
    CHECK(memory.allocations() == before);
  }
  TEST_CASE_FIXTURE(RowsFixture, "room for a swap is taken once, and grows with the widest value") {
    SwapSpace space(&memory);
    space.reserve(this->archetype<Health>().format());
    const Archetype& wide = this->archetype<Health, Wide>();
    const Archetype& huge = this->archetype<Huge>();
    CHECK(sweep_out_of_memory(
              memory, [&] { space.reserve(wide.format()); }, [] {}) == 1);
    CHECK(sweep_out_of_memory(
              memory, [&] { space.reserve(huge.format()); }, [] {}) == 1);
    const std::size_t before = memory.allocations();
    space.reserve(wide.format());
    CHECK(memory.allocations() == before);
    CHECK(memory.complaint().empty());
  }
}

}  // namespace strata::test::swap_space_test
