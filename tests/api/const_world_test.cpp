#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <array>
#include <span>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "../support/refusal.hpp"
#include "typed_kinds.hpp"

namespace strata::test::const_world_test {

namespace {

struct Score {
  int points;
};
struct SparseScore {
  int points;
};
struct Marked {};

/// Trees of ten, each with a root that has Frozen; all of `Health{i}`, every third with `SparseHealth{i}`.
std::vector<Entity> make_trees(World& world, int count) {
  std::vector<Entity> entities;
  for (int i = 0; i < count; ++i) {
    if (i % 10 == 0) {
      entities.push_back(world.create(Health{i}, Frozen{}));
    } else {
      entities.push_back(world.create(
          child_of(entities[entities.size() - 1 - static_cast<std::size_t>(i % 10 - 1)]), Health{i}));
    }
    if (i % 3 == 0) world.add(entities.back(), SparseHealth{i});
  }
  return entities;
}

}  // namespace

}  // namespace strata::test::const_world_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::const_world_test::SparseScore> =
    strata::Storage::sparse;

namespace strata::test::const_world_test {

TEST_SUITE("api/const_world") {
  TEST_CASE("a const world is read by queries, over tables, the side store and the hierarchy") {
    World world;
    const std::vector<Entity> entities = make_trees(world, 100);
    const World& reader = world;
    const std::uint32_t components = detail::parts_of(world).store.registry().size();
    auto query = reader.query<Entity, const Health, Maybe<const SparseHealth>, Parent<const Health>>();
    CHECK(query.count() == 100);
    CHECK(query.contains(entities[7]));
    CHECK(query.first());
    int sum = 0;
    query.cascade().each([&](Entity, const Health& own, const SparseHealth* sparse, const Health* parent) {
      sum += own.points + (sparse != nullptr ? sparse->points : 0) - (parent != nullptr ? parent->points : 0);
    });
    int expected = 0;
    for (int i = 0; i < 100; ++i) expected += i + (i % 3 == 0 ? i : 0) - (i % 10 != 0 ? i - i % 10 : 0);
    CHECK(sum == expected);
    CHECK(reader.query<const Health, With<Frozen>>().count() == 10);
    CHECK(reader.query<AnyOf<Frozen, SparseHealth>>().count() == 40);
    CHECK(reader.query<const Health>(child_of(entities[0])).count() == 9);
    int rows = 0;
    for (auto [entity, health] : reader.query<Entity, const Health>())
      rows += entities[health.points] == entity ? 1 : 0;
    CHECK(rows == 100);
    std::vector<int> falling;
    auto ordered = reader.query<const Health>();
    ordered.order_by<Health>([](const Health& health) { return -health.points; })
        .each([&](const Health& health) { falling.push_back(health.points); });
    CHECK(falling.front() == 99);
    CHECK(detail::parts_of(world).store.registry().size() == components);
  }
  TEST_CASE("an accessor of a const world reads, and one that is const, too") {
    World world;
    const std::vector<Entity> entities = make_trees(world, 20);
    const World& reader = world;
    auto healths = reader.accessor<const Health>();
    const auto sparse = reader.accessor<const SparseHealth>();
    const auto frozen = reader.accessor<const Frozen>();
    for (int i = 0; i < 20; ++i) {
      const Entity entity = entities[static_cast<std::size_t>(i)];
      CHECK(healths.get(entity).points == i);
      CHECK(std::as_const(healths).get(entity).points == i);
      CHECK((sparse.find(entity) != nullptr) == (i % 3 == 0));
      CHECK(frozen.contains(entity) == (i % 10 == 0));
    }
    CHECK_THROWS_AS((void)sparse.get(entities[1]), ContractViolation);
    world.set_storage<Health>(Storage::sparse);
    CHECK(healths.get(entities[5]).points == 5);
    CHECK(std::as_const(healths).get(entities[5]).points == 5);
  }
  TEST_CASE("what a const world does not know is on no entity, and is found once the world knows it") {
    World world;
    const World& reader = world;
    const Entity entity = world.create(Health{1});
    world.create(child_of(entity), Health{2});
    const std::uint32_t components = detail::parts_of(world).store.registry().size();
    auto scores = reader.query<const Score>();
    auto sparse_scores = reader.query<const SparseScore, const Health>();
    auto unmarked = reader.query<const Health, Without<Marked>, Maybe<const Score>>();
    auto below = reader.query<const Health, Parent<const Score>, Up<const SparseScore>>();
    auto either = reader.query<AnyOf<Marked, SparseScore, Health>>();
    const auto const_scores = reader.accessor<const Score>();
    auto sparse_accessor = reader.accessor<const SparseScore>();
    const auto marks = reader.accessor<const Marked>();
    CHECK(scores.count() == 0);
    CHECK(!scores.first());
    CHECK(sparse_scores.count() == 0);
    CHECK(unmarked.count() == 2);
    CHECK(either.count() == 2);
    CHECK(!scores.contains(entity));
    CHECK(scores.explain(entity) == "entity 0v1 does not match: it has no \"(not known to this world yet)\"");
    CHECK(!scores.explain().empty());
    const auto count_above = [&](bool both) {
      int found = 0;
      below.cascade().each([&](const Health&, const Score* parent, const SparseScore* above) {
        found += (parent != nullptr ? 1 : 0) + (above != nullptr ? 1 : 0);
      });
      CHECK(found == (both ? 2 : 0));
    };
    count_above(false);
    unmarked.each([](const Health&, const Score* score) { CHECK(score == nullptr); });
    CHECK(const_scores.find(entity) == nullptr);
    CHECK(sparse_accessor.find(entity) == nullptr);
    CHECK(!marks.contains(entity));
    CHECK(reader.query<const Score>().contains(entity) == false);
    CHECK(detail::parts_of(world).store.registry().size() == components);

    world.add(entity, Score{3});
    world.add(entity, SparseScore{4});
    world.add(entity, Marked{});
    CHECK(scores.count() == 1);
    CHECK(scores.contains(entity));
    CHECK(sparse_scores.first() == entity);
    CHECK(unmarked.count() == 1);
    count_above(true);
    CHECK(either.count() == 2);
    CHECK(const_scores.get(entity).points == 3);
    CHECK(sparse_accessor.get(entity).points == 4);
    CHECK(marks.contains(entity));
    CHECK(scores.matcher().check_invariants() == "");
    world.set_storage<Score>(Storage::sparse);
    CHECK(scores.count() == 1);
    CHECK(const_scores.get(entity).points == 3);
  }
  TEST_CASE("contains and explain know what was registered after the query was made") {
    World world;
    const World& reader = world;
    const Entity entity = world.create(Health{1});
    const auto with = reader.query<const Score>();
    const auto without = reader.query<const Health, Without<Score>>();
    auto explained = reader.query<const SparseScore>();
    CHECK(!with.contains(entity));
    CHECK(without.contains(entity));
    world.add(entity, Score{3});
    world.add(entity, SparseScore{3});
    CHECK(with.contains(entity));
    CHECK(with.count() == 1);
    CHECK(!without.contains(entity));
    CHECK(without.count() == 0);
    CHECK(explained.explain(entity).ends_with(" matches"));
    world.remove<Score>(entity);
    CHECK(!with.contains(entity));
  }

  TEST_CASE("a type whose name another shape has is unknown") {
    World world;
    world.component({.name = std::string(name_of<Score>), .size = 1, .alignment = 1});
    const World& reader = world;
    const Entity entity = world.create();
    CHECK(reader.query<const Score>().count() == 0);
    CHECK(reader.find<Score>(entity) == nullptr);
    CHECK_THROWS_AS(world.component<Score>(), ContractViolation);
  }
  TEST_CASE(
      "a const world is read by queries of terms that are values, whose rows hand out nothing to write") {
    World world;
    const std::vector<Entity> entities = make_trees(world, 30);
    const World& reader = world;
    const std::array<Term, 3> terms{{{Role::value, world.component<Health>()},
                                     {Role::optional, world.component<SparseHealth>()},
                                     {Role::related, world.component<Health>()}}};
    world.commands().create(Health{1});
    ConstRuntimeQuery query = reader.query(terms);
    static_assert(
        std::is_same_v<decltype(std::declval<const ConstRuntimeQuery::Row&>().value(0)), const void*>);
    CHECK(query.count() == 30);
    CHECK(query.contains(query.first()));
    CHECK(query.contains(entities[29]));
    int sum = 0;
    query.cascade(up).each([&](const ConstRuntimeQuery::Row& row) {
      sum += static_cast<const Health*>(row.value(0))->points;
      if (const void* const sparse = row.value(1)) sum += static_cast<const SparseHealth*>(sparse)->points;
      if (const void* const above = row.related(2)) sum -= static_cast<const Health*>(above)->points;
    });
    int expected = 0;
    for (int i = 0; i < 30; ++i) expected += i + (i % 3 == 0 ? i : 0) - (i % 10 != 0 ? i - i % 10 : 0);
    CHECK(sum == expected);
    int children = 0;
    query.children_of(entities[10]).each([&](const ConstRuntimeQuery::Row&) { ++children; });
    CHECK(children == 9);
    ConstRuntimeQuery tables = reader.query(std::span(terms).first(1));
    int blocks = 0;
    tables.each_block([&](const ConstRuntimeQuery::Block& block) {
      for (const Health& health : block.values<Health>(0)) blocks += health.points;
    });
    CHECK(blocks == 29 * 30 / 2);
    const std::array reads{Term{Role::read, world.component<Health>()}};
    reader.query(reads).each([&](const ConstRuntimeQuery::Row& row) {
      CHECK(row.value(0) == row.read(0));
      blocks -= static_cast<const Health*>(row.read(0))->points;
    });
    CHECK(blocks == 0);
    std::vector<Entity> named;
    reader.query(reads).each_of(entities,
                                [&](const ConstRuntimeQuery::Row& row) { named.push_back(row.entity()); });
    CHECK(named == entities);
    ConstRuntimeQuery by_depth = reader.query(reads);
    CHECK(by_depth.cascade().depth(0).count() == 3);
    CHECK(reader.query<const Health>().cascade().depths(1, 9).count() == 27);
    const std::array below{reads[0], Term{Role::parent_with, world.component<SparseHealth>()}};
    ConstRuntimeQuery of_roots = reader.query(below);
    CHECK(of_roots.count() == 9);
    CHECK(of_roots.cascade().depth(1).count() == of_roots.count());
    CHECK(world.size() == 30);  // What was recorded waits for a writer.
  }

  TEST_CASE("a const world is read layer by layer, also before it knows layers") {
    World world;
    const std::vector<Entity> entities = make_trees(world, 30);
    const World& reader = world;
    const std::uint32_t components = detail::parts_of(world).store.registry().size();
    auto layered = reader.layered_query<Entity, const Health>();
    std::vector<Entity> visited;
    const auto visit = [&] {
      visited.clear();
      layered.each([&](Entity entity, const Health&) { visited.push_back(entity); });
    };
    visit();
    CHECK(visited.size() == 30);
    CHECK(detail::parts_of(world).store.registry().size() == components);
    world.set_layer(entities[7], -1);
    world.set_layer(entities[3], 5);
    world.commands().create(Health{1});
    visit();
    REQUIRE(visited.size() == 30);
    CHECK(visited.front() == entities[7]);
    CHECK(visited.back() == entities[3]);
    std::vector<std::int32_t> keys;
    layered.each_layer([&](const auto& layer) { keys.push_back(layer.key()); });
    CHECK(keys == std::vector<std::int32_t>{-1, 0, 5});
    CHECK(world.size() == 30);
  }

  TEST_CASE("a query of a const world leaves recorded commands alone") {
    World world;
    const std::vector<Entity> entities = make_trees(world, 10);
    const World& reader = world;
    auto query = reader.query<const Health>();
    world.commands().add(entities[0], Score{1});
    world.commands().destroy(entities[9]);
    query.each([](const Health&) {});
    query.cascade().each([](const Health&) {});
    for ([[maybe_unused]] auto [health] : query) continue;
    query.order_by<Health>([](const Health& health) { return health.points; }).each([](const Health&) {});
    CHECK(query.count() == 10);
    CHECK(!world.has<Score>(entities[0]));
    world.flush();
    CHECK(query.count() == 9);
    CHECK(world.has<Score>(entities[0]));
  }
  TEST_CASE("passes that write to the world are refused to a query of a const one") {
    World world;
    make_trees(world, 10);
    const World& reader = world;
    auto query = reader.query<const Health>();
    const std::string told = refusal([&] { query.cascade().propagate([](const Health&) {}); });
    CHECK(told == "propagate changes the world: make the query from a World that is not const");
  }
  TEST_CASE("a const query answers, and stays as it is") {
    World world;
    make_trees(world, 30);
    const auto query = std::as_const(world).query<const Health>();
    world.create(Health{30}, Score{});  // An archetype that it has not matched.
    CHECK(query.count() == 31);
    CHECK(query.first());
    int rows = 0;
    query.each([&](const Health&) { ++rows; });
    query.cascade(up).each([&](const Health&) { ++rows; });
    CHECK(rows == 62);
  }
  // What this shows, the thread sanitizer judges: meson setup <folder> -Db_sanitize=thread -Db_lundef=false
  TEST_CASE("several threads read a const world at once, while commands are recorded in it") {
    constexpr std::size_t kReaders = 4;
    World world;
    const std::vector<Entity> entities = make_trees(world, 2000);
    const World& reader = world;
    const auto shared = reader.query<const Health>();
    const auto shared_healths = reader.accessor<const Health>();
    world.create(Health{0}, Score{0});
    for (int round = 0; round < 5; ++round) {
      world.set(entities[3], Health{round});
      world.commands().add(entities[4], Marked{});
      std::array<long, kReaders> sums{};
      std::vector<std::thread> threads;
      for (std::size_t i = 0; i < kReaders; ++i) {
        threads.emplace_back([&, i] {
          auto own = reader.query<const Health, Parent<const Health>, Without<Marked>>();
          long sum = 0;
          own.cascade().each([&](const Health& health, const Health*) { sum += health.points; });
          shared.each([&](const Health& health) { sum += health.points; });
          sum += static_cast<long>(shared.count() + reader.query<const SparseScore>().count());
          for (const Entity entity : entities) sum += shared_healths.get(entity).points;
          sums[i] = sum;
        });
      }
      for (std::thread& thread : threads) thread.join();
      const long points = 1999L * 1000 - 3 + round;
      for (const long sum : sums) CHECK(sum == 3 * points + 2001);
      CHECK(!world.has<Marked>(entities[4]));
    }
    world.flush();
    CHECK(world.has<Marked>(entities[4]));
    CHECK(world.validate());
  }
}

}  // namespace strata::test::const_world_test
