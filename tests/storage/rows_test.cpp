#include "../../storage/rows.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "rows_fixture.hpp"

using namespace strata;
using namespace strata::test;

namespace {

struct Large {
  std::array<float, 12> matrix;
};
struct Small {
  std::array<float, 6> vectors;
};

}  // namespace

TEST_SUITE("storage/rows") {
  TEST_CASE_FIXTURE(RowsFixture, "remove moves the last row into the hole") {
    Archetype& archetype = this->archetype<Counted>();
    const Entity a = create(archetype, 1);
    const Entity b = create(archetype, 2);
    const Entity c = create(archetype, 3);
    store.destroy(a);
    CHECK(store.slots().find(c).row == 0);
    CHECK(store.slots().find(b).row == 1);
    CHECK(number(c) == 3);
    CHECK(number(b) == 2);
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(RowsFixture, "a table without rows has no block") {
    Archetype& archetype = this->archetype<Counted>();
    const Entity entity = create(archetype, 1);
    CHECK(table(archetype).block_count() == 1);
    store.destroy(entity);
    CHECK(table(archetype).block_count() == 0);
    CHECK(table(archetype).first_block() == nullptr);
  }
  TEST_CASE_FIXTURE(RowsFixture, "a family of 8 with 72 bytes of components costs under 1,024 bytes") {
    Archetype& archetype = this->archetype<Large, Small>();
    for (int i = 0; i < 8; ++i) create(archetype);
    const Table& family = table(archetype);
    CHECK(family.block_count() == 1);
    CHECK(sizeof(Table) + Rows::bytes_of(*family.first_block()) < 1024);
  }
  TEST_CASE_FIXTURE(RowsFixture, "values in a block of full size stay where they are while the table grows") {
    Archetype& archetype = this->archetype<Health>();
    const std::uint32_t full = archetype.layout().full_capacity();
    std::vector<Entity> entities;
    for (std::uint32_t i = 0; i < full; ++i) entities.push_back(create(archetype));
    const void* first = store.find(entities.front(), store.registry().id_of<Health>());
    const void* last = store.find(entities.back(), store.registry().id_of<Health>());
    for (std::uint32_t i = 0; i < full + 1; ++i) create(archetype);
    CHECK(table(archetype).block_count() >= 2);
    CHECK(store.find(entities.front(), store.registry().id_of<Health>()) == first);
    CHECK(store.find(entities.back(), store.registry().id_of<Health>()) == last);
  }
  TEST_CASE_FIXTURE(RowsFixture, "a row that comes and goes at the edge of a block does not allocate") {
    Archetype& archetype = this->archetype<Health>();
    create(archetype);
    while (table(archetype).row_count() < table(archetype).first_block()->capacity ||
           table(archetype).row_count() < archetype.layout().full_capacity()) {
      create(archetype);
    }
    store.destroy(create(archetype));
    const std::size_t before = memory.allocations();
    for (int i = 0; i < 10; ++i) store.destroy(create(archetype));
    CHECK(memory.allocations() == before);
  }
  TEST_CASE_FIXTURE(RowsFixture, "blocks are given back as a table shrinks, and their memory is used again") {
    Archetype& archetype = this->archetype<Huge>();
    std::vector<Entity> entities;
    const auto fill = [&] {
      while (entities.size() < 100) {
        entities.push_back(create(archetype));
        ::new (store.find(entities.back(), store.registry().id_of<Huge>())) Huge(1);
      }
    };
    fill();
    const std::size_t full = memory.bytes();
    while (entities.size() > 1) {
      store.destroy(entities.back());
      entities.pop_back();
    }
    CHECK(memory.bytes() < full / 2);
    fill();
    CHECK(memory.bytes() <= full);
  }
  TEST_CASE_FIXTURE(RowsFixture, "promised room is there for later rows, and can be given up") {
    Table& table = store.tables().get(this->archetype<Health>(), store.tables().root());
    for (int i = 0; i < 40; ++i) store.rows().expect(table);
    const Entity entity = store.slots().reserve();
    memory.fail_at(1);
    store.rows().append(table, entity);
    memory.never_fail();
    store.rows().forget_expected(table);
    CHECK(store.check_invariants().empty());
    store.destroy(entity);

    store.rows().expect(table);
    store.rows().forget_expected(table);
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(RowsFixture, "rows are appended a block's run at a time, and taken back from the end") {
    Archetype& archetype = this->archetype<Huge>();
    Table& table = store.tables().get(archetype, store.tables().root());
    const Entity before = create(archetype);
    std::vector<Entity> entities(50);
    store.slots().reserve_all(entities);
    store.rows().expect(table, 50);
    memory.fail_at(1);
    const Entity* next = entities.data();
    std::uint32_t runs = 0;
    for (std::uint32_t left = 50; left != 0; ++runs) {
      const RowRun run = store.rows().append_run(table, left, [&] { return *next++; });
      CHECK(store.slots().find(next[-1]).block == run.block);
      CHECK(store.slots().find(next[-1]).row == run.row + run.count - 1);
      left -= run.count;
    }
    memory.never_fail();
    CHECK(runs > 2);
    CHECK(store.check_invariants().empty());

    store.rows().retract(table, 50);
    store.slots().cancel_all(entities);
    CHECK(table.row_count() == 1);
    CHECK(store.check_invariants().empty());
    store.destroy(before);
    CHECK(table.block_count() == 0);
  }
  TEST_CASE_FIXTURE(RowsFixture, "rows of new slots are appended with their handles") {
    Table& table = store.tables().get(this->archetype<Huge>(), store.tables().root());
    store.slots().make_room(50);
    store.rows().expect(table, 50);
    memory.fail_at(1);
    std::uint32_t next = store.slots().next_new().index();
    for (std::uint32_t left = 50; left != 0;) {
      const RowRun run = store.rows().append_new(table, left);
      const Entity* const entities = run.block->layout->entities(*run.block);
      for (std::uint32_t row = run.row; row < run.row + run.count; ++row) {
        CHECK(entities[row].index() == next++);
        CHECK(store.slots().find(entities[row]).row == row);
      }
      left -= run.count;
    }
    memory.never_fail();
    CHECK(table.row_count() == 50);
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(RowsFixture, "room for many rows is given up when memory runs out half way") {
    Table& table = store.tables().get(this->archetype<Huge>(), store.tables().root());
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { store.rows().expect(table, 100); },
        [&] {
          store.rows().forget_expected(table);
          CHECK(store.check_invariants().empty());
        });
    CHECK(failures > 2);
    store.rows().forget_expected(table);
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(RowsFixture, "out of memory leaves rows and values as they were") {
    const CountedScope scope;
    Archetype& archetype = this->archetype<Counted, Huge>();
    std::vector<Entity> entities;
    const ComponentId counted = store.registry().id_of<Counted>();
    const ComponentId health = store.registry().id_of<Health>();
    for (int i = 0; i < 40; ++i) {
      const std::size_t failures = sweep_out_of_memory(
          memory, [&] { entities.push_back(create(archetype, i)); },
          [&] {
            CHECK(store.check_invariants().empty());
            CHECK(store.slots().in_use() == entities.size());
            for (std::size_t k = 0; k < entities.size(); ++k)
              CHECK(number(entities[k]) == static_cast<int>(k));
          });
      CHECK(failures < 20);
    }
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { store.add(entities[3], health); },
        [&] {
          CHECK(store.check_invariants().empty());
          CHECK(!store.has(entities[3], health));
          CHECK(number(entities[3]) == 3);
        });
    CHECK(failures > 0);
    CHECK(store.has(entities[3], health));
    CHECK(store.remove(entities[3], counted));
    for (const Entity entity : entities) store.destroy(entity);
    CHECK(scope.clean());
  }
}
