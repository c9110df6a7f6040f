#include "../../core/type_numbers.hpp"

#include <doctest/doctest.h>

#include <cstdint>

#include "../support/failing_memory.hpp"

namespace strata::test::type_numbers_test {

using namespace detail;

namespace {

struct One {};
struct Other {};

using Table = detail::TypeTable<std::uint32_t, 99>;

}  // namespace

TEST_SUITE("core/type_numbers") {
  TEST_CASE("types have different numbers, in the range of this copy of the library") {
    const detail::TypeNumber one = detail::type_number_of<One>();
    CHECK(one == detail::type_number<One>);
    CHECK(one != detail::type_number_of<Other>());
    CHECK(one - detail::first_type_number() < detail::kMostTypes);
    CHECK(detail::first_type_number() != 0);
  }
  TEST_CASE("a table has a value for each type that was given one") {
    Table table(std::pmr::new_delete_resource());
    const detail::TypeNumber first = detail::first_type_number();
    CHECK(table.find(first + 5) == 99);
    REQUIRE(table.counts(first + 5));
    table.reserve(first + 5);
    CHECK(table.find(first + 5) == 99);
    table.set(first + 5, 7);
    CHECK(table.find(first + 5) == 7);
    CHECK(table.find(first + 4) == 99);
    CHECK(table.values().size() == 6);
  }
  TEST_CASE("a table has no value for types that another copy of the library counted, nor for number 0") {
    Table table(std::pmr::new_delete_resource());
    const detail::TypeNumber first = detail::first_type_number();
    table.reserve(first);
    table.set(first, 7);
    for (const detail::TypeNumber number :
         {detail::TypeNumber{0}, first - 1, first - detail::kMostTypes, first + detail::kMostTypes}) {
      CHECK(!table.counts(number));
      CHECK(table.find(number) == 99);
    }
  }
  TEST_CASE("a table that finds no memory stays as it was") {
    FailingMemory memory;
    Table table(&memory);
    const detail::TypeNumber first = detail::first_type_number();
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { table.reserve(first + 10); }, [&] { CHECK(table.values().empty()); });
    CHECK(failures == 1);
    CHECK(table.find(first + 10) == 99);
  }
}

}  // namespace strata::test::type_numbers_test
