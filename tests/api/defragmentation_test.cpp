#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <vector>

#include "../support/components.hpp"

namespace strata::test::defragmentation_test {

namespace {

using Cascade = Query<Entity, const Health, Parent<const Health>>;

/// A tree whose children's rows alternate between families, so that defragmentation pays after some cascades.
struct Scattered {
  static constexpr std::size_t kParents = 100;
  static constexpr int kMany = 300;

  World world;
  std::vector<Entity> children;

  explicit Scattered(Defragmentation defragmentation = Defragmentation::automatic)
      : world(WorldOptions{.layout = Layout::per_level, .defragmentation = defragmentation}) {
    std::vector<Entity> parents;
    for (std::size_t i = 0; i < kParents; ++i) parents.push_back(world.create(Health{0}));
    for (std::size_t i = 0; i < kParents * 20; ++i) {
      children.push_back(world.create(child_of(parents[i * 17 % kParents]), Health{static_cast<int>(i)}));
    }
  }

  std::vector<const Health*> addresses() const {
    std::vector<const Health*> all;
    for (const Entity child : children) all.push_back(world.find<Health>(child));
    return all;
  }
  bool whole() const {
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (world.get<Health>(children[i]).points != static_cast<int>(i)) return false;
    }
    return static_cast<bool>(world.validate());
  }
};

template <class AnyQuery>
void visit(AnyQuery&& query) {
  query.cascade().each([](Entity, const Health&, const Health*) {});
}

/// Returns: whether cascades by `pass` move rows.
template <class Pass>
bool moves_rows(const Scattered& scene, Pass pass) {
  const auto before = scene.addresses();
  for (int i = 0; i < Scattered::kMany; ++i) pass();
  CHECK(scene.whole());
  return scene.addresses() != before;
}

}  // namespace

TEST_SUITE("api/defragmentation") {
  TEST_CASE("cascades defragment rows that lie out of order by themselves, in every kind of loop") {
    SUBCASE("each") {
      Scattered scene;
      auto query = scene.world.query<Entity, const Health, Parent<const Health>>();
      CHECK(moves_rows(scene, [&] { visit(query); }));
      CHECK(scene.world.defragment(0));
    }
    SUBCASE("upwards") {
      Scattered scene;
      auto query = scene.world.query<Entity, const Health, Parent<const Health>>();
      CHECK(moves_rows(scene, [&] { query.cascade(up).each([](Entity, const Health&, const Health*) {}); }));
    }
    SUBCASE("each_block") {
      Scattered scene;
      auto query = scene.world.query<const Health, Parent<const Health>>();
      CHECK(moves_rows(scene, [&] { query.cascade().each_block([](auto, auto) {}); }));
    }
    SUBCASE("range-for") {
      Scattered scene;
      auto query = scene.world.query<const Health, Parent<const Health>>();
      CHECK(moves_rows(scene, [&] {
        for (auto [own, above] : query.cascade()) (void)own, (void)above;
      }));
    }
    SUBCASE("by component ids") {
      Scattered scene;
      const ComponentId health = scene.world.component<Health>();
      const Term asked[] = {{.role = Role::value, .id = health}, {.role = Role::related, .id = health}};
      RuntimeQuery query = scene.world.query(asked);
      CHECK(moves_rows(scene, [&] { query.cascade().each([](const RuntimeQuery::Row&) {}); }));
    }
  }
  TEST_CASE("where defragmentation is manual, no cascade moves rows") {
    Scattered scene(Defragmentation::manual);
    auto query = scene.world.query<Entity, const Health, Parent<const Health>>();
    CHECK(!moves_rows(scene, [&] { visit(query); }));
  }
  TEST_CASE("a query of a const world moves no rows") {
    Scattered scene;
    const World& world = scene.world;
    auto query = world.query<Entity, const Health, Parent<const Health>>();
    CHECK(!moves_rows(scene, [&] { visit(query); }));
    // What its passes have lost counts for the next query that may defragment.
    visit(scene.world.query<Entity, const Health, Parent<const Health>>());
    CHECK(scene.world.defragment(0));
    CHECK(scene.whole());
  }
  TEST_CASE("a visit without an order moves no rows") {
    Scattered scene;
    auto query = scene.world.query<Entity, const Health, Parent<const Health>>();
    CHECK(!moves_rows(scene, [&] { query.each([](Entity, const Health&, const Health*) {}); }));
  }
  TEST_CASE("a cascade inside a visit moves no rows: what the visit was handed stays where it is") {
    Scattered scene;
    auto outer = scene.world.query<Entity, const Health>();
    auto inner = scene.world.query<Entity, const Health, Parent<const Health>>();
    const auto before = scene.addresses();
    outer.each([&](Entity entity, const Health& health) {
      visit(inner);
      REQUIRE(scene.world.find<Health>(entity) == &health);
    });
    for (auto [entity, health] : outer) {
      visit(inner);
      REQUIRE(scene.world.find<Health>(entity) == &health);
    }
    CHECK(scene.addresses() == before);
    visit(inner);
    CHECK(scene.addresses() != before);
    CHECK(scene.whole());
  }
  TEST_CASE("a cascade inside an operation that calls user code moves no rows") {
    Scattered scene;
    auto query = scene.world.query<Entity, const Health, Parent<const Health>>();
    const Entity parent = scene.world.parent(scene.children[0]);
    const auto before = scene.addresses();
    for (int i = 0; i < 20; ++i) {
      scene.world.sort_children(parent, [&](Entity a, Entity b) {
        visit(query);
        return a.index() < b.index();
      });
    }
    CHECK(scene.addresses() == before);
    visit(query);
    CHECK(scene.addresses() != before);
  }
  TEST_CASE("commands that wait for a flush are not applied by defragmentation") {
    Scattered scene;
    auto query = scene.world.query<Entity, const Health, Parent<const Health>>();
    scene.world.commands().destroy(scene.children[7]);
    CHECK(moves_rows(scene, [&] { visit(query); }));
    CHECK(scene.world.alive(scene.children[7]));
    scene.world.flush();
    CHECK(!scene.world.alive(scene.children[7]));
  }
}

}  // namespace strata::test::defragmentation_test
