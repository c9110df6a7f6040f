#include "../../query/gathered_rows.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "../support/components.hpp"

using namespace strata;
using namespace strata::test;

namespace {

/// Is not asked, because every row says what led to it.
struct NoRelation final : Relation {
  std::uint64_t prepare(std::span<Archetype* const>, std::uint64_t, PlanCost&) const override { return 1; }
  std::uint32_t find_shared(std::span<Block* const>, std::uint32_t, ComponentId,
                            const void**) const override {
    return 0;
  }
  void find_each(std::span<const Entity>, ComponentId, const void**) const override { FAIL("is asked"); }
  void find_places(std::span<const Entity>, Place*) const override { FAIL("is asked"); }
  void find_nearest(std::span<const Entity>, ComponentId, WalkMemo&, const void**) const override {
    FAIL("is asked");
  }
  std::size_t list_children(Entity, Entity, std::span<Reached>) const override { return 0; }
  Entity find_parent(Entity) const override { return {}; }
  void append_children(std::span<const Reached>, std::vector<Reached>&) const override {}
};

struct Subject {
  Store store{std::pmr::new_delete_resource()};
  ComponentId health = store.registry().id_of<Health>();
  ComponentId sparse_health = store.registry().id_of<SparseHealth>();

  Entity create(int points) {
    const Place place =
        store.create(store.archetypes().with(store.archetypes().empty(), health), store.tables().root());
    const Entity entity = place.block->layout->entities(*place.block)[place.row];
    ::new (store.find(entity, health)) Health{points};
    return entity;
  }
  void add_sparse(Entity entity, int points) {
    ::new (store.add(entity, sparse_health).value) SparseHealth{points};
  }
};

}  // namespace

TEST_SUITE("query/gathered_rows") {
  TEST_CASE("rows that match are gathered in the order in which they are added") {
    Subject s;
    std::vector<Entity> entities;
    for (int i = 0; i < 10; ++i) {
      entities.push_back(s.create(i));
      if (i % 3 == 0) s.add_sparse(entities.back(), 100 + i);
      if (i == 6) s.store.remove(entities.back(), s.health);
    }
    const std::vector<Term> terms{{Role::value, s.health}, {Role::value, s.sparse_health}};
    const Matcher matcher(s.store, terms, nullptr);
    GatheredRows rows(matcher);
    REQUIRE(rows.leaders().size() == 1);
    CHECK(rows.leaders()[0] == s.store.side().find(s.sparse_health));
    for (std::size_t i = 0; i < entities.size(); ++i) CHECK(rows.add(entities[i]) == (i % 3 == 0 && i != 6));
    Batch batch;
    rows.take(batch);
    REQUIRE(batch.count == 3);
    CHECK(batch.access == Access::gathered);
    const std::vector<int> expected{0, 3, 9};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto value = [&](std::size_t term) { return static_cast<void* const*>(batch.lanes[term])[i]; };
      CHECK(batch.entities[i] == entities[static_cast<std::size_t>(expected[i])]);
      CHECK(static_cast<const Health*>(value(0))->points == expected[i]);
      CHECK(static_cast<const SparseHealth*>(value(1))->points == 100 + expected[i]);
    }
    CHECK(rows.count() == 0);
    rows.take(batch);
    CHECK(batch.count == 0);
  }
  TEST_CASE("rows are taken where they are reached, and related values are those of what led there") {
    Subject s;
    std::vector<Reached> above;
    std::vector<Reached> reached;
    const auto append = [&](std::vector<Reached>& list, int points, std::uint32_t from) {
      const Entity entity = s.create(points);
      const Place place = s.store.slots().find(entity);
      list.push_back({entity, place.block, place.row, from});
    };
    for (int i = 0; i < 3; ++i) append(above, 100 + i, Reached::kNone);
    for (std::uint32_t i = 0; i < 6; ++i) append(reached, static_cast<int>(i), i / 2);
    s.store.remove(reached[3].entity, s.health);
    for (auto* list : {&above, &reached}) {
      for (Reached& row : *list) {
        const Place place = s.store.slots().find(row.entity);
        row.block = place.block;
        row.row = place.row;
      }
    }
    const std::vector<Term> terms{{Role::value, s.health}, {Role::related, s.health}};
    const NoRelation relation;
    const Matcher matcher(s.store, terms, &relation);
    GatheredRows rows(matcher);
    std::array<bool, 6> matched{};
    rows.add(reached, matched.data());
    CHECK(matched == std::array<bool, 6>{true, true, true, false, true, true});
    Batch batch;
    rows.take(batch, above);
    REQUIRE(batch.count == 5);
    const std::vector<int> expected{0, 1, 2, 4, 5};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto points = [&](std::size_t term) {
        return static_cast<const Health*>(static_cast<void* const*>(batch.lanes[term])[i])->points;
      };
      CHECK(points(0) == expected[i]);
      CHECK(points(1) == 100 + expected[i] / 2);
    }
  }
  TEST_CASE("nothing matches where a required pool never had a member") {
    Subject s;
    const Entity entity = s.create(1);
    const std::vector<Term> terms{{Role::value, s.sparse_health}};
    const Matcher matcher(s.store, terms, nullptr);
    GatheredRows rows(matcher);
    CHECK(rows.impossible());
    CHECK(!rows.add(entity));
  }
}
