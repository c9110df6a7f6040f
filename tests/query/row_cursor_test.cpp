#include "../../query/visiting/row_cursor.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../query/query.hpp"
#include "../support/components.hpp"

namespace strata::test::row_cursor_test {

using namespace detail;

namespace {

struct Subject {
  Store store{std::pmr::new_delete_resource()};
  int ended = 0;  // Outermost iterations at whose end something was to be applied.

  Subject() {
    store.on_iteration_end([](void* count) { ++*static_cast<int*>(count); }, &ended);
  }
  Entity create(int points) {
    const ComponentId health = store.registry().id_of<Health>();
    const Entity entity =
        store.create_row(store.archetypes().with(store.archetypes().empty(), health), store.tables().root())
            .entity;
    ::new (store.find(entity, health)) Health{points};
    return entity;
  }
  void record() { store.guard().mark_recorded(); }
  template <class... Terms>
  Query<Terms...> query() {
    return {store, nullptr};
  }
};

}  // namespace

TEST_SUITE("query/row_cursor") {
  TEST_CASE("a range-for over a temporary query binds entities, references and pointers") {
    Subject s;
    std::vector<Entity> created;
    for (int i = 0; i < 1000; ++i) created.push_back(s.create(i));
    std::vector<Entity> visited;
    for (auto [entity, health, name] : s.query<Entity, Health, With<Health>, Maybe<const Name>>()) {
      static_assert(std::is_same_v<decltype(entity), Entity>);
      static_assert(std::is_same_v<decltype(health), Health&>);
      static_assert(std::is_same_v<decltype(name), const Name*>);
      CHECK(name == nullptr);
      health.points *= 2;
      visited.push_back(entity);
      s.record();
    }
    CHECK(visited == created);
    int sum = 0;
    for (auto [health] : s.query<const Health>().cascade()) {
      sum += health.points;
      s.record();
    }
    CHECK(sum == 999 * 1000);
    CHECK(s.ended == 2);
  }
  TEST_CASE("a range of terms that hand out nothing yields empty tuples, and one of no rows ends at once") {
    Subject s;
    s.create(1);
    int rows = 0;
    for (const auto& row : s.query<With<Health>>()) {
      static_assert(std::is_same_v<decltype(row), const std::tuple<>&>);
      ++rows;
      s.record();
    }
    CHECK(rows == 1);
    for (const auto& row : s.query<const Name>()) FAIL(std::get<0>(row).id);
    CHECK(s.ended == 1);
    CHECK(!s.store.iterating());
  }
  TEST_CASE("structural changes are refused while the loop runs, and until the outermost one ends") {
    Subject s;
    const Entity entity = s.create(1);
    s.create(2);
    for (auto [outer] : s.query<Entity>()) {
      for (auto [inner] : s.query<Entity>()) {
        s.record();
        CHECK_THROWS_AS(s.store.destroy(inner), ContractViolation);
      }
      CHECK_THROWS_AS(s.store.destroy(outer), ContractViolation);
      CHECK(s.ended == 0);
    }
    CHECK(s.ended == 1);
    CHECK(s.store.destroy(entity));
  }
  TEST_CASE("a loop that is left early has ended") {
    Subject s;
    s.create(1);
    s.create(2);
    int rows = 0;
    for (auto [entity] : s.query<Entity>()) {
      rows += entity ? 1 : 0;
      s.record();
      break;
    }
    CHECK(rows == 1);
    CHECK(s.ended == 1);
    const auto find = [&](int points) {
      for (auto [entity, health] : s.query<Entity, const Health>()) {
        s.record();
        if (health.points == points) return entity;
      }
      return Entity();
    };
    CHECK(find(2));
    CHECK(!find(3));
    CHECK(s.ended == 3);
    const auto throws = [&] {
      for (auto [entity] : s.query<Entity>()) {
        s.record();
        if (entity) throw std::runtime_error("stop");
      }
    };
    CHECK_THROWS_WITH_AS(throws(), "stop", std::runtime_error);
    CHECK(s.ended == 4);
    CHECK(!s.store.iterating());
  }
  TEST_CASE("what the end of an iteration throws passes through, unless another exception is under way") {
    Subject s;
    s.create(1);
    s.store.on_iteration_end([](void*) { throw std::runtime_error("cannot apply"); }, nullptr);
    const auto loop = [&](int way) {
      for (auto [entity] : s.query<Entity>()) {
        s.record();
        if (entity && way == 1) break;
        if (entity && way == 2) throw std::runtime_error("stop");
      }
    };
    CHECK_THROWS_WITH_AS(loop(0), "cannot apply", std::runtime_error);
    CHECK_THROWS_WITH_AS(loop(1), "cannot apply", std::runtime_error);
    CHECK_THROWS_WITH_AS(loop(2), "stop", std::runtime_error);
    CHECK(!s.store.iterating());
  }
}

}  // namespace strata::test::row_cursor_test
