#include "../../query/filtering/ordered_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "../../query/query.hpp"
#include "../../storage/store_change.hpp"
#include "../support/components.hpp"
#include "../support/model_test.hpp"

namespace strata::test::ordered_rows_test {

using namespace detail;

namespace {

using Entities = std::vector<Entity>;

struct Subject {
  Store store{std::pmr::new_delete_resource()};

  template <class T>
  void add(Entity entity, int points) {
    const Store::Added added = store.add(entity, store.registry().id_of<T>());
    ::new (added.value) T{points};
  }
  Entity create(int points) {
    const Entity entity = store.create_row(store.archetypes().empty(), store.tables().root()).entity;
    add<Health>(entity, points);
    return entity;
  }
  int& points(Entity entity) {
    return static_cast<Health*>(store.find(entity, store.registry().id_of<Health>()))->points;
  }
};

const auto kPoints = [](const Health& health) { return health.points; };

template <class Query, class Order>
Entities visit(Query& query, Order order) {
  Entities visited;
  query.template order_by<Health>(order).each([&](Entity entity, auto&&...) { visited.push_back(entity); });
  return visited;
}

// The model: every entity's points, whether it burns, and the order of the last visit, sorted anew.
template <bool with_side_store>
Disagreement orders_agree(Bytes& bytes, Log& log) {
  Subject s;
  using Tables = Query<Entity, const Health, Without<Frozen>>;
  using Both = Query<Entity, const Health, const SparseHealth>;
  std::conditional_t<with_side_store, Both, Tables> query(s.store, nullptr);
  std::map<Entity, int> points;
  std::map<Entity, bool> matches;
  Entities order;
  while (bytes.turn()) {
    const std::size_t kind = bytes.below(8);
    const int value = static_cast<int>(bytes.below(20));
    const std::size_t position = bytes.below(1 + points.size());
    const auto picked = std::next(points.begin(), static_cast<std::ptrdiff_t>(position));
    if (kind < 2 || picked == points.end()) {
      const Entity entity = s.create(value);
      log("create ", entity, " of ", value);
      points[entity] = value;
      matches[entity] = !with_side_store;
    } else if (kind == 2) {
      const Entity entity = picked->first;
      log("destroy ", entity);
      s.store.destroy(entity);
      points.erase(entity);
      std::erase(order, entity);
    } else if (kind < 5) {
      log("set ", picked->first, " to ", value);
      s.points(picked->first) = picked->second = value;
    } else if (kind == 5) {
      const Entity entity = picked->first;
      bool& matching = matches.at(entity);
      log("toggle ", entity);
      const ComponentId id =
          with_side_store ? s.store.registry().id_of<SparseHealth>() : s.store.registry().id_of<Frozen>();
      if (matching != with_side_store) {
        s.store.add(entity, id);
      } else {
        s.store.remove(entity, id);
      }
      matching = !matching;
    } else {
      log(kind == 6 ? "visit rising" : "visit falling");
      const auto falling = [](const Health& a, const Health& b) { return a.points > b.points; };
      const Entities visited = kind == 6 ? visit(query, kPoints) : visit(query, falling);
      // Those that are new come in the order of the query's own visit.
      Entities expected;
      Entities all;
      query.each([&](Entity entity, auto&&...) { all.push_back(entity); });
      for (const Entity entity : order) {
        if (std::find(all.begin(), all.end(), entity) != all.end()) expected.push_back(entity);
      }
      for (const Entity entity : all) {
        if (std::find(expected.begin(), expected.end(), entity) == expected.end()) expected.push_back(entity);
      }
      std::stable_sort(expected.begin(), expected.end(), [&](Entity a, Entity b) {
        return kind == 6 ? points.at(a) < points.at(b) : points.at(a) > points.at(b);
      });
      if (visited != expected) return "entities were visited in another order";
      order = visited;
    }
  }
  return {};
}

}  // namespace

TEST_SUITE("query/ordered_rows") {
  TEST_CASE("a pointer to a member is a key") {
    Subject s;
    for (const int points : {3, 1, 2}) s.create(points);
    Query<Entity, const Health> query(s.store, nullptr);
    CHECK(visit(query, &Health::points) == visit(query, kPoints));
    std::vector<int> seen;
    query.order_by<Health>(&Health::points).each([&](Entity, const Health& health) {
      seen.push_back(health.points);
    });
    CHECK(seen == std::vector<int>{1, 2, 3});
  }
  TEST_CASE("equal ones stay in the order of the last visit, and new ones come after them") {
    Subject s;
    Query<Entity, const Health> query(s.store, nullptr);
    const Entity a = s.create(3);
    const Entity b = s.create(1);
    const Entity c = s.create(2);
    CHECK(visit(query, kPoints) == Entities{b, c, a});
    for (const Entity entity : {a, b, c}) s.points(entity) = 5;
    CHECK(visit(query, kPoints) == Entities{b, c, a});
    const Entity d = s.create(5);
    s.store.destroy(c);
    CHECK(visit(query, kPoints) == Entities{b, a, d});
    CHECK(visit(query, [](const Health& x, const Health& y) { return x.points < y.points; }) ==
          Entities{b, a, d});
  }
  TEST_CASE("an order that holds costs one look at each entity") {
    Subject s;
    Query<Entity, const Health> query(s.store, nullptr);
    for (int i = 0; i < 5000; ++i) s.create((i * 7919) % 5000);
    std::size_t comparisons = 0;
    const auto counted = [&](const Health& x, const Health& y) {
      ++comparisons;
      return x.points < y.points;
    };
    const Entities sorted = visit(query, counted);
    CHECK(std::is_sorted(sorted.begin(), sorted.end(),
                         [&](Entity x, Entity y) { return s.points(x) < s.points(y); }));
    CHECK(comparisons < 5000 * 20);
    comparisons = 0;
    CHECK(visit(query, counted) == sorted);
    CHECK(comparisons == 4999);
    comparisons = 0;
    for (std::size_t i = 100; i < 5000; i += 500) std::swap(s.points(sorted[i]), s.points(sorted[i + 3]));
    CHECK(visit(query, counted) != sorted);
    CHECK(comparisons < 5200);
  }
  TEST_CASE("an order that throws leaves the one of last time") {
    Subject s;
    Query<Entity, const Health> query(s.store, nullptr);
    for (int i = 0; i < 200; ++i) s.create(200 - i);
    const Entities sorted = visit(query, kPoints);
    for (const std::size_t fail_at : {0u, 150u, 600u, 1000u}) {
      for (const Entity entity : sorted) s.points(entity) = (s.points(entity) * 37) % 211;
      s.create(7);
      std::size_t calls = 0;
      const auto failing = [&](const Health& health) {
        if (calls++ == fail_at) throw std::runtime_error("no key");
        return health.points;
      };
      CHECK_THROWS_AS(visit(query, failing), std::runtime_error);
      CHECK(!s.store.iterating());
    }
    Entities kept = visit(query, [](const Health&) { return 0; });
    kept.resize(200);
    CHECK(kept == sorted);
  }
  TEST_CASE("a visit in an order cannot be nested in another one of the same query") {
    Subject s;
    Query<Entity, const Health> query(s.store, nullptr);
    s.create(1);
    query.order_by<Health>(kPoints).each([&](Entity, const Health&) {
      CHECK_THROWS_AS(visit(query, kPoints), ContractViolation);
      query.each([](Entity, const Health&) {});
    });
    CHECK(visit(query, kPoints).size() == 1);
  }
  TEST_CASE(
      "values may be written on the way, several functions visit in turn, and components may be sparse") {
    Subject s;
    Query<Entity, Health, With<SparseHealth>> query(s.store, nullptr);
    for (int i = 0; i < 300; ++i) s.add<SparseHealth>(s.create(i), 300 - i);
    std::vector<int> visited;
    query.order_by<SparseHealth>([](const SparseHealth& health) { return health.points; })
        .each(on<Health>([](Health& health) { ++health.points; }),
              on<const Health>([&](const Health& health) { visited.push_back(health.points); }));
    CHECK(visited.size() == 300);
    CHECK(std::is_sorted(visited.rbegin(), visited.rend()));
    CHECK(visited.front() == 300);
  }
  STRATA_MODEL_TEST("an order kept and repaired is that of sorting anew", orders_agree<false>, .runs = 150);
  STRATA_MODEL_TEST("the same where the side store says what matches", orders_agree<true>, .runs = 150);
}

}  // namespace strata::test::ordered_rows_test
