#include "../../query/filtering/gathered_rows.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "../../query/filtering/filtered_batches.hpp"
#include "../../storage/store_change.hpp"
#include "../support/components.hpp"
#include "../support/healthy_rows.hpp"

namespace strata::test::gathered_rows_test {

using namespace detail;

namespace {

/// Is not used, because every row says what led to it.
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
  void find_having(std::span<const Entity>, ComponentId, Reach, WalkMemo&, bool*) const override {
    FAIL("is asked");
  }
  Entity find_parent(Entity) const override { return {}; }
  void append_children(std::span<const VisitedRow>, std::vector<VisitedRow>&) const override {}
};

struct Subject {
  Store store{std::pmr::new_delete_resource()};
  ComponentId health = store.registry().id_of<Health>();
  ComponentId sparse_health = store.registry().id_of<SparseHealth>();

  Entity create(int points) { return create_healthy(store, points); }
  void add_sparse(Entity entity, int points) {
    ::new (store.add(entity, sparse_health).value) SparseHealth{points};
  }
  /// Creates entities with a Health. Every `nth` of them has a SparseHealth, too, with 100 points more.
  std::vector<Entity> create_many(int count, int nth) {
    std::vector<Entity> entities;
    for (int i = 0; i < count; ++i) {
      entities.push_back(create(i));
      if (i % nth == 0) add_sparse(entities.back(), 100 + i);
    }
    return entities;
  }
};

/// What a term hands out for a row of a batch.
template <class T>
int points(const Batch& batch, std::size_t term, std::size_t row) {
  if (batch.access == Access::gathered) {
    return static_cast<const T*>(static_cast<void* const*>(batch.lanes[term])[row])->points;
  }
  const std::size_t position = batch.access == Access::columns_picked ? batch.picks[term][row] : row;
  return static_cast<const T*>(batch.lanes[term])[position].points;
}

}  // namespace

