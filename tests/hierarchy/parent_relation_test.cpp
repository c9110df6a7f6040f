#include "../../hierarchy/origins/parent_relation.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "../support/values.hpp"
#include "subject.hpp"
#include "tree_turns.hpp"

namespace strata::test::parent_relation_test {

using namespace detail;

namespace {

struct Fixture : Subject {
  Query<Entity, Parent<const Health>, Parent<const Name>> query{store, &hierarchy.parents()};

  explicit Fixture(Layout layout = Layout::per_level) : Subject(layout) {}

  void name_it(Entity entity) { ::new (store.add(entity, name).value) Name{entity.index()}; }
  std::vector<Entity> create_family(Entity parent, int count, bool tagged = false) {
    std::vector<Entity> family;
    for (int i = 0; i < count; ++i) family.push_back(create(parent, i, tagged));
    return family;
  }

  std::size_t is_wrong(Entity entity, const Health* health_above, const Name* name_above) const {
    const Entity parent = hierarchy.parent(entity);
    const bool right = same(health_above, parent ? store.find(parent, health) : nullptr) &&
                       same(name_above, parent ? store.find(parent, name) : nullptr);
    return right ? 0 : 1;
  }
  /// Returns: how many rows were handed out with another value than their parent's, or not at all.
  std::size_t count_wrong() {
    std::size_t wrong = 0;
    std::size_t visited = 0;
    query.cascade().each([&](Entity entity, const Health* first, const Name* second) {
      wrong += is_wrong(entity, first, second);
      ++visited;
    });
    query.cascade(up).each_block([&](std::span<const Entity> entities, Parent<const Health>::Span first,
                                     Parent<const Name>::Span second) {
      for (std::size_t row = 0; row < entities.size(); ++row) {
        wrong += is_wrong(entities[row], first[row], second[row]);
      }
      visited += entities.size();
    });
    return wrong + (2 * store.slots().in_use() - visited);
  }

