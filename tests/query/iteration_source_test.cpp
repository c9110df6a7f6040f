#include "../../query/filtering/iteration_source.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "../../query/query.hpp"
#include "../../storage/sorting/pool_sorting.hpp"
#include "../../storage/store_change.hpp"
#include "../support/components.hpp"

namespace strata::test::iteration_source_test {

using namespace detail;

namespace {

constexpr std::size_t kMany = 20'000;

/// Entities with Health, and further components of the side store that lie in any order.
struct Subject {
  Store store{std::pmr::new_delete_resource()};
  std::vector<Entity> entities;

  explicit Subject(std::size_t count, std::size_t rows_per_table = ~std::size_t{0}) {
    Branch* branch = &store.tables().root();
    Archetype& archetype =
        store.archetypes().with(store.archetypes().empty(), store.registry().id_of<Health>());
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0 && i % rows_per_table == 0) branch = &store.tables().create_branch(1, 0);
      entities.push_back(store.create_row(archetype, *branch).entity);
      ::new (store.find(entities.back(), store.registry().id_of<Health>())) Health{static_cast<int>(i)};
    }
  }
  template <class T>
  SparsePool& pool() {
    return store.side().get(store.registry().id_of<T>());
  }
  template <class T>
  void add(Entity entity, int points) {
    void* const value = store.add(entity, store.registry().id_of<T>()).value;
    if constexpr (!is_tag<T>) ::new (value) T{points};
  }
  /// Every entity in an order that jumps, but for those whose number `left_out` divides.
  template <class T>
  void add_to_all(std::size_t left_out = 0) {
    for (std::size_t i = 0; i < entities.size(); ++i) {
      const std::size_t number = i * 7919 % entities.size();
      if (left_out == 0 || number % left_out != 0) add<T>(entities[number], static_cast<int>(number));
    }
  }
  template <class... Terms>
  IterationSource lead(Query<Terms...>& query) {
    static_cast<void>(query.explain());  // Brings it up to date.
    return choose_iteration_source(query.matcher(), GatheredRows(query.matcher()));
  }
};

template <class Query>
std::vector<Entity> visited(Query& query) {
  std::vector<Entity> entities;
  query.each([&](Entity entity, auto&&...) { entities.push_back(entity); });
  std::vector<Entity> same;
  for (const auto& row : query) same.push_back(std::get<0>(row));
  CHECK(same == entities);
  CHECK(query.count() == entities.size());
  CHECK(query.first() == (entities.empty() ? Entity() : entities.front()));
  return entities;
}

}  // namespace