TEST_SUITE("query/gathered_rows") {
  TEST_CASE("entities that match are handed out in the order in which they were taken") {
    Subject s;
    const std::vector<Entity> entities = s.create_many(10, 3);
    s.store.remove(entities[6], s.health);
    const std::vector<Term> terms{{Role::value, s.health}, {Role::value, s.sparse_health}};
    const Matcher matcher(s.store, terms, nullptr);
    GatheredRows rows(matcher);
    REQUIRE(rows.leaders().size() == 1);
    CHECK(rows.leaders()[0] == s.store.side().find(s.sparse_health));
    CHECK(rows.uses_tables());
    rows.take(entities);
    std::array<bool, 10> matched{};
    rows.mark_matched(matched);
    CHECK(matched == std::array<bool, 10>{true, false, false, true, false, false, false, false, false, true});
    Batch batch;
    REQUIRE(rows.next(batch));
    REQUIRE(batch.count == 3);
    for (std::size_t row = 0; row < 3; ++row) {
      const std::size_t i = std::array<std::size_t, 3>{0, 3, 9}[row];
      CHECK(batch.entities[row] == entities[i]);
      CHECK(points<Health>(batch, 0, row) == static_cast<int>(i));
      CHECK(points<SparseHealth>(batch, 1, row) == static_cast<int>(100 + i));
    }
    CHECK(!rows.next(batch));
    rows.take(std::span(entities).subspan(6, 2));
    CHECK(!rows.next(batch));
  }
  TEST_CASE(
      "neighbours are handed out as columns, others in a block as rows to pick, and the rest behind "
      "pointers") {
    Subject s;
    const std::vector<Entity> entities = s.create_many(40, 1);
    const std::vector<Term> terms{{Role::value, s.health}, {Role::with, s.sparse_health}};
    Matcher matcher(s.store, terms, nullptr);
    GatheredRows rows(matcher);
    Batch batch;
    const auto take = [&](std::span<const Entity> some) {
      rows.take(some);
      REQUIRE(rows.next(batch));
      REQUIRE(batch.count == some.size());
      for (std::size_t row = 0; row < some.size(); ++row) {
        CHECK(batch.entities[row] == some[row]);
        CHECK(points<Health>(batch, 0, row) == static_cast<int>(some[row].index() - entities[0].index()));
      }
      CHECK(!rows.next(batch));
      return batch.access;
    };
    CHECK(take(std::span(entities).subspan(5, 20)) == Access::columns);
    CHECK(take(std::vector<Entity>(entities.rbegin(), entities.rend())) == Access::columns_picked);
    ::new (s.store.add(entities[1], s.store.registry().id_of<Wide>()).value) Wide{};
    matcher.refresh();
    CHECK(take(std::vector<Entity>{entities[0], entities[1], entities[2]}) == Access::gathered);
  }
  TEST_CASE("rows in several blocks are handed out with a pointer to each value") {
    Subject s;
    const std::vector<Entity> entities = s.create_many(32'000, 1);
    std::vector<Entity> apart;
    for (std::size_t i = 0; i < 100; ++i) apart.push_back(entities[i * 7919 % 28'000]);
    const std::vector<Term> terms{{Role::value, s.health},
                                  {Role::with, s.sparse_health},
                                  {Role::optional, s.store.registry().id_of<Wide>()}};
    Matcher matcher(s.store, terms, nullptr);
    GatheredRows rows(matcher);
    Batch batch;
    const auto take = [&] {
      matcher.refresh();
      rows.take(apart);
      REQUIRE(rows.next(batch));
      REQUIRE(batch.count == apart.size());
      for (std::size_t row = 0; row < apart.size(); ++row) {
        CHECK(batch.entities[row] == apart[row]);
        CHECK(points<Health>(batch, 0, row) == static_cast<int>(apart[row].index() - entities[0].index()));
      }
      CHECK(!rows.next(batch));
      return batch.access;
    };
    CHECK(take() == Access::gathered);
    CHECK(static_cast<void* const*>(batch.lanes[2])[20] == nullptr);
    ::new (s.store.add(apart[20], s.store.registry().id_of<Wide>()).value) Wide{};
    CHECK(take() == Access::gathered);
    CHECK(static_cast<void* const*>(batch.lanes[2])[20] ==
          s.store.find(apart[20], s.store.registry().id_of<Wide>()));
    CHECK(static_cast<void* const*>(batch.lanes[2])[21] == nullptr);
    s.store.remove(apart[20], s.health);
    rows.take(apart);
    REQUIRE(rows.next(batch));
    CHECK(batch.count == 99);
    CHECK(!rows.next(batch));
  }
  TEST_CASE("members of the leader are taken with those of a pool in the same order as columns") {
    Subject s;
    const ComponentId wide = s.store.registry().id_of<SparseWide>();
    std::vector<Entity> entities = s.create_many(300, 1);
    for (const Entity entity : entities) ::new (s.store.add(entity, wide).value) SparseWide{};
    s.store.remove(entities.back(), wide);
    const std::vector<Term> terms{{Role::value, s.sparse_health}, {Role::value, wide}};
    const Matcher matcher(s.store, terms, nullptr);
    GatheredRows rows(matcher);
    REQUIRE(rows.leaders()[0] == s.store.side().find(wide));
    CHECK(!rows.uses_tables());
    Batch batch;
    rows.take_led(0, 0, 8);
    REQUIRE(rows.next(batch));
    CHECK(batch.access == Access::columns);
    CHECK(batch.count == 8);
    CHECK(batch.lanes[1] == s.store.side().find(wide)->value_at(0));
    for (std::size_t row = 0; row < 8; ++row)
      CHECK(points<SparseHealth>(batch, 0, row) == static_cast<int>(100 + row));
  }
  TEST_CASE("where only the side store is asked, nothing but pools is looked at") {
    Subject s;
    const ComponentId frozen = s.store.registry().id_of<SparseFrozen>();
    // Members that were never issued: a look-up of their slots or rows finds none.
    SparsePool& pool = s.store.side().get(s.sparse_health);
    for (std::uint32_t i = 0; i < 200; ++i)
      ::new (pool.insert({1000 + i, 1}).value) SparseHealth{static_cast<int>(i)};
    for (std::uint32_t i = 0; i < 200; i += 2) s.store.side().get(frozen).insert({1000 + i, 1});
    REQUIRE(s.store.slots().size() == 0);
    const std::vector<Term> terms{
        {Role::value, s.sparse_health}, {Role::without, frozen}, {Role::entity, {}}};
    const Matcher matcher(s.store, terms, nullptr);
    std::vector<int> visited;
    Batch batch;
    for (FilteredBatches batches(matcher, Order::any); batches.next(batch);) {
      for (std::size_t row = 0; row < batch.count; ++row)
        visited.push_back(points<SparseHealth>(batch, 0, row));
    }
    REQUIRE(visited.size() == 100);
    for (std::size_t i = 0; i < 100; ++i) CHECK(visited[i] == static_cast<int>(2 * i + 1));
    pool.clear();
    s.store.side().get(frozen).clear();
  }
  TEST_CASE("rows are taken where they are reached, and related values are those of what led there") {
    Subject s;
    std::vector<VisitedRow> above;
    std::vector<VisitedRow> reached;
    const auto append = [&](std::vector<VisitedRow>& list, int points, std::uint32_t from) {
      const Entity entity = s.create(points);
      const Place place = s.store.slots().find(entity);
      list.push_back({entity, place.block, place.row, from});
    };
    for (int i = 0; i < 3; ++i) append(above, 100 + i, VisitedRow::kNone);
    for (std::uint32_t i = 0; i < 6; ++i) append(reached, static_cast<int>(i), i / 2);
    s.store.remove(reached[3].entity, s.health);
    for (auto* list : {&above, &reached}) {
      for (VisitedRow& row : *list) {
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
    rows.take(reached);
    rows.mark_matched(matched);
    CHECK(matched == std::array<bool, 6>{true, true, true, false, true, true});
    Batch batch;
    rows.take_related(above, batch);
    REQUIRE(batch.count == 5);
    const std::vector<int> expected{0, 1, 2, 4, 5};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK(points<Health>(batch, 0, i) == expected[i]);
      CHECK(points<Health>(batch, 1, i) == 100 + expected[i] / 2);
    }
  }
  TEST_CASE("nothing matches where a required pool never had a member") {
    Subject s;
    const Entity entity = s.create(1);
    const std::vector<Term> terms{{Role::value, s.sparse_health}};
    const Matcher matcher(s.store, terms, nullptr);
    GatheredRows rows(matcher);
    CHECK(rows.impossible());
    rows.take({&entity, 1});
    Batch batch;
    CHECK(!rows.next(batch));
  }
}

}  // namespace strata::test::gathered_rows_test
