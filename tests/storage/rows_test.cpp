#include "../../storage/rows/rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "rows_fixture.hpp"

namespace strata::test::rows_test {

using namespace detail;

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
  TEST_CASE_FIXTURE(RowsFixture,
                    "of all tables without rows, the last two to lose them keep one block each") {
    Archetype& first = this->archetype<Counted>();
    Archetype& second = this->archetype<Counted, Small>();
    Archetype& third = this->archetype<Small>();
    const Entity a = create(first, 1);
    const Entity b = create(second, 2);
    const Entity c = create(third);
    const Block* const block = table(first).first_block();
    store.destroy(a);
    CHECK(table(first).first_block() == block);
    CHECK(table(first).block_count() == 1);
    CHECK(store.check_invariants().empty());
    store.destroy(b);
    CHECK(table(first).first_block() == block);
    CHECK(table(second).block_count() == 1);
    CHECK(store.check_invariants().empty());
    store.destroy(c);
    CHECK(table(first).first_block() == nullptr);
    CHECK(table(second).block_count() == 1);
    CHECK(table(third).block_count() == 1);
    store.destroy(create(second, 3));
    CHECK(table(third).block_count() == 1);
    store.rows().drop_kept_blocks();
    CHECK(table(second).first_block() == nullptr);
    CHECK(table(third).first_block() == nullptr);
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(RowsFixture,
                    "a row that goes to and fro between tables without others does not allocate") {
    Archetype& plain = this->archetype<Counted>();
    const ComponentId small = store.registry().id_of<Small>();
    const ComponentId tag = store.registry().add({.name = "tag"});
    const Entity a = create(plain, 1);
    const Entity b = create(plain, 2);
    store.add(b, tag);
    const auto come_and_go = [&] {
      for (const Entity entity : {a, b}) {
        store.add(entity, small);
        store.remove(entity, small);
      }
    };
    come_and_go();
    memory.fail_at(1);
    for (int i = 0; i < 3; ++i) come_and_go();
    memory.never_fail();
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(RowsFixture, "a table that comes to rows and loses them again does not allocate") {
    Archetype& plain = this->archetype<Counted>();
    const ComponentId id = store.registry().id_of<Small>();
    const Entity entity = create(plain, 1);
    create(plain, 2);
    store.add(entity, id);
    store.remove(entity, id);
    memory.fail_at(1);
    for (int i = 0; i < 3; ++i) {
      store.add(entity, id);
      store.remove(entity, id);
    }
    memory.never_fail();
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(RowsFixture,
                    "a table without rows does not keep the block of a branch that may be dropped") {
    Branch& branch = store.tables().create_branch(1, 0);
    Archetype& archetype = this->archetype<Counted>();
    const Entity entity = create(archetype, 1);
    store.move_to_branch(entity, branch);
    store.move_to_branch(entity, store.tables().root());
    CHECK(store.tables().get(archetype, branch).first_block() == nullptr);
    store.tables().drop_branch(branch);
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(RowsFixture,
                    "room promised to a table without rows outlives the block that another one keeps") {
    Archetype& first = this->archetype<Counted>();
    Archetype& second = this->archetype<Counted, Small>();
    store.destroy(create(first, 1));
    const Entity other = create(second, 2);
    const Entity entity = store.slots().reserve();
    store.rows().reserve(table(first));
    store.destroy(other);
    memory.fail_at(1);
    const Place place = store.append_row(table(first), entity).place;
    ::new (place.block->format->find(*place.block, place.row, store.registry().id_of<Counted>())) Counted(3);
    memory.never_fail();
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(RowsFixture, "a family of 8 with 72 bytes of components costs under 1,024 bytes") {
    Archetype& archetype = this->archetype<Large, Small>();
    for (int i = 0; i < 8; ++i) create(archetype);
    const Table& family = table(archetype);
    CHECK(family.block_count() == 1);
    CHECK(sizeof(Table) + TableBlocks::bytes_of(*family.first_block()) < 1024);
  }
  TEST_CASE_FIXTURE(RowsFixture, "values in a block of full size stay where they are while the table grows") {
    Archetype& archetype = this->archetype<Health>();
    const std::uint32_t full = archetype.format().full_capacity();
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
           table(archetype).row_count() < archetype.format().full_capacity()) {
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
    for (int i = 0; i < 40; ++i) store.rows().reserve(table);
    const Entity entity = store.slots().reserve();
    memory.fail_at(1);
    store.append_row(table, entity);
    memory.never_fail();
    store.rows().release_reservations(table);
    CHECK(store.check_invariants().empty());
    store.destroy(entity);

    store.rows().reserve(table);
    store.rows().release_reservations(table);
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(RowsFixture, "rows are appended a block's run at a time, and taken back from the end") {
    Archetype& archetype = this->archetype<Huge>();
    Table& table = store.tables().get(archetype, store.tables().root());
    const Entity before = create(archetype);
    std::vector<Entity> entities(50);
    store.slots().reserve_all(entities);
    store.rows().reserve(table, 50);
    memory.fail_at(1);
    const Entity* next = entities.data();
    std::uint32_t runs = 0;
    for (std::uint32_t left = 50; left != 0; ++runs) {
      const RowRun run = store.rows().append_run(table, left, [&](const RowRun& made) {
        std::copy_n(next, made.count, entities_of(made).data());
        store.slots().place_all(entities_of(made), {made.block, made.row});
        next += made.count;
      });
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
    CHECK(table.block_count() == 1);
  }
  TEST_CASE_FIXTURE(RowsFixture, "rows of new slots are appended with their handles") {
    Table& table = store.tables().get(this->archetype<Huge>(), store.tables().root());
    store.slots().make_room(50);
    store.rows().reserve(table, 50);
    memory.fail_at(1);
    std::uint32_t next = store.slots().next_new().index();
    for (std::uint32_t left = 50; left != 0;) {
      const RowRun run = store.rows().append_run(table, left, [&](const RowRun& made) {
        store.slots().append_placed(made.count, {made.block, made.row}, entities_of(made).data());
      });
      const Entity* const entities = run.block->format->entities(*run.block);
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
        memory, [&] { store.rows().reserve(table, 100); },
        [&] {
          store.rows().release_reservations(table);
          CHECK(store.check_invariants().empty());
        });
    CHECK(failures > 2);
    store.rows().release_reservations(table);
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
  TEST_CASE_FIXTURE(RowsFixture, "shrink moves the rows of an only block to one that fits them") {
    const CountedScope scope;
    Archetype& archetype = this->archetype<Counted>();
    std::vector<Entity> entities;
    for (int i = 0; i < 1000; ++i) entities.push_back(create(archetype, i));
    while (entities.size() > 5) {
      store.destroy(entities.back());
      entities.pop_back();
    }
    Table& table = this->table(archetype);
    const std::uint64_t changes = store.rows().changes().count();
    CHECK(store.rows().shrink(table) == 5);
    CHECK(store.rows().changes().count() != changes);
    CHECK(table.first_block()->capacity < 12);
    for (int i = 0; i < 5; ++i) CHECK(number(entities[static_cast<std::size_t>(i)]) == i);
    CHECK(store.rows().shrink(table) == 0);
    CHECK(store.check_invariants() == "");
    for (const Entity entity : entities) store.destroy(entity);
    CHECK(scope.clean());
  }
  TEST_CASE_FIXTURE(RowsFixture, "shrink gives back the empty block behind the last row and stale caches") {
    Archetype& archetype = this->archetype<Large>();
    const std::uint32_t full = archetype.format().full_capacity();
    std::vector<Entity> entities;
    for (std::uint32_t i = 0; i < 2 * full + 1; ++i) entities.push_back(create(archetype));
    store.destroy(entities.back());
    Table& table = this->table(archetype);
    Block& first = *table.first_block();
    Block& second = *first.next;
    store.rows().attach(first, store.rows().create_cache(100));
    store.rows().attach(second, store.rows().create_cache(100));
    first.cache->valid = true;
    CHECK(table.block_count() == 3);
    CHECK(store.rows().shrink(table) == 0);
    CHECK(table.block_count() == 2);
    CHECK(first.cache != nullptr);
    CHECK(second.cache == nullptr);
    CHECK(store.check_invariants() == "");
  }
  TEST_CASE_FIXTURE(RowsFixture, "the rows of a whole block go before the last block, which is not full") {
    Archetype& archetype = this->archetype<Large>();
    const std::uint32_t full = archetype.format().full_capacity();
    for (const std::uint32_t rows : {3u, full + 3}) {
      std::vector<Entity> before(rows), added;
      for (Entity& entity : before) entity = create(archetype);
      Table& table = this->table(archetype);
      store.rows().reserve(table, full);
      for (std::uint32_t i = 0; i < full; ++i) added.push_back(store.slots().reserve());
      const RowRun run = store.rows().append_block(table, [&](const RowRun& made) {
        std::ranges::copy(added, entities_of(made).begin());
        store.slots().place_all(added, {made.block, made.row});
      });
      CHECK(run.count == full);
      CHECK(run.block->next == store.slots().place_of(before.back().index()).block);
      CHECK(run.block->next->count == 3);
      CHECK(table.row_count() == rows + full);
      CHECK(store.check_invariants() == "");

      for (const Entity entity : added) store.slots().release(entity.index());
      store.rows().retract_block(*run.block);
      CHECK(table.row_count() == rows);
      for (const Entity entity : before) CHECK(store.alive(entity));
      CHECK(store.slots().place_of(before.back().index()).row == 2);
      CHECK(store.check_invariants() == "");
      for (const Entity entity : before) store.destroy(entity);
    }
  }
}

}  // namespace strata::test::rows_test
