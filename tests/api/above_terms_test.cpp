// Terms that ask what the parent or an ancestor has and hand out nothing, in all forms of queries.
#include <strata/strata.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>
#include <vector>

#include "../support/components.hpp"
#include "../support/tracked.hpp"

namespace strata::test::above_terms_test {

using detail::Reach;

namespace {

constexpr std::array kLayouts{Layout::per_parent, Layout::per_level, Layout::adaptive};

/// A random forest whose entities have some of the components.
struct Forest {
  World world;
  std::vector<Entity> entities;

  // Cascades move no rows, so that all visits have the same order.
  Forest(Layout layout, unsigned seed)
      : world(WorldOptions{.layout = layout, .large_family = 4, .defragmentation = Defragmentation::manual}) {
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < 300; ++i) {
      const std::size_t below = random() % (i + 1);
      const Entity entity =
          random() % 12 == 0 || i == 0 ? world.create() : world.create(child_of(entities[below / 2 % i]));
      entities.push_back(entity);
      if (random() % 3 != 0) world.add(entity, ByRow{static_cast<int>(i)});
      if (random() % 3 == 0) world.add(entity, Health{static_cast<int>(random() % 1000)});
      if (random() % 3 == 0) world.add<Frozen>(entity);
      if (random() % 3 == 0) world.add(entity, SparseHealth{static_cast<int>(i)});
      if (random() % 3 == 0) world.add<SparseFrozen>(entity);
    }
    for (int i = 0; i < 40; ++i) {
      static_cast<void>(world.set_parent(entities[random() % 300], entities[random() % 300]));
    }
  }

  template <class T>
  bool above(Entity entity, Reach reach) const {
    if (reach == Reach::parent) return world.has<T>(world.parent(entity));
    for (const Entity ancestor : world.ancestors(entity)) {
      if (world.has<T>(ancestor)) return true;
    }
    return false;
  }
  template <class Matches>
  std::vector<Entity> all(Matches matches) const {
    std::vector<Entity> found;
    for (const Entity entity : entities) {
      if (matches(entity)) found.push_back(entity);
    }
    std::sort(found.begin(), found.end());
    return found;
  }
};

std::vector<Entity> sorted(std::vector<Entity> entities) {
  std::sort(entities.begin(), entities.end());
  return entities;
}

template <class Selected>
std::vector<Entity> visited(Selected&& selected) {
  std::vector<Entity> entities;
  selected.each([&](Entity entity, auto&&...) { entities.push_back(entity); });
  return entities;
}
template <class Selected>
std::vector<Entity> visited_by_loop(Selected&& selected) {
  std::vector<Entity> entities;
  for (const auto& row : selected) entities.push_back(std::get<0>(row));
  return entities;
}

/// Checks the forms of a query, whose first term is Entity, for the entities that match.
template <class Query>
void check_forms(const Forest& forest, Query& query, const std::vector<Entity>& expected) {
  REQUIRE(sorted(visited(query)) == expected);
  CHECK(query.count() == expected.size());
  CHECK(query.first() == (expected.empty() ? Entity() : visited(query).front()));
  CHECK(visited_by_loop(query) == visited(query));
  for (const Direction direction : {Direction::down, Direction::up}) {
    const std::vector<Entity> by_depth = visited(query.cascade(direction));
    CHECK(sorted(by_depth) == expected);
    CHECK(visited_by_loop(query.cascade(direction)) == by_depth);
    CHECK(query.cascade(direction).first() == (by_depth.empty() ? Entity() : by_depth.front()));
    std::vector<Entity> second = by_depth;
    std::erase_if(second, [&](Entity entity) { return forest.world.depth(entity) != 2; });
    CHECK(visited(query.cascade(direction).depth(2)) == second);
    CHECK(query.cascade(direction).depth(2).count() == second.size());
  }
  std::vector<Entity> of_families;
  for (const Entity parent : forest.entities) {
    const std::vector<Entity> children = visited(query.children_of(parent));
    CHECK(query.children_of(parent).count() == children.size());
    CHECK(query.children_of(parent).first() == (children.empty() ? Entity() : children.front()));
    of_families.insert(of_families.end(), children.begin(), children.end());
  }
  CHECK(sorted(of_families) == forest.all([&](Entity entity) {
    return forest.world.parent(entity) && std::binary_search(expected.begin(), expected.end(), entity);
  }));
  std::vector<Entity> named;
  query.each_of(forest.entities, [&](Entity entity, auto&&...) { named.push_back(entity); });
  CHECK(sorted(named) == expected);
  for (const Entity entity : forest.entities) {
    const bool matches = std::binary_search(expected.begin(), expected.end(), entity);
    CHECK(query.contains(entity) == matches);
    CHECK((query.explain(entity).find(" matches") != std::string::npos) == matches);
  }
}

template <class T>
void check_component(const Forest& forest, World& world) {
  const auto matching = [&](Reach reach, bool wanted) {
    return forest.all([&](Entity e) { return forest.above<T>(e, reach) == wanted; });
  };
  auto below_one = world.query<Entity, With<Parent<T>>>();
  auto below_none = world.query<Entity, Without<Parent<const T>>, Maybe<const Health>>();
  auto below = world.query<Entity, With<Up<T>>, Parent<const Health>>();
  auto not_below = world.query<Entity, Without<Up<T>>, Maybe<const SparseHealth>>();
  check_forms(forest, below_one, matching(Reach::parent, true));
  check_forms(forest, below_none, matching(Reach::parent, false));
  check_forms(forest, below, matching(Reach::ancestors, true));
  check_forms(forest, not_below, matching(Reach::ancestors, false));
  std::vector<Entity> in_blocks;
  below.cascade().each_block(
      [&](std::span<const Entity> entities, const Parent<const Health>::Span& healths) {
        for (std::size_t row = 0; row < entities.size(); ++row) {
          in_blocks.push_back(entities[row]);
          const Health* const health = std::as_const(world).find<Health>(world.parent(entities[row]));
          CHECK((healths[row] == nullptr) == (health == nullptr));
          if (health != nullptr) CHECK(healths[row]->points == health->points);
        }
      });
  CHECK(sorted(in_blocks) == matching(Reach::ancestors, true));
  const World& reader = world;
  auto reading = reader.query<Entity, With<Parent<T>>>();
  CHECK(visited(reading) == visited(below_one));
}

}  // namespace