  const Origins* origins(Entity entity) const {
    return hierarchy.parents().find_origins(*store.slots().find(entity).block);
  }
  std::uint64_t patches() const { return query.matcher().plan_cost().patches; }
};

}  // namespace

TEST_SUITE("hierarchy/parent_relation") {
  TEST_CASE("terms that ask what the parent has are right in every form of cached places") {
    for (const Layout layout : kLayouts) {
      CAPTURE(name_of_layout(layout));
      Fixture s(layout);
      Query<Entity, With<Parent<Frozen>>> with(s.store, &s.hierarchy.parents());
      Query<Entity, Without<Up<Name>>> without(s.store, &s.hierarchy.parents());
      std::vector<Entity> entities = s.create_family({}, 6);
      std::uint32_t random = 1;
      const auto next = [&](std::size_t below) {
        return (random = random * 1'664'525 + 1'013'904'223) / 256 % below;
      };
      for (int turn = 0; turn < 400; ++turn) {
        const Entity one = entities[next(entities.size())];
        if (turn % 3 == 0) {
          for (const Entity child : s.create_family(one, static_cast<int>(next(9)), turn % 2 == 0)) {
            entities.push_back(child);
          }
        } else if (turn % 3 == 1) {
          turn % 2 == 0 || s.store.has(one, s.name) ? s.toggle_tag(one) : s.name_it(one);
        } else {
          static_cast<void>(s.hierarchy.set_parent(one, entities[next(entities.size())]));
        }
        if (turn % 5 != 0) continue;
        std::size_t expected_with = 0;
        std::size_t expected_without = 0;
        for (const Entity entity : entities) {
          const Entity parent = s.hierarchy.parent(entity);
          expected_with += parent && s.store.has(parent, s.frozen) ? 1 : 0;
          Entity above = parent;
          while (above && !s.store.has(above, s.name)) above = s.hierarchy.parent(above);
          expected_without += above ? 0 : 1;
        }
        REQUIRE(with.count() == expected_with);
        std::size_t visited = 0;
        without.cascade().each([&](Entity) { ++visited; });
        REQUIRE(visited == expected_without);
      }
      CHECK(s.broken() == "");
    }
  }
  TEST_CASE_FIXTURE(Fixture, "origins of large families are kept in groups, one for each family") {
    const Entity a = create({}, 0);
    const Entity b = create({}, 1);
    const std::vector<Entity> family = create_family(a, 8);
    create_family(b, 8);
    CHECK(origins(family[0]) == nullptr);
    CHECK(count_wrong() == 0);
    REQUIRE(origins(family[0]) != nullptr);
    CHECK(origins(family[0])->form == Origins::Form::groups);
    CHECK(origins(family[0])->segments().size() == 1);
    CHECK(origins(family[0])->groups()[1].count == 8);
  }
  TEST_CASE_FIXTURE(Fixture, "origins of small families are kept by row") {
    std::vector<Entity> roots = create_family({}, 8);
    for (const Entity root : roots) create_family(root, 2);
    CHECK(count_wrong() == 0);
    const Entity child = *hierarchy.children(roots[5]).begin();
    REQUIRE(origins(child) != nullptr);
    CHECK(origins(child)->form == Origins::Form::rows);
    CHECK(origins(child)->rows()[10] == store.slots().find(roots[5]).row);
  }
  TEST_CASE_FIXTURE(Fixture, "origins all over the place are not kept, and found row by row") {
    std::vector<Entity> roots;
    for (int i = 0; i < 40; ++i) roots.push_back(create({}, i, i % 2 == 0));
    for (const Entity root : roots) create_family(root, 1);
    const Entity child = *hierarchy.children(roots[5]).begin();
    CHECK(count_wrong() == 0);
    CHECK(origins(child) == nullptr);
    const std::uint64_t before = patches();
    CHECK(count_wrong() == 0);
    CHECK(patches() == before);
  }
  TEST_CASE_FIXTURE(Fixture, "parents in several tables are segments, each with the components that it has") {
    // Neither, the second, the first, both; and so many rows that they are gathered in several runs.
    std::vector<Entity> parents = create_family({}, 4);
    store.remove(parents[0], health);
    store.remove(parents[1], health);
    name_it(parents[1]);
    name_it(parents[3]);
    for (const Entity parent : parents) create_family(parent, 300);
    REQUIRE(count_wrong() == 0);
    const Entity child = *hierarchy.children(parents[0]).begin();
    REQUIRE(origins(child) != nullptr);
    CHECK(origins(child)->segments().size() == 4);

    name_it(parents[2]);
    CHECK(store.remove(parents[3], name));
    CHECK(count_wrong() == 0);
    for (const Entity parent : parents) store.remove(parent, health);
    CHECK(count_wrong() == 0);
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture,
                    "a parent that moves has the origins of its children found anew, and no others") {
    const Entity a = create({}, 0);
    const Entity b = create({}, 1);
    create_family(a, 5, false);
    create_family(b, 5, true);
    REQUIRE(count_wrong() == 0);
    const std::uint64_t before = patches();
    toggle_tag(b);  // The last row of its table: no other row moves.
    CHECK(count_wrong() == 0);
    CHECK(patches() == before + 1);
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "a row that moves into a hole takes the origins of its children along") {
    const Entity a = create({}, 0);
    const Entity b = create({}, 1);
    const Entity c = create({}, 2);
    create_family(a, 5);
    create_family(c, 5);
    REQUIRE(count_wrong() == 0);
    hierarchy.destroy(b, ChildPolicy::destroy);
    CHECK(count_wrong() == 0);
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "a table of parents that outgrows its block takes all origins along") {
    std::vector<Entity> roots = create_family({}, 3);
    for (const Entity root : roots) create_family(root, 5);
    REQUIRE(count_wrong() == 0);
    const Block* const before = store.slots().find(roots[0]).block;
    while (store.slots().find(roots[0]).block == before) create({}, 0);
    CHECK(count_wrong() == 0);
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "more moves than the log holds are not missed") {
    std::vector<Entity> roots = create_family({}, 400);
    for (const Entity root : roots) create_family(root, 5);
    REQUIRE(count_wrong() == 0);
    for (const Entity root : roots) toggle_tag(root);
    CHECK(store.rows().changes().moved().overflowed());
    CHECK(count_wrong() == 0);
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture,
                    "parents that move because room was made, and nothing came of it, are not missed") {
    for (const int count : {3, 900}) {  // Few moves are logged, many are not.
      std::vector<Entity> roots = create_family({}, count);
      for (const Entity root : roots) create_family(root, 1);
      REQUIRE(count_wrong() == 0);
      const Block* const before = store.slots().find(roots[0]).block;
      Table& parents = table_of(*before);
      store.rows().ensure_room(parents, parents.row_count());
      REQUIRE(store.slots().find(roots[0]).block != before);
      CHECK(store.rows().changes().moved().overflowed() == (count == 900));
      CHECK(count_wrong() == 0);
      CHECK(origins(*hierarchy.children(roots[0]).begin()) != nullptr);
      CHECK(broken() == "");
    }
  }
  TEST_CASE_FIXTURE(Fixture, "a new entity in a recycled slot has none of the children of the old one") {
    const Entity old = create({}, 0);
    create_family(old, 5);
    REQUIRE(count_wrong() == 0);
    hierarchy.destroy(old, ChildPolicy::orphan);
    const Entity fresh = create({}, 7);
    REQUIRE(fresh.index() == old.index());
    create_family(fresh, 2);
    CHECK(count_wrong() == 0);
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "queries that match different tables find their own origins") {
    Query<Entity, With<Frozen>, Parent<const Health>> tagged(store, &hierarchy.parents());
    const auto cascade = [&] {
      std::size_t wrong = 0;
      tagged.cascade().each([&](Entity entity, const Health* above) {
        const Entity parent = hierarchy.parent(entity);
        if (!same(above, parent ? store.find(parent, health) : nullptr)) ++wrong;
      });
      return wrong;
    };
    const Entity a = create({}, 0);
    const Entity b = create({}, 1);
    create_family(a, 5, true);
    create_family(b, 5, false);
    for (int i = 0; i < 4; ++i) {
      CHECK(cascade() == 0);
      toggle_tag(i % 2 == 0 ? a : b);
      CHECK((i == 2 ? 0 : count_wrong()) == 0);
    }
    CHECK(cascade() == 0);
    CHECK(count_wrong() == 0);
  }
  TEST_CASE_FIXTURE(Fixture, "tables of families and of a level are found side by side, however many") {
    std::vector<Entity> roots = create_family({}, 100);
    for (std::size_t i = 0; i < roots.size(); ++i) {
      if (i % 3 != 0) hierarchy.set_layout(roots[i], Layout::per_parent);
      if (i % 5 == 0) name_it(roots[i]);
      create_family(roots[i], 1 + static_cast<int>(i % 4), i % 7 == 0);
    }
    CHECK(count_wrong() == 0);
    for (std::size_t i = 0; i < roots.size(); i += 2) {
      hierarchy.set_layout(roots[i], i % 4 == 0 ? Layout::per_level : Layout::per_parent);
    }
    CHECK(count_wrong() == 0);
    CHECK(broken() == "");
  }
  TEST_CASE("a parent's value in the side store is found in every layout") {
    for (const Layout layout : kLayouts) {
      Subject subject(layout);
      const ComponentId id = subject.store.registry().id_of<SparseHealth>();
      Query<Entity, Parent<const SparseHealth>, Parent<const Health>> query(subject.store,
                                                                            &subject.hierarchy.parents());
      std::vector<Entity> all;
      for (int i = 0; i < 60; ++i) {
        const auto above = static_cast<std::size_t>(i) / 7;
        all.push_back(subject.create(i == 0 ? Entity() : all[above], i));
        if (i % 2 == 0) ::new (subject.store.add(all.back(), id).value) SparseHealth{i};
      }
      const auto right = [&](Entity entity, const SparseHealth* sparse, const Health* own) {
        const Entity parent = subject.hierarchy.parent(entity);
        return same(sparse, parent ? subject.store.find(parent, id) : nullptr) &&
               same(own, parent ? subject.store.find(parent, subject.health) : nullptr);
      };
      std::size_t wrong = 0;
      query.cascade().each([&](Entity entity, const SparseHealth* sparse, const Health* own) {
        wrong += right(entity, sparse, own) ? 0u : 1u;
      });
      query.cascade(up).each_block([&](std::span<const Entity> entities, auto sparse, auto own) {
        for (std::size_t row = 0; row < entities.size(); ++row) {
          wrong += right(entities[row], sparse[row], own[row]) ? 0u : 1u;
        }
      });
      CHECK(wrong == 0);
    }
  }
  TEST_CASE("a query that is led by the side store finds parents in every layout") {
    for (const Layout layout : kLayouts) {
      Subject subject(layout);
      const ComponentId id = subject.store.registry().id_of<SparseFrozen>();
      Query<Entity, With<SparseFrozen>, Parent<const Health>> query(subject.store,
                                                                    &subject.hierarchy.parents());
      std::vector<Entity> all;
      for (std::size_t i = 0; i < 300; ++i) {
        all.push_back(subject.create(i == 0 ? Entity() : all[i / 5], static_cast<int>(i)));
        if (i % 2 == 0) subject.store.add(all.back(), id);
      }
      std::size_t visited = 0;
      const auto visit = [&](Entity entity, const Health* above) {
        const Entity parent = subject.hierarchy.parent(entity);
        if (same(above, parent ? subject.store.find(parent, subject.health) : nullptr)) ++visited;
      };
      query.each(visit);
      query.cascade().each(visit);
      query.cascade(up).each(visit);
      CHECK(visited == 3 * 150);
    }
  }
  TEST_CASE_FIXTURE(Fixture, "a cascade without memory for origins fails, and the next one finds them") {
    std::vector<Entity> roots = create_family({}, 40);
    for (const Entity root : roots) create_family(root, 3);
    for (const Entity root : roots) create_family(*hierarchy.children(root).begin(), 9);
    std::size_t wrong = 1;
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { wrong = count_wrong(); }, [&] { CHECK(broken() == ""); });
    CHECK(failures > 0);
    CHECK(wrong == 0);
    for (const Entity root : roots) toggle_tag(root);
    sweep_out_of_memory(
        memory, [&] { wrong = count_wrong(); }, [&] { CHECK(broken() == ""); });
    CHECK(wrong == 0);
  }
}

}  // namespace strata::test::parent_relation_test
