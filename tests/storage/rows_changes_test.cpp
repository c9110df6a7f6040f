#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "rows_fixture.hpp"

namespace strata::test::rows_changes_test {

using namespace detail;

TEST_SUITE("storage/rows_changes") {
  TEST_CASE_FIXTURE(RowsFixture, "a swap exchanges rows with all that they hold, and re-points their slots") {
    const CountedScope scope;
    Archetype& archetype = this->archetype<Counted, Wide, Frozen>();
    const ComponentId wide = store.registry().id_of<Wide>();
    std::vector<Entity> entities;
    for (int i = 0; i < 3; ++i) {
      entities.push_back(create(archetype, i));
      ::new (store.find(entities.back(), wide)) Wide(static_cast<float>(i));
    }
    const Place first = store.slots().find(entities[0]);
    const Place last = store.slots().find(entities[2]);
    store.rows().reserve_swap(archetype.format());
    memory.fail_at(1);
    store.rows().swap(first, last);
    memory.never_fail();
    CHECK(store.slots().find(entities[0]).row == last.row);
    CHECK(store.slots().find(entities[2]).row == first.row);
    for (int i = 0; i < 3; ++i) {
      const Entity entity = entities[static_cast<std::size_t>(i)];
      CHECK(number(entity) == i);
      CHECK(number_in(*static_cast<const Wide*>(store.find(entity, wide))) == i);
    }
    CHECK(store.check_invariants().empty());
    for (const Entity entity : entities) store.destroy(entity);
    CHECK(scope.clean());
  }
  TEST_CASE_FIXTURE(RowsFixture, "a swap between blocks changes the versions of both, and is logged") {
    Archetype& archetype = this->archetype<Huge>();
    std::vector<Entity> entities;
    for (int i = 1; i <= 60; ++i) {
      entities.push_back(create(archetype));
      ::new (store.find(entities.back(), store.registry().id_of<Huge>())) Huge(i);
    }
    const Place first = store.slots().find(entities.front());
    const Place last = store.slots().find(entities.back());
    REQUIRE(first.block != last.block);
    const std::array<std::uint32_t, 2> versions{first.block->version, last.block->version};
    const std::uint64_t changes = store.rows().changes().count();
    store.rows().changes().moved().clear();
    store.rows().reserve_swap(archetype.format());
    store.rows().swap(first, last);
    CHECK(first.block->version != versions[0]);
    CHECK(last.block->version != versions[1]);
    CHECK(store.rows().changes().count() != changes);
    CHECK(store.rows().changes().moved().entries().size() == 2);
    const auto* moved =
        static_cast<const Huge*>(store.find(entities.front(), store.registry().id_of<Huge>()));
    CHECK(moved->points == 1);
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(RowsFixture,
                    "whatever changes the rows of a block changes its version, and reading does not") {
    Archetype& archetype = this->archetype<Counted>();
    store.rows().ensure_room(store.tables().get(archetype, store.tables().root()), 20);
    const Entity a = create(archetype, 1);
    const Entity b = create(archetype, 2);
    const Block& block = *store.slots().find(a).block;
    std::uint32_t seen = block.version;
    std::uint64_t changes = store.rows().changes().count();
    const auto changed = [&] {
      return std::exchange(seen, block.version) != block.version &&
             std::exchange(changes, store.rows().changes().count()) != store.rows().changes().count();
    };
    number(a);
    CHECK(seen == block.version);
    create(archetype, 3);
    CHECK(changed());
    store.destroy(b);
    CHECK(changed());
    store.add(a, store.registry().id_of<Frozen>());
    CHECK(changed());
    store.rows().changes().touch(*store.tables().find(archetype, store.tables().root())->first_block());
    CHECK(changed());
  }
  TEST_CASE_FIXTURE(RowsFixture,
                    "new rows void a cache, and rows that come, go or are recorded are logged instead") {
    Archetype& archetype = this->archetype<Health>();
    store.rows().ensure_room(store.tables().get(archetype, store.tables().root()), 20);
    const Entity a = create(archetype);
    const Entity b = create(archetype);
    const Entity other = create(this->archetype<Health, Frozen>());
    Block& block = *store.slots().find(a).block;
    store.rows().attach(block, store.rows().create_cache(100));
    const auto is_void = [&] { return !std::exchange(block.cache->valid, true); };
    CHECK(is_void());
    create(archetype);
    CHECK(is_void());
    store.rows().append_run(table_of(block), 2, [&](const RowRun& run) {
      store.slots().reserve_all(entities_of(run));
      store.slots().place_all(entities_of(run), {run.block, run.row});
    });
    CHECK(is_void());

    store.rows().changes().moved().clear();
    store.remove(other, store.registry().id_of<Frozen>());
    CHECK(store.slots().find(other).block == &block);
    CHECK(store.rows().changes().moved().entries().back() == other.index());
    store.destroy(b);
    CHECK(store.rows().changes().moved().entries().back() == other.index());
    CHECK(store.rows().changes().moved().entries().size() == 2);
    const std::uint64_t changes = store.rows().changes().count();
    store.rows().changes().mark_related(store.slots().find(a));
    CHECK(store.rows().changes().count() != changes);
    CHECK(store.rows().changes().moved().entries().back() == a.index());
    CHECK(!is_void());
  }
  TEST_CASE_FIXTURE(RowsFixture, "rows that have moved are logged, and new ones are not") {
    Archetype& archetype = this->archetype<Health>();
    const Entity a = create(archetype);
    const Entity b = create(archetype);
    create(archetype);
    const Entity last = create(archetype);
    store.rows().changes().moved().clear();
    store.destroy(b);
    REQUIRE(store.rows().changes().moved().entries().size() == 1);
    CHECK(store.rows().changes().moved().entries()[0] == last.index());
    store.rows().changes().moved().clear();
    store.add(a, store.registry().id_of<Frozen>());
    std::vector<std::uint32_t> moved(store.rows().changes().moved().entries().begin(),
                                     store.rows().changes().moved().entries().end());
    CHECK(std::find(moved.begin(), moved.end(), a.index()) != moved.end());
    CHECK(moved.size() == 2);
  }
}

}  // namespace strata::test::rows_changes_test
