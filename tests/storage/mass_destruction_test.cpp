#include "../../storage/mass_destruction.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "rows_fixture.hpp"

namespace strata::test::mass_destruction_test {

using namespace detail;

TEST_SUITE("storage/mass_destruction") {
  TEST_CASE_FIXTURE(RowsFixture, "a run that is a whole table leaves no block") {
    const CountedScope scope;
    Archetype& archetype = this->archetype<Counted>();
    std::vector<Entity> entities;
    for (int i = 0; i < 50; ++i) entities.push_back(create(archetype, i));
    const Table& table = this->table(archetype);
    MassDestruction(store).destroy_run(store.slots().find(entities[0]), 50);
    store.change_ended();  // Values die last.
    CHECK(table.empty());
    CHECK(table.first_block() == nullptr);
    for (const Entity entity : entities) CHECK(!store.alive(entity));
    CHECK(scope.clean());
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(RowsFixture, "runs that are parts of a table leave its other rows") {
    const CountedScope scope;
    Archetype& archetype = this->archetype<Counted>();
    std::vector<Entity> entities;
    for (int i = 0; i < 50; ++i) entities.push_back(create(archetype, i));
    for (const auto& [row, count] : {std::pair{40u, 9u}, std::pair{10u, 30u}, std::pair{0u, 10u}}) {
      MassDestruction(store).destroy_run(store.slots().find(entities[row]), count);
      for (std::uint32_t i = row; i < row + count; ++i) CHECK_FALSE(store.alive(entities[i]));
    }
    store.change_ended();  // Values die last.
    CHECK(number(entities[49]) == 49);
    CHECK(table(archetype).row_count() == 1);
    CHECK(store.check_invariants().empty());
    store.destroy(entities[49]);
    CHECK(scope.clean());
  }
}

}  // namespace strata::test::mass_destruction_test
