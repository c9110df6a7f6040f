// Changes in an order by depth, and with all entities below.
#include <strata/strata.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../support/components.hpp"

namespace strata::test::changed_subtrees_test {

namespace {

struct Local {
  int x = 0;
};
struct Global {
  int x = 0;
};

}  // namespace

}  // namespace strata::test::changed_subtrees_test

template <>
inline constexpr strata::Tracking strata::tracking_of<strata::test::changed_subtrees_test::Local> =
    strata::Tracking::rows;

namespace strata::test::changed_subtrees_test {

namespace {

constexpr std::array kLayouts{Layout::per_parent, Layout::per_level, Layout::adaptive};

/// A tree in which each entity but the first has a parent created before; and the pass that keeps Global right.
struct Scene {
  World world;
  std::vector<Entity> entities;
  Query<Entity, const Local, Global, Parent<const Global>> transforms =
      world.query<Entity, const Local, Global, Parent<const Global>>();

  explicit Scene(Layout layout) : world(WorldOptions{.layout = layout, .large_family = 4}) {
    entities.push_back(world.create(Local{1}, Global{}));
    for (std::size_t i = 1; i < 200; ++i) {
      entities.push_back(world.create(child_of(entities[i * 7 / 10]), Local{static_cast<int>(i)}, Global{}));
    }
  }

  std::vector<Entity> update() {
    std::vector<Entity> visited;
    transforms.cascade().changed_subtrees<Local>().each(
        [&](Entity entity, const Local& local, Global& global, const Global* parent) {
          visited.push_back(entity);
          global.x = local.x + (parent != nullptr ? parent->x : 0);
        });
    return visited;
  }
  bool is_right() const {
    return std::all_of(entities.begin(), entities.end(), [&](Entity entity) {
      int sum = world.get<Local>(entity).x;
      for (const Entity above : world.ancestors(entity)) sum += world.get<Local>(above).x;
      return world.get<Global>(entity).x == sum;
    });
  }
};

}  // namespace

TEST_SUITE("api/changed_subtrees") {
  TEST_CASE(
      "values that are handed down are right without marks, and only what is below a write is visited") {
    for (const Layout layout : kLayouts) {
      Scene s(layout);
      CHECK(s.update().size() == s.entities.size());
      CHECK(std::as_const(s).is_right());
      CHECK(s.update().empty());
      for (const std::size_t written : {150u, 3u, 77u, 20u}) {
        s.world.get<Local>(s.entities[written]).x += 1000;
        const std::size_t below = s.world.breadth_first(s.entities[written]).size();
        CHECK(s.transforms.cascade().changed_subtrees<Local>().count() == below);
        CHECK(s.update().size() == below);
        CHECK(std::as_const(s).is_right());
      }
    }
  }
  TEST_CASE("an entity under several that were written is visited once, after all above it") {
    Scene s(Layout::adaptive);
    s.update();
    for (const std::size_t written : {2u, 9u, 40u, 41u, 3u}) s.world.get<Local>(s.entities[written]).x = 5;
    const std::vector<Entity> visited = s.update();
    CHECK(std::is_sorted(visited.begin(), visited.end(),
                         [&](Entity a, Entity b) { return s.world.depth(a) < s.world.depth(b); }));
    std::vector<Entity> once = visited;
    std::sort(once.begin(), once.end());
    CHECK(std::unique(once.begin(), once.end()) == once.end());
    CHECK(std::as_const(s).is_right());
  }
  TEST_CASE("a written entity that does not match leads to those below that do") {
    World world;
    const Entity group = world.create(Local{1});
    const Entity child = world.create(child_of(world.create(child_of(group))), Health{1});
    auto query = world.query<Entity, const Health, Up<const Local>>();
    const auto visit = [&] {
      std::vector<Entity> visited;
      query.cascade().changed_subtrees<Local>().each([&](Entity entity, const Health&, const Local* local) {
        CHECK(local->x == world.get<Local>(group).x);
        visited.push_back(entity);
      });
      return visited;
    };
    CHECK(visit() == std::vector<Entity>{child});
    world.set(group, Local{2});
    // The visitor above reads through a World that is not const, which counts as a write.
    CHECK(visit() == std::vector<Entity>{child});
  }
  TEST_CASE("changes alone are visited by depth, in both directions") {
    Scene s(Layout::per_level);
    s.update();
    auto query = s.world.query<Entity, const Local>();
    query.changed<Local>().each([](auto&&...) {});
    for (const std::size_t written : {100u, 1u, 30u}) s.world.get<Local>(s.entities[written]).x = 5;
    CHECK(query.cascade().changed<Local>().count() == 3);
    CHECK(query.cascade().depth(s.world.depth(s.entities[30])).changed<Local>().count() == 1);
    std::vector<Entity> visited;
    query.cascade(up).changed<Local>().each([&](Entity entity, const Local&) { visited.push_back(entity); });
    CHECK(visited == std::vector<Entity>{s.entities[100], s.entities[30], s.entities[1]});
    CHECK(query.cascade().changed<Local>().count() == 0);
  }
  TEST_CASE("a visitor may query, record and throw; the next visit then goes there again") {
    Scene s(Layout::adaptive);
    s.update();
    s.world.get<Local>(s.entities[0]).x = 9;
    std::size_t calls = 0;
    const auto fail = [&](Entity entity, auto&&...) {
      CHECK_THROWS_AS(s.world.destroy(entity), ContractViolation);
      CHECK_THROWS_WITH_AS(s.update(), doctest::Contains("two queries"), ContractViolation);
      s.world.commands().add<Frozen>(entity);
      if (++calls == 50) throw std::runtime_error("enough");
    };
    CHECK_THROWS_AS(s.transforms.cascade().changed_subtrees<Local>().each(fail), std::runtime_error);
    s.world.flush();
    CHECK(s.world.query<With<Frozen>>().count() == 50);
    CHECK(s.update().size() == s.entities.size());
    CHECK(std::as_const(s).is_right());
  }
  TEST_CASE("the order and the world must allow it") {
    Scene s(Layout::adaptive);
    CHECK_THROWS_WITH_AS(s.transforms.cascade(up).changed_subtrees<Local>(), doctest::Contains("cascade(up)"),
                         ContractViolation);
    CHECK_THROWS_WITH_AS(s.transforms.cascade().depth(1).changed_subtrees<Local>(),
                         doctest::Contains("all depths"), ContractViolation);
    auto reading = std::as_const(s.world).query<const Global>();
    CHECK_THROWS_WITH_AS(reading.cascade().changed_subtrees<Local>().each([](const Global&) {}),
                         doctest::Contains("changed_subtrees changes the world"), ContractViolation);
    CHECK(reading.cascade().changed_subtrees<Local>().count() == s.entities.size());
  }
}

}  // namespace strata::test::changed_subtrees_test
