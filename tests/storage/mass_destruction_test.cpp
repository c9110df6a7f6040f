#include "../../storage/mass_destruction.hpp"

#include <doctest/doctest.h>

#include <array>
#include <utility>
#include <vector>

#include "rows_fixture.hpp"

namespace strata::test::mass_destruction_test {

using namespace detail;

TEST_SUITE("storage/mass_destruction") {
  TEST_CASE_FIXTURE(RowsFixture,
                    "tables that all of their rows leave are taken one by one, the last announced first") {
    const std::array<Entity, 3> entities{create(archetype<Health>()), create(archetype<Health, Frozen>()),
                                         create(archetype<Counted>(), 1)};
    const auto table_with = [&](std::size_t i) -> Table& {
      return table_of(*store.slots().find(entities[i]).block);
    };
    MassDestruction mass(store);
    const Entity stays = create(archetype<Health, Frozen>());
    for (std::size_t i = 0; i < entities.size(); ++i) mass.announced().reserve(table_with(i));
    CHECK(mass.announced().rows() == 2);
    CHECK(PendingTableClears::all_leave(table_with(0)));
    CHECK_FALSE(PendingTableClears::all_leave(table_with(1)));
    CHECK(mass.announced().take() == &table_with(2));
    CHECK(mass.announced().rows() == 1);
    CHECK(mass.announced().take() == &table_with(0));
    CHECK(mass.announced().take() == nullptr);
    CHECK(mass.announced().rows() == 0);
    for (std::size_t i = 0; i < entities.size(); ++i) PendingTableClears::forget(table_with(i));
    CHECK_FALSE(PendingTableClears::all_leave(table_with(0)));
    CHECK(store.alive(stays));
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(RowsFixture, "a table that all of its rows leave is emptied at once") {
    const CountedScope scope;
    MassDestruction mass(store);
    Archetype& archetype = this->archetype<Counted>();
    std::vector<Entity> entities;
    for (int i = 0; i < 50; ++i) entities.push_back(create(archetype, i));
    Table& table = this->table(archetype);
    for (const Entity entity : entities)
      mass.announced().reserve(table_of(*store.slots().find(entity).block));
    CHECK(mass.announced().rows() == 50);
    mass.announced().unchain();
    mass.destroy_run(store.slots().find(entities[7]), 1);
    store.change_ended();  // Values die last.
    CHECK(table.empty());
    CHECK(table.first_block() == nullptr);
    for (const Entity entity : entities) CHECK(!store.alive(entity));
    CHECK(scope.clean());
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(RowsFixture, "a table that some of its rows leave keeps the others") {
    const CountedScope scope;
    MassDestruction mass(store);
    Archetype& archetype = this->archetype<Counted>();
    std::vector<Entity> entities;
    for (int i = 0; i < 50; ++i) entities.push_back(create(archetype, i));
    for (std::size_t i = 0; i < 49; ++i)
      mass.announced().reserve(table_of(*store.slots().find(entities[i]).block));
    CHECK(mass.announced().rows() == 0);
    for (const auto& [row, count] : {std::pair{40u, 9u}, std::pair{10u, 30u}, std::pair{0u, 10u}}) {
      mass.destroy_run(store.slots().find(entities[row]), count);
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
