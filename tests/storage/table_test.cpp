#include "../../storage/tables/table.hpp"

#include <doctest/doctest.h>

#include "../../storage/store.hpp"
#include "../support/components.hpp"

namespace strata::test::table_test {

using namespace detail;

TEST_SUITE("storage/table") {
  TEST_CASE("a block leads to the table of its rows") {
    Store store(std::pmr::new_delete_resource());
    const Place place = store.create_row(store.archetypes().empty(), store.tables().root()).place;
    const Table& table = table_of(*place.block);
    CHECK(&table.archetype() == &store.archetypes().empty());
    CHECK(&table.branch() == &store.tables().root());
    CHECK(table.first_block() == place.block);
    CHECK(table.row_count() == 1);
    CHECK(table.check_invariants(true).empty());
  }
  TEST_CASE("the tables of a branch are linked") {
    Store store(std::pmr::new_delete_resource());
    Branch& root = store.tables().root();
    const ComponentId position = store.registry().id_of<Position>();
    store.tables().get(store.archetypes().empty(), root);
    store.tables().get(store.archetypes().with(store.archetypes().empty(), position), root);
    std::size_t tables = 0;
    for (const Table* table = root.first_table; table != nullptr; table = table->next_in_branch()) ++tables;
    CHECK(tables == 2);
  }
  TEST_CASE("blocks carry the label of their branch, also those that replace a smaller one") {
    Store store(std::pmr::new_delete_resource());
    Branch& branch = store.tables().create_branch(2, 42);
    const Table& table = store.tables().get(store.archetypes().empty(), branch);
    for (int i = 0; i < 20'000; ++i) store.create_row(store.archetypes().empty(), branch);
    CHECK(table.block_count() > 1);
    for (const Block* block = table.first_block(); block != nullptr; block = block->next) {
      CHECK(block->label == 42);
      CHECK(block->owner == &table);
    }
  }
  TEST_CASE("a table has the rank of its branch") {
    Store store(std::pmr::new_delete_resource());
    Branch& branch = store.tables().create_branch(3, 0);
    const Table& table = store.tables().get(store.archetypes().empty(), branch);
    CHECK(table.rank() == 3);
    store.tables().reserve_rank(branch, 5);
    store.tables().set_rank(branch, 5);
    CHECK(table.rank() == 5);
    CHECK(table.empty());
  }
}

}  // namespace strata::test::table_test