TEST_SUITE("query/iteration_source") {
  TEST_CASE("tables and pools lead to the same entities and values") {
    Subject s(kMany + kMany / 4);
    s.add_to_all<SparseHealth>(7);
    s.add_to_all<SparseFrozen>(5);
    s.store.remove(s.entities[10], s.store.registry().id_of<Health>());
    for (std::size_t i = 100; i < 200; ++i) {
      ::new (s.store.add(s.entities[i], s.store.registry().id_of<Wide>()).value) Wide{};
    }
    std::vector<Entity> expected;
    for (std::size_t i = 0; i < s.entities.size(); ++i) {
      if (i % 7 != 0 && i % 5 != 0 && i != 10) expected.push_back(s.entities[i]);
    }
    Query<Entity, const Health, const SparseHealth, With<SparseFrozen>, Maybe<Wide>> query(s.store, nullptr);
    const auto check_from = [&](IterationSource lead) {
      CHECK(s.lead(query) == lead);
      bool right = true;
      query.each([&](Entity entity, const Health& health, const SparseHealth& sparse, Wide* wide) {
        const auto number = static_cast<std::size_t>(health.points);
        right = right && s.entities[number] == entity && sparse.points == health.points &&
                (wide != nullptr) == (number >= 100 && number < 200);
      });
      CHECK(right);
      std::vector<Entity> found = visited(query);
      std::sort(found.begin(), found.end());
      CHECK(found == expected);
      return visited(query);
    };
    const std::vector<Entity> by_tables = check_from(IterationSource::tables);
    CHECK(by_tables == check_from(IterationSource::tables));
    s.pool<SparseHealth>().sort([](Entity a, Entity b) { return b < a; });
    CHECK(check_from(IterationSource::tables) ==
          by_tables);  // The other pool has fewer members, in no order.
    s.pool<SparseFrozen>().sort([](Entity a, Entity b) { return b < a; });
    const std::vector<Entity> by_pool = check_from(IterationSource::pools);
    CHECK(std::is_sorted(by_pool.rbegin(), by_pool.rend()));
  }
  TEST_CASE("an order that members were put in is kept, until the pool is empty") {
    Subject s(kMany);
    s.add_to_all<SparseFrozen>();
    SparsePool& pool = s.pool<SparseFrozen>();
    Query<Entity, const Health, With<SparseFrozen>> query(s.store, nullptr);
    CHECK(s.lead(query) == IterationSource::tables);
    CHECK(visited(query) == s.entities);
    const auto odd_first = [](Entity entity) { return entity.index() % 2 == 0; };
    const auto check_pool_order = [&] {
      CHECK(s.lead(query) == IterationSource::pools);
      CHECK(visited(query) == std::vector<Entity>(pool.entities().begin(), pool.entities().end()));
    };
    sort_pool<void>(pool, odd_first);
    check_pool_order();
    s.store.remove(s.entities[77], s.store.registry().id_of<SparseFrozen>());
    s.add<SparseFrozen>(s.entities[77], 0);
    check_pool_order();
    pool.clear();
    CHECK(visited(query).empty());
    s.add_to_all<SparseFrozen>();
    CHECK(s.lead(query) == IterationSource::tables);
    CHECK(visited(query) == s.entities);
  }
  TEST_CASE("members lead where they are few, lie in order, or no table is asked about them") {
    Subject s(kMany);
    s.add_to_all<SparseHealth>();
    Query<Entity, const SparseHealth> no_table(s.store, nullptr);
    CHECK(s.lead(no_table) == IterationSource::pools);
    Query<Entity, const Health, const SparseHealth> both(s.store, nullptr);
    CHECK(s.lead(both) == IterationSource::tables);
    Query<Entity, const Health, With<SparseFrozen>> in_order(s.store, nullptr);
    for (const Entity entity : s.entities) s.add<SparseFrozen>(entity, 0);
    CHECK(s.lead(in_order) == IterationSource::pools);
    for (std::size_t i = 0; i < kMany / 2; ++i) {
      s.store.remove(s.entities[i], s.store.registry().id_of<SparseHealth>());
    }
    CHECK(s.lead(both) == IterationSource::pools);
    Query<Entity, const Health, Without<SparseFrozen>> none_leads(s.store, nullptr);
    CHECK(s.lead(none_leads) == IterationSource::tables);
  }
  TEST_CASE("members lead where they are a small share of the rows") {
    Subject s(4 * kMany);
    for (std::size_t i = 0; i < kMany; ++i) {
      s.add<SparseFrozen>(s.entities[i * 7919 % s.entities.size()], 0);
    }
    Query<Entity, const Health, With<SparseFrozen>> query(s.store, nullptr);
    CHECK(s.lead(query) == IterationSource::pools);
    // A part of the rows is enough to know that there are too many of them, and few match this one.
    Query<Entity, const Wide, With<SparseFrozen>> rare(s.store, nullptr);
    ::new (s.store.add(s.entities[0], s.store.registry().id_of<Wide>()).value) Wide{};
    CHECK(s.lead(rare) == IterationSource::tables);
    CHECK(visited(rare) == std::vector<Entity>{s.entities[0]});
  }
  TEST_CASE("members lead where tables are so many that to go through them takes longer") {
    for (const std::size_t rows : {5u, 20u}) {
      Subject s(kMany, rows);
      s.add_to_all<SparseFrozen>();
      Query<Entity, const Health, With<SparseFrozen>> query(s.store, nullptr);
      CHECK(s.lead(query) == (rows == 5 ? IterationSource::pools : IterationSource::tables));
      std::vector<Entity> found = visited(query);
      std::sort(found.begin(), found.end());
      CHECK(found == s.entities);
    }
  }
  TEST_CASE("a query may be nested in the visit of one that goes by tables") {
    Subject s(kMany);
    s.add_to_all<SparseHealth>();
    Query<Entity, const Health, const SparseHealth> outer(s.store, nullptr);
    Query<Entity, const Health, const SparseHealth> inner(s.store, nullptr);
    CHECK(s.lead(outer) == IterationSource::tables);
    std::size_t visits = 0;
    std::vector<Entity> order;
    outer.each([&](Entity entity, const Health&, const SparseHealth&) {
      order.push_back(entity);
      if (order.size() % 5000 == 0) visits += visited(inner).size();
    });
    CHECK(order == s.entities);
    CHECK(visits == 4 * kMany);
  }
}

}  // namespace strata::test::iteration_source_test
