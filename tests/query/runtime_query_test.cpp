#include "../../query/runtime_query.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "../../query/query.hpp"
#include "../support/components.hpp"
#include "../support/healthy_rows.hpp"

namespace strata::test::runtime_query_test {

using namespace detail;

namespace {

struct Subject {
  Store store{std::pmr::new_delete_resource()};
  ComponentId health = store.registry().id_of<Health>();
  ComponentId name = store.registry().id_of<Name>();
  ComponentId frozen = store.registry().id_of<Frozen>();
  ComponentId sparse = store.registry().id_of<SparseHealth>();

  Entity create(int points) { return create_healthy(store, points); }
  RuntimeQuery query(std::vector<Term> terms) { return {store, terms, nullptr}; }

  /// Returns: what the contract says that these terms break.
  std::string refusal(std::vector<Term> terms) {
    try {
      query(std::move(terms));
    } catch (const ContractViolation& violation) {
      return violation.what();
    }
    return "";
  }
};

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE("query/runtime_query") {
  TEST_CASE("members in an order that leads from block to block are visited in it, each with its values") {
    Subject s;
    std::vector<Entity> entities;
    for (int i = 0; i < 8000; ++i) entities.push_back(s.create(i));
    for (std::size_t i = 0; i < entities.size(); ++i) {
      ::new (s.store.add(entities[i * 7919 % entities.size()], s.sparse).value) SparseHealth{};
    }
    RuntimeQuery query = s.query({{Role::value, s.health}, {Role::optional, s.name}, {Role::with, s.sparse}});
    std::size_t visited = 0;
    query.each([&](const RuntimeQuery::Row& row) {
      const std::size_t expected = visited++ * 7919 % entities.size();
      REQUIRE(row.entity() == entities[expected]);
      REQUIRE(static_cast<const Health*>(row.value(0))->points == static_cast<int>(expected));
      REQUIRE(row.value(1) == nullptr);
    });
    CHECK(visited == entities.size());
    Query<Entity, Health, Maybe<Name>, With<SparseHealth>> typed(s.store, nullptr);
    for (auto [entity, health, name] : typed) {
      REQUIRE(name == nullptr);
      REQUIRE(entities[static_cast<std::size_t>(health.points++)] == entity);
    }
    typed.each([&](Entity entity, Health& health, const Name* name) {
      REQUIRE(name == nullptr);
      REQUIRE(entities[static_cast<std::size_t>(health.points) - 1] == entity);
    });
  }
  TEST_CASE("values are read and written by the position of their term, by rows and by blocks") {
    Subject s;
    for (int i = 0; i < 100; ++i) s.create(i);
    RuntimeQuery query = s.query({{Role::entity, {}}, {Role::value, s.health}, {Role::optional, s.name}});
    query.each([&](const RuntimeQuery::Row& row) {
      CHECK(row.value(2) == nullptr);
      static_cast<Health*>(row.value(1))->points += 1;
    });
    int sum = 0;
    query.each_block([&](const RuntimeQuery::Block& block) {
      CHECK(block.entities().size() == block.size());
      CHECK(block.bytes(1).size() == block.size() * sizeof(Health));
      CHECK(block.values<Name>(2).empty());
      for (const Health& health : block.values<const Health>(1)) sum += health.points;
    });
    CHECK(sum == 99 * 100 / 2 + 100);
    CHECK(query.count() == 100);
    CHECK(query.contains(query.first()));
  }
  TEST_CASE("asking a view for what its term does not hand out is refused, and names the term") {
    Subject s;
    s.create(1);
    RuntimeQuery query = s.query({{Role::entity, {}}, {Role::value, s.health}});
    query.each_block([&](const RuntimeQuery::Block& block) {
      CHECK_THROWS_WITH_AS(block.bytes(0), doctest::Contains("term 0"), ContractViolation);
      CHECK_THROWS_WITH_AS(block.bytes(2), doctest::Contains("no term 2"), ContractViolation);
      CHECK_THROWS_WITH_AS(block.related(1, 0), doctest::Contains("term 1"), ContractViolation);
      CHECK_THROWS_WITH_AS(block.values<Wide>(1), doctest::Contains("Health"), ContractViolation);
    });
    query.each([&](const RuntimeQuery::Row& row) {
      CHECK_THROWS_AS(row.value(0), ContractViolation);
      CHECK_THROWS_AS(row.value(9), ContractViolation);
      CHECK_THROWS_AS(row.related(1), ContractViolation);
    });
  }
  TEST_CASE("a term that reads hands out its value for reading only") {
    Subject s;
    for (int i = 0; i < 10; ++i) s.create(i);
    RuntimeQuery query =
        s.query({{Role::read, s.health}, {Role::read_optional, s.name}, {Role::with, s.health}});
    int sum = 0;
    query.each([&](const RuntimeQuery::Row& row) {
      static_assert(std::is_same_v<decltype(row.read(0)), const void*>);
      sum += static_cast<const Health*>(row.read(0))->points;
      CHECK(row.read(1) == nullptr);
      CHECK_THROWS_WITH_AS(row.value(0), doctest::Contains("term 0 of a query only reads"),
                           ContractViolation);
      CHECK_THROWS_WITH_AS(row.value(1), doctest::Contains("term 1 of a query only reads"),
                           ContractViolation);
      CHECK_THROWS_WITH_AS(row.read(2), doctest::Contains("term 2"), ContractViolation);
    });
    CHECK(sum == 45);
    query.each_block([&](const RuntimeQuery::Block& block) {
      CHECK(block.values<const Health>(0).size() == 10);
      CHECK(block.read_bytes(0).size() == 10 * sizeof(Health));
      CHECK(block.values<const Name>(1).empty());
      CHECK_THROWS_WITH_AS(block.values<Health>(0), doctest::Contains("only reads"), ContractViolation);
      CHECK_THROWS_WITH_AS(block.bytes(0), doctest::Contains("only reads"), ContractViolation);
      CHECK_THROWS_WITH_AS(block.values<const Wide>(0), doctest::Contains("Health"), ContractViolation);
    });
    CHECK(query.explain().find("the value of \"strata::test::Health\", to read") != std::string::npos);
    CHECK(has(s.refusal({{Role{18}, s.health}}), "role 18"));
    CHECK(has(s.refusal({{Role::read, s.frozen}}), "Frozen"));
  }
  TEST_CASE("unsound terms are refused with a sentence that names them") {
    Subject s;
    CHECK(s.refusal({}).empty());
    CHECK(has(s.refusal({{Role::value, s.health}, {Role::with, ComponentId{99}}}), "term 1"));
    CHECK(has(s.refusal({{Role::with, ComponentId{99}}}), "component 99"));
    CHECK(has(s.refusal(std::vector<Term>(17, {Role::with, s.health})), "17"));
    CHECK(has(s.refusal({{Role::related, s.health}}), "no hierarchy"));
    CHECK(has(s.refusal({{Role::nearest, s.health}}), "Health"));
    CHECK(has(s.refusal({{Role::value, s.frozen}}), "Frozen"));
    CHECK(has(s.refusal({{Role::any_of, s.health, 16}}), "group 16"));
    CHECK(has(s.refusal({{Role{77}, s.health}}), "role 77"));
    RuntimeQuery query = s.query({{Role::with, s.health}});
    CHECK_THROWS_WITH_AS(query.children_of(Entity()), doctest::Contains("hierarchy"), ContractViolation);
  }
  TEST_CASE("blocks of side-store components are refused, rows are not") {
    Subject s;
    const Entity entity = s.create(1);
    ::new (s.store.add(entity, s.sparse).value) SparseHealth{5};
    s.create(2);
    RuntimeQuery query = s.query({{Role::value, s.sparse}, {Role::value, s.health}});
    CHECK_THROWS_AS(query.each_block([](const RuntimeQuery::Block&) {}), ContractViolation);
    int rows = 0;
    query.cascade(up).each([&](const RuntimeQuery::Row& row) {
      CHECK(row.entity() == entity);
      CHECK(static_cast<SparseHealth*>(row.value(0))->points == 5);
      CHECK(static_cast<Health*>(row.value(1))->points == 1);
      CHECK_THROWS_AS(s.store.destroy(entity), ContractViolation);
      ++rows;
    });
    CHECK(rows == 1);
    CHECK(query.cascade().count() == 1);
    CHECK(query.cascade().first() == entity);
    CHECK(query.cascade().contains(entity));
  }
}

}  // namespace strata::test::runtime_query_test
