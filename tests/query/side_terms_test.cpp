#include "../../query/filtering/side_terms.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "../../storage/store_change.hpp"
#include "../support/components.hpp"

namespace strata::test::side_terms_test {

using namespace detail;

namespace {

struct Subject {
  Store store{std::pmr::new_delete_resource()};
  ComponentId health = store.registry().id_of<SparseHealth>();
  ComponentId frozen = store.registry().id_of<SparseFrozen>();
  ComponentId wide = store.registry().id_of<SparseWide>();
  std::vector<Entity> entities;

  explicit Subject(int count) {
    for (int i = 0; i < count; ++i) {
      entities.push_back(store.create_row(store.archetypes().empty(), store.tables().root()).entity);
    }
  }
  void add_health(Entity entity, int points) { ::new (store.add(entity, health).value) SparseHealth{points}; }
  void add_wide(Entity entity) { ::new (store.add(entity, wide).value) SparseWide{}; }

  std::vector<ComponentId> leaders(const std::vector<Term>& terms) const {
    const Matcher matcher(store, terms, nullptr);
    std::vector<ComponentId> ids;
    const SideTerms side(matcher);
    for (const SparsePool* pool : side.leaders()) ids.push_back(pool->id());
    return ids;
  }
  std::vector<Entity> filter(const std::vector<Term>& terms) const {
    const Matcher matcher(store, terms, nullptr);
    SideTerms side(matcher);
    Candidates rows;
    rows.start(entities);
    side.filter(rows);
    return {rows.entities().begin(), rows.entities().end()};
  }
};

}  // namespace

TEST_SUITE("query/side_terms") {
  TEST_CASE("the required pool with the fewest live members leads, whatever it once had") {
    Subject s(20);
    for (const Entity entity : s.entities) s.add_health(entity, 1);
    for (int i = 0; i < 5; ++i) s.store.add(s.entities[static_cast<std::size_t>(i)], s.frozen);
    const std::vector<Term> terms{{Role::value, s.health}, {Role::with, s.frozen}, {Role::entity, {}}};
    CHECK(s.leaders(terms) == std::vector<ComponentId>{s.frozen});
    for (std::size_t i = 0; i < 16; ++i) s.store.remove(s.entities[i], s.health);
    s.store.add(s.entities[10], s.frozen);
    CHECK(s.leaders(terms) == std::vector<ComponentId>{s.health});
    s.store.side().find(s.frozen)->clear();
    CHECK(s.leaders(terms) == std::vector<ComponentId>{s.frozen});
    CHECK(s.leaders({{Role::optional, s.health}, {Role::without, s.frozen}}).empty());
  }
  TEST_CASE("alternatives lead together where they have fewer members than any required pool") {
    Subject s(20);
    for (const Entity entity : s.entities) s.add_health(entity, 1);
    s.add_wide(s.entities[2]);
    s.store.add(s.entities[3], s.frozen);
    const std::vector<Term> terms{
        {Role::value, s.health}, {Role::any_of, s.frozen, 1}, {Role::any_of, s.wide, 1}};
    CHECK(s.leaders(terms) == std::vector<ComponentId>{s.frozen, s.wide});
    for (std::size_t i = 1; i < 20; ++i) s.store.remove(s.entities[i], s.health);
    CHECK(s.leaders(terms) == std::vector<ComponentId>{s.health});
  }
  TEST_CASE("candidates that do not satisfy a term are dropped, and the others stay in their order") {
    Subject s(100);
    for (std::size_t i = 0; i < 100; ++i) {
      if (i % 2 == 0) s.add_health(s.entities[i], static_cast<int>(i));
      if (i % 3 == 0) s.store.add(s.entities[i], s.frozen);
      if (i % 5 == 0) s.add_wide(s.entities[i]);
    }
    const auto expect = [&](const std::vector<Term>& terms, auto matches) {
      std::vector<Entity> expected;
      for (std::size_t i = 0; i < 100; ++i) {
        if (matches(i)) expected.push_back(s.entities[i]);
      }
      CHECK(s.filter(terms) == expected);
    };
    const Term health{Role::value, s.health};
    const Term wide{Role::optional, s.wide};
    const Term with{Role::with, s.frozen};
    const Term without{Role::without, s.frozen};
    expect({health, wide, with}, [](std::size_t i) { return i % 2 == 0 && i % 3 == 0; });
    expect({health, without}, [](std::size_t i) { return i % 2 == 0 && i % 3 != 0; });
    expect({without, wide}, [](std::size_t i) { return i % 3 != 0; });
    expect({with, without}, [](std::size_t) { return false; });
    expect({with, with, health}, [](std::size_t i) { return i % 2 == 0 && i % 3 == 0; });
    expect({{Role::any_of, s.frozen, 0}, {Role::any_of, s.wide, 0}, health},
           [](std::size_t i) { return i % 2 == 0 && (i % 3 == 0 || i % 5 == 0); });
  }
  TEST_CASE(
      "values are found of candidates that are left, and none of an optional pool that has not got them") {
    Subject s(100);
    for (std::size_t i = 100; i-- > 0;) {
      if (i % 2 == 0) s.add_health(s.entities[i], static_cast<int>(i));
      if (i % 3 == 0) s.add_wide(s.entities[i]);
    }
    const std::vector<Term> terms{{Role::value, s.health},
                                  {Role::optional, s.wide},
                                  {Role::optional, s.store.registry().id_of<SparseOwner>()}};
    const Matcher matcher(s.store, terms, nullptr);
    SideTerms side(matcher);
    CHECK(side.has_values());
    Candidates rows;
    rows.start(s.entities);
    side.filter(rows);
    REQUIRE(rows.count() == 50);
    CHECK(!side.pick_values(rows));
    SideTerms::Values values;
    side.find_values(rows, values);
    for (std::uint32_t row = 0; row < 50; ++row) {
      CHECK(static_cast<const SparseHealth*>(values[0][row])->points == static_cast<int>(2 * row));
      CHECK(values[1][row] == s.store.find(s.entities[2 * row], s.wide));
      CHECK(values[2][row] == nullptr);
    }
  }
  TEST_CASE("values on one page are picked there, unless an order leads away from it") {
    Subject s(100);
    for (const Entity entity : s.entities) s.add_health(entity, static_cast<int>(entity.index()));
    const std::vector<Term> terms{{Role::value, s.health}};
    const Matcher matcher(s.store, terms, nullptr);
    SideTerms side(matcher);
    Candidates rows;
    Batch batch;
    rows.start(std::span(s.entities).subspan(10, 20));
    side.filter(rows);
    REQUIRE(side.pick_values(rows));
    CHECK(side.side_by_side());
    side.point_at_columns(5, batch);
    CHECK(batch.lanes[0] == s.store.find(s.entities[15], s.health));
    const std::vector<Entity> some{s.entities[10], s.entities[40], s.entities[12]};
    rows.start(some);
    side.filter(rows);
    REQUIRE(side.pick_values(rows));
    CHECK(!side.side_by_side());
    side.point_at_picks(1, batch);
    CHECK(static_cast<SparseHealth*>(batch.lanes[0]) + batch.picks[0][0] == s.store.find(some[1], s.health));
    const std::vector<Entity> back{s.entities[10], s.entities[4]};
    rows.start(back);
    side.filter(rows);
    CHECK(!side.pick_values(rows));
  }
}

}  // namespace strata::test::side_terms_test
