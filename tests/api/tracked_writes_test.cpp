#include <doctest/doctest.h>

#include <array>
#include <strata/strata.hpp>
#include <vector>

namespace strata::test::tracked_writes_test {

namespace {

struct Heat {
  float degrees = 0;
};
struct Fuel {
  float litres = 0;
};

}  // namespace

}  // namespace strata::test::tracked_writes_test

template <>
inline constexpr strata::Tracking strata::tracking_of<strata::test::tracked_writes_test::Heat> =
    strata::Tracking::rows;
template <>
inline constexpr strata::Tracking strata::tracking_of<strata::test::tracked_writes_test::Fuel> =
    strata::Tracking::blocks;

namespace strata::test::tracked_writes_test {

namespace {

/// A stove and its three pots, and queries that have seen all of them.
struct Kitchen {
  World world;
  Entity stove = world.create(Heat{1});
  std::vector<Entity> pots;
  Query<Entity, const Heat> heats = world.query<Entity, const Heat>();

  Kitchen() {
    for (int i = 0; i < 3; ++i) pots.push_back(world.create(child_of(stove), Heat{0}));
    changed();
  }

  std::vector<Entity> changed() {
    std::vector<Entity> found;
    heats.changed<Heat>().each([&](Entity entity, const Heat&) { found.push_back(entity); });
    return found;
  }
};

using Entities = std::vector<Entity>;

}  // namespace

TEST_SUITE("api/tracked_writes") {
  TEST_CASE_FIXTURE(Kitchen,
                    "what an accessor hands out for writing has changed, what it only reads has not") {
    Accessor<Heat> heat = world.accessor<Heat>();
    Accessor<const Heat> to_read = world.accessor<const Heat>();
    CHECK(to_read.get(pots[0]).degrees == 0);
    CHECK(heat.contains(pots[1]));
    CHECK(changed().empty());
    heat.get(pots[1]).degrees = 5;
    CHECK(changed() == Entities{pots[1]});
    heat.add(pots[2], Heat{7});
    CHECK(changed() == Entities{pots[2]});
    CHECK(heat.find(Entity()) == nullptr);
    CHECK(changed().empty());
  }
  TEST_CASE_FIXTURE(Kitchen, "what a spawner or create_many creates has changed") {
    auto spawner = world.spawner<Heat>();
    const Entity single = spawner.create(Heat{3});
    CHECK(changed() == Entities{single});
    Entities many(5);
    world.create_many<Heat>(std::span(many), [](std::span<const Entity>, std::span<Heat> heats_made) {
      for (Heat& heat : heats_made) heat.degrees = 2;
    });
    CHECK(changed() == many);
  }
  TEST_CASE_FIXTURE(Kitchen,
                    "rows that a range-for passes over for writing have changed, also if it is left") {
    auto writing = world.query<Entity, Heat>();
    for (auto [entity, heat] : writing) heat.degrees += 1;
    CHECK(changed().size() == 4);
    for (auto [entity, heat] : heats) CHECK(heat.degrees >= 1);
    CHECK(changed().empty());
    for (auto [entity, heat] : writing) {
      if (entity == stove) break;
    }
    CHECK(!changed().empty());
    CHECK(changed().empty());
  }
  TEST_CASE_FIXTURE(Kitchen, "of one family alone, only its children have changed") {
    auto writing = world.query<Heat>();
    writing.children_of(stove).each([](Heat& heat) { heat.degrees += 1; });
    CHECK(changed() == pots);
  }
  TEST_CASE_FIXTURE(Kitchen, "what a query that was built at run time hands out has changed") {
    const std::array terms{Term{Role::value, world.component<Heat>()}};
    RuntimeQuery query = world.query(terms);
    query.each_block([](const RuntimeQuery::Block&) {});
    CHECK(changed().size() == 4);
    const std::array asks{Term{Role::with, world.component<Heat>()}};
    world.query(asks).each([](const RuntimeQuery::Row&) {});
    CHECK(changed().empty());
  }
  TEST_CASE_FIXTURE(Kitchen, "of named entities, those that were visited for writing have changed") {
    world.query<Heat>().each_of(std::span(pots).first(2), [](Heat& heat) { heat.degrees += 1; });
    CHECK(changed() == std::vector<Entity>(pots.begin(), pots.begin() + 2));
    world.query<const Heat>().each_of(pots, [](const Heat&) {});
    CHECK(changed().empty());
    const std::array terms{Term{Role::value, world.component<Heat>()}};
    world.query(terms).each_of(std::span(pots).last(1), [](const RuntimeQuery::Row&) {});
    CHECK(changed() == std::vector<Entity>{pots[2]});
  }
  TEST_CASE_FIXTURE(Kitchen, "what a term that only reads hands out has not changed") {
    const std::array terms{Term{Role::read, world.component<Heat>()},
                           Term{Role::read_optional, world.component<Heat>()}};
    RuntimeQuery query = world.query(terms);
    float sum = 0;
    query.each([&](const RuntimeQuery::Row& row) { sum += static_cast<const Heat*>(row.read(0))->degrees; });
    query.cascade().each_block([&](const RuntimeQuery::Block& block) {
      for (const Heat& heat : block.values<const Heat>(1)) sum -= heat.degrees;
    });
    CHECK(sum == 0);
    CHECK(changed().empty());
    const std::array mixed{terms[0], Term{Role::optional, terms[0].id}};
    world.query(mixed).each([](const RuntimeQuery::Row&) {});
    CHECK(changed().size() == 4);
  }
  TEST_CASE_FIXTURE(Kitchen, "a change is seen by block where that is what the component asks for") {
    auto fuels = world.query<const Fuel>();
    for (int i = 0; i < 10; ++i) world.create(Fuel{1});
    int seen = 0;
    fuels.changed<Fuel>().each([&](const Fuel&) { ++seen; });
    CHECK(seen == 10);
    fuels.changed<Fuel>().each([&](const Fuel&) { ++seen; });
    CHECK(seen == 10);
    world.accessor<Fuel>().get(world.query<Fuel>().first()).litres = 2;
    fuels.changed<Fuel>().each([&](const Fuel&) { ++seen; });
    CHECK(seen == 20);
  }
  TEST_CASE_FIXTURE(Kitchen, "memory that is given back is no change, and hides none") {
    for (int i = 0; i < 40; ++i) world.create(Heat{1});
    Entities all = changed();
    for (std::size_t i = 0; i < 38; ++i) world.destroy(all[i]);
    CHECK(changed().empty());
    world.get<Heat>(pots[1]).degrees = 9;
    world.shrink();
    CHECK(changed() == Entities{pots[1]});
  }
}

}  // namespace strata::test::tracked_writes_test
