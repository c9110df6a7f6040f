#include "../../storage/rows/removed_values.hpp"

#include <doctest/doctest.h>

#include "rows_fixture.hpp"

namespace strata::test::removed_values_test {

using namespace detail;

TEST_SUITE("storage/removed_values") {
  TEST_CASE_FIXTURE(RowsFixture, "a value without a column in the new format is destroyed later, once") {
    const CountedScope scope;
    Archetype& from = this->archetype<Counted, Health>();
    const Archetype& to = this->archetype<Health>();
    RemovedValues removed(&memory);
    removed.reserve(from.format());
    Counted value(7);
    const ComponentId id = store.registry().id_of<Counted>();
    for (const Column& column : from.format().columns()) {
      if (column.id == id) removed.take(column, &value);
    }
    ::new (&value) Counted(8);  // The first value has been moved out.
    memory.fail_at(1);
    CHECK(removed.mark_moved(from.format(), to.format()));
    CHECK_FALSE(scope.clean());
    removed.destroy();
    removed.destroy();
    memory.never_fail();
    value.~Counted();
    CHECK(scope.clean());
    ::new (&value) Counted(9);
  }
  TEST_CASE_FIXTURE(RowsFixture, "plain values and values that keep a column leave nothing to destroy") {
    const CountedScope scope;
    RemovedValues removed(&memory);
    const Archetype& both = this->archetype<Counted, Health>();
    const Archetype& counted = this->archetype<Counted>();
    removed.reserve(both.format());
    CHECK_FALSE(removed.mark_moved(both.format(), counted.format()));
    CHECK_FALSE(removed.mark_moved(counted.format(), both.format()));
    removed.destroy();
    CHECK(scope.clean());
  }
  TEST_CASE_FIXTURE(RowsFixture, "without memory for the values, nothing has changed") {
    RemovedValues removed(&memory);
    const Archetype& huge = this->archetype<Huge, Counted>();
    CHECK(sweep_out_of_memory(
              memory, [&] { removed.reserve(huge.format()); }, [] {}) == 1);
    CHECK(memory.complaint().empty());
  }
}

}  // namespace strata::test::removed_values_test
