#include "../../query/family_query.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../../query/runtime_query.hpp"
#include "subject.hpp"
#include "tree_turns.hpp"

namespace strata::test::family_query_test {

namespace {

using Entities = std::vector<Entity>;

template <class Family>
Entities visit(Family&& family) {
  Entities visited;
  family.each([&](Entity entity, const auto&...) { visited.push_back(entity); });
  return visited;
}

}  // namespace

TEST_SUITE("hierarchy/family_query") {
  TEST_CASE("the matching children of an entity are visited in their order, whatever the layout") {
    for (const Layout layout : kLayouts) {
      CAPTURE(name_of_layout(layout));
      Subject s(layout);
      const Entity top = s.create({}, 0);
      const Entity other = s.create({}, 0);
      Entities children;
      for (int i = 0; i < 300; ++i) {
        const Entity child = s.create(top, i, i % 3 == 0);
        s.create(other, -i);
        s.create(child, 1000);
        if (i % 3 == 0) children.insert(children.begin(), child);
      }
      s.hierarchy.sort_children(top, [](Entity a, Entity b) { return b < a; });
      Query<Entity, const Health, With<Frozen>, Parent<const Health>> query(s.store, &s.hierarchy.parents());
      CHECK(visit(query.children_of(top)) == children);
      CHECK(query.children_of(top).count() == 100);
      CHECK(query.children_of(top).first() == children.front());
      CHECK(query.children_of(other).count() == 0);
      CHECK(!query.children_of(other).first());
      CHECK(query.children_of(top).contains(children[5]));
      CHECK(!query.children_of(other).contains(children[5]));
      CHECK(query.children_of(other).explain(children[5]) ==
            "entity " + to_string(children[5]) + " does not match: it is no child of " + to_string(other));
      CHECK(query.children_of(top).explain().find("looks up each child of " + to_string(top)) !=
            std::string::npos);
    }
  }
  TEST_CASE("of a stale parent, nothing is visited, and no root is a child of nothing") {
    Subject s(Layout::adaptive);
    const Entity top = s.create({}, 0);
    const Entity child = s.create(top, 1);
    Query<Entity> query(s.store, &s.hierarchy.parents());
    CHECK(visit(query.children_of(top)) == Entities{child});
    CHECK(visit(query.children_of(Entity())).empty());
    CHECK(!query.children_of(Entity()).contains(top));
    auto family = query.children_of(top);
    s.hierarchy.destroy(top, ChildPolicy::orphan);
    CHECK(visit(family).empty());
    CHECK(family.count() == 0);
    CHECK(!family.contains(child));
    s.create(s.create({}, 7), 8);  // In the slot of the stale parent.
    CHECK(visit(family).empty());
    CHECK(family.explain().find("stale") != std::string::npos);
  }
  TEST_CASE("components of the side store, and runtime queries, are narrowed as well") {
    Subject s(Layout::per_level);
    const ComponentId sparse = s.store.registry().id_of<SparseHealth>();
    const Entity top = s.create({}, 0);
    Entities children;
    for (int i = 0; i < 200; ++i) {
      const Entity child = s.create(top, i);
      if (i % 2 == 0) continue;
      ::new (s.store.add(child, sparse).value) SparseHealth{i};
      children.push_back(child);
    }
    ::new (s.store.add(top, sparse).value) SparseHealth{-1};
    Query<Entity, SparseHealth, Up<const SparseHealth>> query(s.store, &s.hierarchy.parents());
    query.children_of(top).each([](Entity, SparseHealth& own, const SparseHealth* above) {
      REQUIRE(above != nullptr);
      CHECK(above->points == -1);
      own.points = 7;
    });
    CHECK(visit(query.children_of(top)) == children);
    RuntimeQuery runtime(s.store, query.matcher().terms(), &s.hierarchy.parents());
    auto family = runtime.children_of(top);
    Entities visited;
    family.each([&](const RuntimeQuery::Row& row) {
      visited.push_back(row.entity());
      CHECK(static_cast<SparseHealth*>(row.value(1))->points == 7);
      CHECK(static_cast<const SparseHealth*>(row.related(2))->points == -1);
    });
    CHECK(visited == children);
    CHECK(family.count() == children.size());
    CHECK(family.first() == children.front());
    CHECK(!family.contains(top));
    CHECK_THROWS_WITH_AS(family.each_block([](const RuntimeQuery::Block&) {}), doctest::Contains("children"),
                         ContractViolation);
  }
  TEST_CASE("a query without a hierarchy has no children to visit: refused") {
    Subject s(Layout::adaptive);
    Query<Entity> query(s.store, nullptr);
    CHECK_THROWS_WITH_AS(query.children_of(s.create({}, 0)), doctest::Contains("hierarchy"),
                         ContractViolation);
  }
}

}  // namespace strata::test::family_query_test
