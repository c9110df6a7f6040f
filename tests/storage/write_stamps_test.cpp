#include "../../storage/changes/write_stamps.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "../support/components.hpp"
#include "rows_fixture.hpp"

namespace strata::test::write_stamps_test {

using namespace detail;

namespace {

struct ByBlock {
  int value = 0;
};
/// Large, so that a block is full with 16 rows.
struct ByRow {
  std::array<char, 8192> bytes{};
};

}  // namespace

}  // namespace strata::test::write_stamps_test

template <>
inline constexpr strata::Tracking strata::tracking_of<strata::test::write_stamps_test::ByBlock> =
    strata::Tracking::blocks;
template <>
inline constexpr strata::Tracking strata::tracking_of<strata::test::write_stamps_test::ByRow> =
    strata::Tracking::rows;

namespace strata::test::write_stamps_test {

namespace {

struct Fixture : RowsFixture {
  ComponentId by_block = store.registry().id_of<ByBlock>();
  ComponentId by_row = store.registry().id_of<ByRow>();

  Place place_of(Entity entity) { return store.slots().find(entity); }
  std::uint64_t block_stamp(Entity entity, ComponentId id) {
    const Block& block = *place_of(entity).block;
    return block.stamps()[block.format->find_tracked(id)];
  }
  std::uint64_t row_stamp(Entity entity) {
    const Place place = place_of(entity);
    const BlockFormat& format = *place.block->format;
    return *detail::row_stamps(place, format.tracked()[format.find_tracked(by_row)]);
  }
  std::uint64_t tick() {
    store.rows().changes().clock().begin_run();
    return store.rows().changes().clock().now();
  }
  std::vector<Entity> create_many(Archetype& archetype, std::size_t count) {
    std::vector<Entity> entities;
    while (entities.size() < count) entities.push_back(create(archetype));
    return entities;
  }
};

}  // namespace

TEST_SUITE("storage/write_stamps") {
  TEST_CASE_FIXTURE(Fixture, "a format without tracked columns has no stamps and the header alone") {
    const BlockFormat& plain = archetype<Position, Frozen>().format();
    CHECK(!plain.tracks());
    CHECK(plain.header_bytes() == sizeof(Block));
    CHECK(plain.row_bytes() == sizeof(Position) + sizeof(Entity));
    const BlockFormat& tracked = archetype<Position, ByBlock>().format();
    CHECK(tracked.header_bytes() == sizeof(Block) + 64);
    CHECK(tracked.row_bytes() == sizeof(Position) + sizeof(ByBlock) + sizeof(Entity));
    CHECK(tracked.find_tracked(by_block) == 0);
    CHECK(tracked.find_tracked(store.registry().id_of<Position>()) == BlockFormat::kAbsent);
    CHECK(archetype<Wide, ByRow>().format().row_bytes() == sizeof(Wide) + sizeof(ByRow) + 8 + sizeof(Entity));
  }
  TEST_CASE_FIXTURE(Fixture, "new rows have the stamp of now, and a gone row leaves none") {
    Archetype& both = archetype<ByBlock, ByRow>();
    const Entity first = create(both);
    const std::uint64_t later = tick();
    store.mark_write(place_of(first), by_row);
    CHECK(row_stamp(first) == later);
    CHECK(block_stamp(first, by_block) == later - 1);
    store.destroy(first);
    const Entity second = create(both);
    CHECK(row_stamp(second) == later);
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Fixture, "what is added is new, and what was there is not") {
    const Entity entity = create(archetype<ByRow>());
    const std::uint64_t created = row_stamp(entity);
    const std::uint64_t later = tick();
    store.add(entity, store.registry().id_of<Position>());
    CHECK(row_stamp(entity) == created);
    CHECK(block_stamp(entity, by_row) == created);
    store.add(entity, by_block);
    CHECK(block_stamp(entity, by_block) == later);
    CHECK(block_stamp(entity, by_row) == created);
    store.remove(entity, by_block);
    CHECK(row_stamp(entity) == created);
    CHECK(block_stamp(entity, by_row) == created);
  }
  TEST_CASE_FIXTURE(Fixture, "a row that fills a hole or grows out of a block takes its stamps along") {
    Archetype& both = archetype<ByBlock, ByRow>();
    const std::vector<Entity> entities = create_many(both, 40);
    const std::uint64_t later = tick();
    store.mark_write(place_of(entities.back()), by_row);
    store.mark_write(place_of(entities.back()), by_block);
    REQUIRE(place_of(entities.front()).block != place_of(entities.back()).block);
    CHECK(block_stamp(entities[1], by_row) < later);
    store.destroy(entities.front());
    REQUIRE(place_of(entities[1]).block == place_of(entities.back()).block);
    CHECK(row_stamp(entities.back()) == later);
    CHECK(row_stamp(entities[1]) < later);
    CHECK(block_stamp(entities[1], by_row) == later);
    CHECK(block_stamp(entities[1], by_block) == later);
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Fixture, "rows that are exchanged take their stamps along") {
    Archetype& both = archetype<ByBlock, ByRow>();
    const std::vector<Entity> entities = create_many(both, 40);
    const std::uint64_t later = tick();
    store.mark_write(place_of(entities.front()), by_row);
    store.mark_write(place_of(entities.front()), by_block);
    store.rows().reserve_swap(both.format());
    store.rows().swap(place_of(entities.front()), place_of(entities.back()));
    CHECK(row_stamp(entities.front()) == later);
    CHECK(row_stamp(entities.back()) < later);
    CHECK(block_stamp(entities.front(), by_row) == later);
    CHECK(block_stamp(entities.front(), by_block) == later);
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Fixture,
                    "adding a tracked component that no table has runs out of memory and changes nothing") {
    const Entity entity = create(archetype<Position>());
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { store.add(entity, by_row); },
        [&] {
          CHECK(!store.has(entity, by_row));
          CHECK(store.check_invariants().empty());
        });
    CHECK(failures != 0);
    CHECK(row_stamp(entity) == store.rows().changes().clock().now());
  }
}

}  // namespace strata::test::write_stamps_test
