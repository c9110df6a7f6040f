#include "../../query/changes/changes.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "../../query/query.hpp"
#include "../support/components.hpp"
#include "../support/tracked.hpp"

namespace strata::test::changes_test {

using namespace detail;

namespace {

static_assert(detail::tracked_writes<Entity, const ByRow, Health, With<ByRow>, Without<ByBlock>>() == 0);
static_assert(detail::tracked_writes<ByRow, Entity, Maybe<ByBlock>, Maybe<const ByRow>>() == 0b101);
static_assert(detail::tracked_writes<Parent<const ByRow>, Parent<ByRow>>() == 0b10);

struct Subject {
  Store store{std::pmr::new_delete_resource()};

  template <class T>
  void add(Entity entity) {
    ::new (store.add(entity, store.registry().id_of<T>()).value) T{};
  }
  Entity create() {
    const Entity entity = store.create_row(store.archetypes().empty(), store.tables().root()).entity;
    add<ByRow>(entity);
    add<ByBlock>(entity);
    return entity;
  }
  std::vector<Entity> create_many(std::size_t count, bool sparse = false) {
    std::vector<Entity> entities;
    for (std::size_t i = 0; i < count; ++i) {
      entities.push_back(create());
      if (sparse) add<SparseHealth>(entities.back());
    }
    return entities;
  }
  void write(Entity entity) { store.find_to_write(entity, store.registry().id_of<ByRow>()); }
};

const auto kNothing = [](auto&&...) {};

}  // namespace

TEST_SUITE("query/changes") {
  TEST_CASE("the first run visits everything, the next one what was written since") {
    Subject s;
    const std::vector<Entity> entities = s.create_many(300);
    Query<Entity, const ByRow> query(s.store, nullptr);
    CHECK(query.changed<ByRow>().count() == 300);
    query.changed<ByRow>().each(kNothing);
    CHECK(query.changed<ByRow>().count() == 0);
    s.write(entities[7]);
    s.write(entities[200]);
    CHECK(query.changed<ByRow>().count() == 2);
    CHECK(query.changed<ByBlock>().count() == 0);
    std::vector<Entity> visited;
    query.changed<ByRow, ByBlock>().each([&](Entity entity, const ByRow&) { visited.push_back(entity); });
    CHECK(visited == std::vector<Entity>{entities[7], entities[200]});
    Query<Entity, const ByRow> late(s.store, nullptr);
    CHECK(late.changed<ByRow>().count() == 300);
  }
  TEST_CASE("a component whose blocks are tracked is visited block by block, one whose rows are in runs") {
    Subject s;
    const std::vector<Entity> entities = s.create_many(36'000);
    Query<const ByRow, const ByBlock> query(s.store, nullptr);
    query.changed<ByRow>().each(kNothing);
    for (const std::size_t i : {5u, 6u, 7u, 100u}) {
      s.write(entities[i]);
      s.store.find_to_write(entities[i], s.store.registry().id_of<ByBlock>());
    }
    const std::size_t rows = s.store.slots().find(entities[5]).block->count;
    REQUIRE(rows < 36'000);
    CHECK(query.changed<ByBlock>().count() == rows);
    std::vector<std::size_t> runs;
    query.changed<ByRow>().each_block(
        [&](std::span<const ByRow> span, std::span<const ByBlock>) { runs.push_back(span.size()); });
    CHECK(runs == std::vector<std::size_t>{3, 1});
  }
  TEST_CASE("what a run writes itself is not new to it, but is to others") {
    Subject s;
    s.create_many(300);
    Query<ByRow> writing(s.store, nullptr);
    Query<const ByRow> reading(s.store, nullptr);
    reading.changed<ByRow>().each(kNothing);
    writing.changed<ByRow>().each(on<ByRow>([](ByRow& row) { ++row.value; }), kNothing);
    CHECK(writing.changed<ByRow>().count() == 0);
    CHECK(reading.changed<ByRow>().count() == 300);
    writing.each(kNothing);
    CHECK(writing.changed<ByRow>().count() == 300);
  }
  TEST_CASE("what is written after a run that was nested is new to that one") {
    Subject s;
    const std::vector<Entity> entities = s.create_many(300, true);
    Query<ByRow, With<SparseHealth>> writing(s.store, nullptr);
    Query<const ByRow> reading(s.store, nullptr);
    const auto write_all = [&](bool nested) {
      std::size_t row = 0;
      writing.changed<ByRow>().each([&](ByRow&) {
        if (++row == 200 && nested) reading.changed<ByRow>().each(kNothing);
      });
    };
    write_all(true);
    // Rows are gathered 128 at a time: those of the second batch and the third are written after the nested
    // run.
    CHECK(reading.changed<ByRow>().count() == 300 - 128);
    CHECK(writing.changed<ByRow>().count() == 300 - 128);
    write_all(false);
    CHECK(writing.changed<ByRow>().count() == 0);
  }
  TEST_CASE("what is written while a run lasts is new to the next one") {
    Subject s;
    const std::vector<Entity> entities = s.create_many(3);
    Query<Entity, ByRow> query(s.store, nullptr);
    query.changed<ByRow>().each([&](Entity entity, ByRow&) {
      if (entity == entities[2]) s.write(entities[0]);
    });
    std::vector<Entity> visited;
    query.changed<ByRow>().each([&](Entity entity, ByRow&) { visited.push_back(entity); });
    CHECK(visited == std::vector<Entity>{entities[0]});
  }
  TEST_CASE("after a run that was broken off, the next one visits everything again") {
    Subject s;
    const std::vector<Entity> entities = s.create_many(10);
    Query<Entity, ByRow> query(s.store, nullptr);
    query.changed<ByRow>().each(kNothing);
    s.write(entities[2]);
    s.write(entities[8]);
    const auto fail = [&](Entity entity, ByRow&) {
      if (entity == entities[8]) throw std::runtime_error("broken off");
    };
    CHECK_THROWS_AS(query.changed<ByRow>().each(fail), std::runtime_error);
    CHECK(!s.store.iterating());
    CHECK(query.changed<ByRow>().count() == 2);
  }
  TEST_CASE("entities without the component are never visited, and spans need tables") {
    Subject s;
    s.create_many(5, true);
    const Place bare = s.store.create_row(s.store.archetypes().empty(), s.store.tables().root()).place;
    REQUIRE(bare.block->count == 1);
    Query<Entity> query(s.store, nullptr);
    CHECK(query.changed<ByRow>().count() == 5);
    Query<const ByRow, const SparseHealth> sparse(s.store, nullptr);
    CHECK(sparse.changed<ByRow>().count() == 5);
    CHECK_THROWS_AS(sparse.changed<ByRow>().each_block(kNothing), ContractViolation);
    Query<const ByRow, const SparsePosition> impossible(s.store, nullptr);
    CHECK(impossible.changed<ByRow>().count() == 0);
  }
}

}  // namespace strata::test::changes_test
