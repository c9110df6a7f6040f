// The forms of World::query: range-for with commands, children of an entity, terms by id, alternatives in
// layers.
#include <strata/strata.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <vector>

#include "../support/components.hpp"

namespace strata::test::queries_test {

TEST_SUITE("api/queries") {
  TEST_CASE("commands recorded in a range-for are applied when it ends, is left or is thrown out of") {
    World world;
    for (int i = 0; i < 5; ++i) world.create(Health{i}, Velocity{});
    for (auto [entity, health, velocity] : world.query<Entity, Health, const Velocity>()) {
      CHECK_THROWS_AS(world.destroy(entity), ContractViolation);
      if (health.points == 0) world.commands().destroy(entity);
      for (auto [other] : world.query<Entity>()) {
        if (other == entity) break;
      }
      CHECK(world.size() == 5);
    }
    CHECK(world.size() == 4);
    for (auto [entity] : world.query<Entity>().cascade()) {
      world.commands().destroy(entity);
      break;
    }
    CHECK(world.size() == 3);
    const auto leave = [&] {
      for (auto [entity] : world.query<Entity, With<Health>>()) {
        world.commands().destroy(entity);
        throw std::runtime_error("leave");
      }
    };
    CHECK_THROWS_AS(leave(), std::runtime_error);
    CHECK(world.size() == 2);
    CHECK(world.validate());
  }
  TEST_CASE("a query is narrowed to the children of an entity, also as a temporary of a loop") {
    World world;
    const Entity car = world.create(Health{1});
    world.create(child_of(world.create(child_of(car), Name{1})), Name{9});
    world.create(child_of(car), Health{2});
    world.create(child_of(car), Name{2});
    std::vector<std::uint64_t> ids;
    for (auto [name, above] : world.query<const Name, Parent<const Health>>(child_of(car))) {
      ids.push_back(name.id);
      CHECK(above->points == 1);
    }
    CHECK(ids == std::vector<std::uint64_t>{1, 2});
    auto wheels = world.query<Entity, Name>(child_of(car));
    CHECK(wheels.count() == 2);
    world.destroy(car);
    CHECK(wheels.count() == 0);
    for (auto [entity] : world.query<Entity>(child_of(car))) CHECK(!entity);
  }
  TEST_CASE("a query of component ids sees what the typed one sees") {
    World world;
    const Entity top = world.create(Health{1}, Position{});
    const Entity low = world.create(child_of(world.create(child_of(top))), Position{});
    const std::array terms{Term{Role::value, world.component<Position>()},
                           Term{Role::nearest, world.component<Health>()}};
    RuntimeQuery query = world.query(terms);
    std::vector<Entity> visited;
    query.cascade(up).each([&](const RuntimeQuery::Row& row) {
      visited.push_back(row.entity());
      CHECK((row.related(1) != nullptr) == (row.entity() == low));
    });
    CHECK(visited == std::vector<Entity>{low, top});
    query.cascade().each_block([&](const RuntimeQuery::Block& block) {
      for (Position& position : block.values<Position>(0)) position.x += 1;
    });
    CHECK(world.get<Position>(low).x == 1);
    CHECK(query.explain().find("by rising rank") == std::string::npos);
    CHECK(query.cascade().explain().find("by rising rank") != std::string::npos);
  }
  TEST_CASE("a query is narrowed to some depths, in all layouts") {
    for (const Layout layout : {Layout::per_parent, Layout::per_level, Layout::adaptive}) {
      World world(WorldOptions{.layout = layout});
      std::vector<Entity> above{world.create(Health{0})};
      for (int depth = 1; depth < 5; ++depth) {
        std::vector<Entity> level;
        for (const Entity parent : above) {
          for (int i = 0; i < 3; ++i) level.push_back(world.create(child_of(parent), Health{depth}));
        }
        above = level;
      }
      auto query = world.query<Entity, const Health, Parent<const Health>>();
      std::size_t visited = 0;
      query.cascade().depth(2).each([&](Entity entity, const Health& health, const Health* parent) {
        CHECK(world.depth(entity) == 2);
        CHECK(health.points == 2);
        CHECK(parent->points == 1);
        ++visited;
      });
      CHECK(visited == 9);
      CHECK(query.cascade().depth(0).count() == 1);
      CHECK(query.cascade(up).depths(1, 2).count() == 12);
      CHECK(world.depth(query.cascade(up).depths(1, 2).first()) == 2);
      CHECK(query.cascade().depths(3, 1000).count() == 27 + 81);
      CHECK(query.cascade().depth(5).count() == 0);
      CHECK(!query.cascade().depth(4000000000u).first());
      int sum = 0;
      for (auto [entity, health, parent] : query.cascade(up).depths(3, 4)) sum += health.points;
      CHECK(sum == 27 * 3 + 81 * 4);
      const auto deepest = query.cascade().depth(4);
      CHECK(deepest.contains(above.back()));
      CHECK(!deepest.contains(world.parent(above.back())));
      CHECK_THROWS_WITH_AS(query.cascade().depths(2, 1), doctest::Contains("depths(2, 1)"),
                           ContractViolation);
      CHECK_THROWS_WITH_AS(query.cascade().depth(1).propagate([](auto&&...) {}),
                           doctest::Contains("all depths"), ContractViolation);
    }
  }
  TEST_CASE("of named entities, those that match are visited in the order in which they are named") {
    World world;
    std::vector<Entity> named;
    for (int i = 0; i < 400; ++i) {
      const Entity parent = i % 7 == 0 ? Entity() : named[static_cast<std::size_t>(i / 2)];
      named.push_back(parent ? world.create(child_of(parent), Health{i}) : world.create(Health{i}));
      if (i % 2 == 0) world.add(named.back(), SparseHealth{i});
      if (i % 5 == 0) world.remove<Health>(named.back());
    }
    std::reverse(named.begin(), named.end());
    named.push_back(named.front());
    const Entity stale = world.create(Health{-1});
    world.destroy(stale);
    named.insert(named.begin() + 200, {stale, Entity(), named[3]});
    const auto expected = [&](auto matches) {
      std::vector<Entity> entities;
      for (const Entity entity : named) {
        if (world.alive(entity) && matches(entity)) entities.push_back(entity);
      }
      return entities;
    };
    auto query =
        world.query<Entity, Health, const SparseHealth, Parent<const Health>, Up<const SparseHealth>>();
    std::vector<Entity> visited;
    query.each_of(named, [&](Entity entity, Health& health, const SparseHealth& sparse, const Health* parent,
                             const SparseHealth* up) {
      CHECK(&health == world.find<Health>(entity));
      CHECK(sparse.points == world.get<SparseHealth>(entity).points);
      CHECK((parent != nullptr) == (world.parent(entity) && world.has<Health>(world.parent(entity))));
      CHECK((up == nullptr) == (world.ancestors_with<SparseHealth>(entity).begin() ==
                                world.ancestors_with<SparseHealth>(entity).end()));
      CHECK_THROWS_AS(world.destroy(entity), ContractViolation);
      if (visited.empty()) world.commands().create(Name{5});
      visited.push_back(entity);
    });
    CHECK(visited == expected([&](Entity e) { return world.has<Health>(e) && world.has<SparseHealth>(e); }));
    CHECK(world.query<Name>().count() == 1);
    const World& reader = world;
    visited.clear();
    const auto reading = reader.query<Entity, Maybe<const Health>>();
    reading.each_of(named, [&](Entity entity, const Health*) { visited.push_back(entity); });
    CHECK(visited == expected([](Entity) { return true; }));
    reading.each_of({}, [](Entity, const Health*) { FAIL("nothing was named"); });
  }
  TEST_CASE("alternatives narrow layered queries and partial updates") {
    World world;
    const Entity a = world.create(Health{1});
    const Entity b = world.create(child_of(a), Name{2});
    const Entity c = world.create(child_of(b), Velocity{});
    world.add(c, SparseHealth{3});
    const Entity d = world.create(child_of(c), Velocity{});
    world.set_layer(a, 5);
    world.set_layer(c, -5);
    std::vector<Entity> visited;
    world.layered_query<Entity, AnyOf<Health, SparseHealth>>().each(
        [&](Entity entity) { visited.push_back(entity); });
    CHECK(visited == std::vector<Entity>{c, a});
    auto query = world.query<Entity, AnyOf<Health, SparseHealth, Frozen>>();
    world.add<Dirty>(a);
    const auto changed = query.cascade().propagate([](Entity) {});
    CHECK(std::vector<Entity>(changed.begin(), changed.end()) == std::vector<Entity>{a, c});
    world.add<Frozen>(d);
    CHECK(query.count() == 3);
    CHECK(query.first() == a);
    CHECK(query.contains(d));
    CHECK(!query.contains(b));
  }
  TEST_CASE("terms that only filter name a component with or without const") {
    World world;
    world.create(Health{1});
    world.create(Health{2}, Frozen{});
    world.create(Health{3}, Frozen{}, Name{3});
    CHECK(world.query<const Health, With<const Frozen>>().count() == 2);
    CHECK(world.query<const Health, Without<const Frozen>>().count() == 1);
    CHECK(world.query<const Health, With<const Name>, Without<Velocity>>().count() == 1);
    CHECK(world.query<AnyOf<const Velocity, const Name>>().count() == 1);
    CHECK(std::as_const(world).query<Without<const Name>>().count() == 2);
    CHECK(world.query<const Health>().count() == 3);
    std::size_t entered = 0;
    const auto subscription = world.observers().on_enter<With<const Name>>([&](Entity) { ++entered; });
    world.create(Name{4});
    CHECK(entered == 1);
    CHECK(world.validate());
  }
  TEST_CASE("a copy of a query that is made during its ordered visit can be ordered") {
    World world;
    world.create(Health{2});
    world.create(Health{1});
    auto query = world.query<const Health>();
    std::optional<Query<const Health>> copy;
    const auto points = [](const Health& health) { return health.points; };
    query.order_by<Health>(points).each([&](const Health&) {
      if (!copy) copy = query;
    });
    std::vector<int> seen;
    copy->order_by<Health>(points).each([&](const Health& health) { seen.push_back(health.points); });
    CHECK(seen == std::vector<int>{1, 2});
  }
}

}  // namespace strata::test::queries_test
