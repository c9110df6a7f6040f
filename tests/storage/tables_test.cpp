#include "../../storage/tables/tables.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "../../storage/store.hpp"
#include "../support/components.hpp"
#include "../support/failing_memory.hpp"

namespace strata::test::tables_test {

using namespace detail;

namespace {

struct Fixture {
  FailingMemory memory;
  Store store{&memory};
  Tables& tables = store.tables();
  Archetype& empty = store.archetypes().empty();

  Entity create(Branch& branch) { return store.create_row(empty, branch).entity; }
  std::size_t tables_at(std::uint32_t rank) const { return empty.at_rank(rank).size(); }
  bool sound() const { return store.check_invariants().empty(); }
};

}  // namespace

TEST_SUITE("storage/tables") {
  TEST_CASE_FIXTURE(Fixture, "one key has one table, another branch another") {
    Branch& branch = tables.create_branch(1, 0);
    Table& table = tables.get(empty, branch);
    CHECK(&tables.get(empty, branch) == &table);
    CHECK(&tables.get(empty, tables.root()) != &table);
    CHECK(&tables.get(empty, branch) == &table);
    CHECK(tables.size() == 2);
    CHECK(sound());
  }
  TEST_CASE_FIXTURE(Fixture, "a table is listed under its rank exactly while it has rows") {
    Branch& branch = tables.create_branch(2, 0);
    const Entity entity = create(branch);
    CHECK(tables_at(2) == 1);
    store.destroy(entity);
    CHECK(tables_at(2) == 0);
    CHECK(tables.find(empty, branch) != nullptr);
    CHECK(sound());
  }
  TEST_CASE_FIXTURE(Fixture, "a branch of another rank takes its tables along, rows and all") {
    Branch& branch = tables.create_branch(1, 0);
    const Entity entity = create(branch);
    const Place before = store.slots().find(entity);
    tables.reserve_rank(branch, 7);
    tables.set_rank(branch, 7);
    CHECK(tables_at(1) == 0);
    CHECK(tables_at(7) == 1);
    CHECK(store.slots().find(entity).block == before.block);
    CHECK(sound());
  }
  TEST_CASE_FIXTURE(Fixture, "dropped branches and tables are recycled") {
    for (int i = 0; i < 100; ++i) {
      Branch& branch = tables.create_branch(1, 0);
      store.destroy(create(branch));
      tables.drop_branch(branch);
      CHECK(tables.size() == 0);
    }
    const std::size_t before = memory.bytes();
    for (int i = 0; i < 100; ++i) {
      Branch& branch = tables.create_branch(1, 0);
      store.destroy(create(branch));
      tables.drop_branch(branch);
    }
    CHECK(memory.bytes() == before);
    CHECK(sound());
  }
  TEST_CASE_FIXTURE(Fixture, "many branches are told apart") {
    std::vector<Branch*> branches;
    std::vector<Entity> entities;
    for (std::uint32_t i = 0; i < 1000; ++i) {
      branches.push_back(&tables.create_branch(i % 5, i));
      entities.push_back(create(*branches.back()));
    }
    CHECK(tables.size() == 1000);
    CHECK(tables_at(3) == 200);
    for (std::size_t i = 0; i < branches.size(); i += 2) {
      store.destroy(entities[i]);
      tables.drop_branch(*branches[i]);
    }
    CHECK(tables.size() == 500);
    CHECK(sound());
    for (std::size_t i = 1; i < branches.size(); i += 2) {
      const Table* table = tables.find(empty, *branches[i]);
      REQUIRE(table != nullptr);
      CHECK(table->branch().label == i);
      CHECK(table->row_count() == 1);
    }
  }
  TEST_CASE_FIXTURE(Fixture, "out of memory leaves the tables as they were") {
    std::vector<Archetype*> nine{&empty};
    for (int i = 0; i < 8; ++i) {
      const ComponentId tag = store.registry().add({.name = "tag " + std::to_string(i)});
      nine.push_back(&store.archetypes().with(empty, tag));
    }
    Branch& branch = tables.create_branch(3, 0);
    for (int i = 0; i < 8; ++i) tables.get(*nine[i], branch);
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { tables.get(*nine[8], branch); },
        [&] {
          CHECK(tables.size() == 8);
          CHECK(sound());
        });
    CHECK(failures > 0);
    CHECK(tables.size() == 9);
    for (const Archetype* archetype : nine) CHECK(&tables.find(*archetype, branch)->archetype() == archetype);
  }
  TEST_CASE_FIXTURE(Fixture, "tables without rows are dropped, but for those of the root branch") {
    Branch& branch = tables.create_branch(1, 0);
    Branch& other = tables.create_branch(1, 0);
    std::vector<Archetype*> archetypes{&empty};
    for (const ComponentId id : {store.registry().id_of<Position>(), store.registry().id_of<Velocity>(),
                                 store.registry().id_of<Health>(), store.registry().id_of<Name>()}) {
      const std::size_t known = archetypes.size();
      for (std::size_t i = 0; i < known; ++i) {
        archetypes.push_back(&store.archetypes().with(*archetypes[i], id));
      }
    }
    for (Archetype* archetype : archetypes) tables.get(*archetype, branch);
    tables.get(empty, tables.root());
    tables.get(empty, other);
    const Entity entity = create(branch);
    tables.drop_empty_tables(branch.number);
    tables.drop_empty_tables(other.number);
    CHECK(tables.size() == 2);
    CHECK(tables.find(empty, tables.root()) != nullptr);
    CHECK(tables.find(empty, other) == nullptr);
    CHECK(&table_of(*store.slots().find(entity).block) == tables.find(empty, branch));
    CHECK(sound());
    for (Archetype* archetype : archetypes) tables.get(*archetype, branch);
    CHECK(tables.size() == 17);
    CHECK(sound());
  }
  TEST_CASE_FIXTURE(Fixture, "shrink gives back the memory behind the last table and branch in use") {
    std::vector<Branch*> branches;
    for (std::uint32_t i = 0; i < 1000; ++i) {
      branches.push_back(&tables.create_branch(1, i + 1));
      tables.get(empty, *branches.back());
    }
    const std::size_t most = memory.bytes();
    CHECK(tables.memory_use().used == tables.memory_use().reserved);
    for (std::size_t i = 0; i < branches.size(); ++i) {
      if (i % 2 == 0 || i > 100) tables.drop_branch(*branches[i]);
    }
    tables.shrink();
    CHECK(tables.numbered() == 100);
    CHECK(tables.branch_count() == 100);
    CHECK(memory.bytes() < most / 4);
    CHECK(sound());
    for (std::uint32_t i = 0; i < 60; ++i) tables.get(empty, tables.create_branch(1, i + 1));
    CHECK(tables.numbered() == 110);
    CHECK(sound());
  }
}

}  // namespace strata::test::tables_test