TEST_SUITE("api/above_terms") {
  TEST_CASE("every form of a query visits what asking every entity would find, for all kinds of components") {
    for (const Layout layout : kLayouts) {
      for (const unsigned seed : {1u, 2u}) {
        Forest forest(layout, seed);
        check_component<Health>(forest, forest.world);
        check_component<Frozen>(forest, forest.world);
        check_component<SparseHealth>(forest, forest.world);
        check_component<SparseFrozen>(forest, forest.world);
        forest.world.set_storage<Health>(Storage::sparse);
        forest.world.set_storage<SparseFrozen>(Storage::table);
        check_component<Health>(forest, forest.world);
        check_component<SparseFrozen>(forest, forest.world);
      }
    }
  }
  TEST_CASE("changed, order_by and layers observe what is above") {
    for (const Layout layout : kLayouts) {
      Forest forest(layout, 5);
      World& world = forest.world;
      auto query =
          world.query<Entity, const ByRow, const Health, With<Up<Frozen>>, Without<Parent<SparseHealth>>>();
      const auto matching = [&] {
        return forest.all([&](Entity e) {
          return std::as_const(world).find<ByRow>(e) != nullptr && world.has<Health>(e) &&
                 forest.above<Frozen>(e, Reach::ancestors) && !forest.above<SparseHealth>(e, Reach::parent);
        });
      };
      REQUIRE(!matching().empty());
      CHECK(query.changed<ByRow>().count() == matching().size());
      CHECK(sorted(visited(query.changed<ByRow>())) == matching());
      CHECK(visited(query.changed<ByRow>()).empty());
      for (const Entity entity : forest.entities) static_cast<void>(world.find<ByRow>(entity));
      std::vector<Entity> spans;
      query.cascade().changed<ByRow>().each_block([&](std::span<const Entity> entities, auto&&...) {
        spans.insert(spans.end(), entities.begin(), entities.end());
      });
      CHECK(sorted(spans) == matching());
      static_cast<void>(world.get<ByRow>(matching().front()));
      CHECK(visited(query.changed<ByRow>()) == std::vector<Entity>{matching().front()});
      for (const Entity entity : forest.entities) static_cast<void>(world.find<ByRow>(entity));
      CHECK(sorted(visited(query.cascade().changed_subtrees<ByRow>())) == matching());
      std::vector<int> points;
      query.order_by<Health>([](const Health& health) { return health.points; })
          .each([&](Entity, const ByRow&, const Health& health) { points.push_back(health.points); });
      CHECK(points.size() == matching().size());
      CHECK(std::is_sorted(points.begin(), points.end()));
      // No row moves, and the next ordered visit still sees that another entity above has the component.
      for (const Entity entity : forest.entities) world.remove<SparseHealth>(entity);
      std::size_t ordered = 0;
      query.order_by<Health>([](const Health& health) { return health.points; }).each([&](auto&&...) {
        ++ordered;
      });
      CHECK(ordered == matching().size());
      for (std::size_t i = 0; i < 300; i += 2) world.set_layer(forest.entities[i], i % 3 == 0 ? 1 : -1);
      auto layered = world.layered_query<Entity, const Health, With<Parent<Frozen>>>();
      std::vector<Entity> painted;
      layered.each([&](Entity entity, const Health&) { painted.push_back(entity); });
      CHECK(sorted(painted) == forest.all([&](Entity e) {
        return world.has<Health>(e) && forest.above<Frozen>(e, Reach::parent);
      }));
    }
  }
  TEST_CASE("changed accepts a component that an AnyOf names in any position beside a term on the parent") {
    World world;
    const Entity parent = world.create(ByRow{1});
    const Entity child = world.create(child_of(parent), ByRow{2});
    world.create(child_of(parent), Health{3});

    auto query = world.query<Entity, AnyOf<Health, ByRow>, Parent<const ByRow>>();
    std::vector<Entity> visited;
    const auto visit = [&](Entity entity, const ByRow*) { visited.push_back(entity); };
    query.changed<ByRow>().each(visit);
    CHECK(visited == std::vector{parent, child});

    visited.clear();
    world.get<ByRow>(child).value = 4;
    query.changed<ByRow>().each(visit);
    CHECK(visited == std::vector{child});
  }

  TEST_CASE("a query of component ids asks the same, and names the term in what it refuses") {
    Forest forest(Layout::adaptive, 9);
    World& world = forest.world;
    const std::array terms{Term{Role::entity, {}}, Term{Role::read, world.component<Health>()},
                           Term{Role::ancestor_with, world.component<Frozen>()},
                           Term{Role::parent_without, world.component<SparseFrozen>()}};
    RuntimeQuery query = world.query(terms);
    auto typed = world.query<Entity, const Health, With<Up<Frozen>>, Without<Parent<SparseFrozen>>>();
    std::vector<Entity> rows;
    query.cascade().each([&](const RuntimeQuery::Row& row) {
      rows.push_back(row.entity());
      CHECK_THROWS_WITH_AS(row.related(2), doctest::Contains("term 2"), ContractViolation);
      CHECK_THROWS_WITH_AS(row.read(3), doctest::Contains("term 3"), ContractViolation);
    });
    CHECK(rows == visited(typed.cascade()));
    CHECK(query.count() == rows.size());
    std::size_t in_blocks = 0;
    query.each_block([&](const RuntimeQuery::Block& block) { in_blocks += block.size(); });
    CHECK(in_blocks == rows.size());
    const std::string text = query.explain();
    CHECK(text.find("an ancestor with \"strata::test::Frozen\"\n") != std::string::npos);
    CHECK(text.find("no parent with \"strata::test::SparseFrozen\", in the side store\n") !=
          std::string::npos);
    CHECK(text.find("looks above the rows") != std::string::npos);
    const Entity parent = world.create(SparseFrozen{});
    const Entity child = world.create(child_of(parent), Health{1});
    const std::string reason = query.explain(child);
    CHECK(reason.find("it has no ancestor with \"strata::test::Frozen\" and has a parent with "
                      "\"strata::test::SparseFrozen\", which is excluded") != std::string::npos);
    const World& reader = world;
    CHECK(reader.query(terms).count() == rows.size());
  }
  TEST_CASE("sums of children are folded into those parents that the query lets through") {
    for (const Layout layout : kLayouts) {
      World world(WorldOptions{.layout = layout, .large_family = 4});
      std::vector<Entity> parents;
      for (int i = 0; i < 40; ++i) {
        parents.push_back(world.create(ByRow{0}));
        if (i % 3 == 0) world.add<Frozen>(parents.back());
        for (int child = 0; child < i % 7; ++child) world.create(child_of(parents.back()), ByRow{1});
      }
      auto sums = world.query<const ByRow, Parent<ByRow>, Without<Parent<Frozen>>>();
      auto written = world.query<Entity, const ByRow, With<Frozen>>();
      written.changed<ByRow>().each([](auto&&...) {});
      sums.cascade(up).each([](const ByRow& row, ByRow* above) {
        if (above != nullptr) above->value += row.value;
      });
      for (int i = 0; i < 40; ++i) {
        const int expected = i % 3 == 0 ? 0 : i % 7;
        CHECK(std::as_const(world).get<ByRow>(parents[static_cast<std::size_t>(i)]).value == expected);
      }
      CHECK(written.changed<ByRow>().count() == 0);
    }
  }
  TEST_CASE("roots are below nothing, and a component that no entity has is above none") {
    World world;
    const Entity root = world.create(Health{1});
    const Entity child = world.create(child_of(root), Health{2});
    CHECK(visited(world.query<Entity, Without<Parent<Health>>>()) == std::vector<Entity>{root});
    CHECK(visited(world.query<Entity, With<Up<Health>>>()) == std::vector<Entity>{child});
    const World& reader = world;
    CHECK(reader.query<Entity, With<Up<Wide>>>().count() == 0);
    CHECK(reader.query<Entity, Without<Up<SparseWide>>>().count() == 2);
  }
  TEST_CASE("along a long chain, searches for a value and for membership do not mix up what they remember") {
    for (const Layout layout : kLayouts) {
      World world(WorldOptions{.layout = layout});
      const Entity root = world.create(Name{7}, SparseHealth{3}, Frozen{});
      Entity last = root;
      for (int i = 0; i < 3000; ++i) {
        last = world.create(child_of(last));
        if (i % 5 == 0) world.add(last, Health{i});
      }
      auto query = world.query<Entity, Up<const Name>, With<Up<Name>>, Without<Up<Wide>>,
                               With<Up<SparseHealth>>, Up<const SparseHealth>, With<Up<Frozen>>>();
      std::size_t rows = 0;
      const auto check = [&](Entity, const Name* name, const SparseHealth* health) {
        rows += name != nullptr && name->id == 7 && health != nullptr && health->points == 3 ? 1 : 0;
      };
      query.each(check);
      query.cascade(up).each(check);
      CHECK(rows == 6000);
      CHECK(query.contains(last));
      world.remove<Frozen>(root);
      CHECK(query.count() == 0);
    }
  }
  TEST_CASE("what is above is asked anew after every change of the tree") {
    World world;
    const Entity vehicle = world.create(Frozen{});
    const Entity garage = world.create();
    const Entity wheel = world.create(child_of(world.create(child_of(vehicle))), Health{1});
    auto query = world.query<Entity, const Health, With<Up<Frozen>>>();
    CHECK(query.count() == 1);
    REQUIRE(world.set_parent(world.parent(wheel), garage));
    CHECK(query.count() == 0);
    REQUIRE(world.set_parent(garage, vehicle));
    CHECK(query.count() == 1);
    world.destroy(vehicle, ChildPolicy::orphan);
    CHECK(query.count() == 0);
    world.add<Frozen>(garage);
    std::vector<Entity> changed;
    world.add<Dirty>(garage);
    query.cascade().propagate([&](Entity entity, const Health&) { changed.push_back(entity); });
    CHECK(changed == std::vector<Entity>{wheel});
  }
}

}  // namespace strata::test::above_terms_test
