#include "../../query/matching/matcher.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "../support/components.hpp"

namespace strata::test::matcher_test {

using namespace detail;

namespace {

struct Fixture {
  Store store{std::pmr::new_delete_resource()};
  ComponentId position = store.registry().id_of<Position>();
  ComponentId velocity = store.registry().id_of<Velocity>();
  ComponentId health = store.registry().id_of<Health>();
  ComponentId sparse = store.registry().id_of<SparseHealth>();

  Archetype& archetype(std::vector<ComponentId> ids) {
    return store.archetypes().get(Signature(ids, std::pmr::new_delete_resource()));
  }
  Matcher matcher(std::vector<Term> terms) { return Matcher(store, terms, nullptr); }
};

}  // namespace

TEST_SUITE("query/matcher") {
  TEST_CASE_FIXTURE(Fixture, "archetypes are matched by what they have and have not") {
    Archetype& p = archetype({position});
    Archetype& pv = archetype({position, velocity});
    archetype({position, health});
    archetype({velocity});
    const Matcher matcher =
        this->matcher({{Role::value, position}, {Role::optional, velocity}, {Role::without, health}});
    REQUIRE(matcher.matches().size() == 2);
    CHECK(matcher.matches()[0] == &p);
    CHECK(matcher.matches()[1] == &pv);
    CHECK(matcher.prefixes(0)[0] == p.format().prefix_of(position));
    CHECK(matcher.prefixes(0)[1] == BlockFormat::kAbsent);
    CHECK(matcher.prefixes(1)[1] == pv.format().prefix_of(velocity));
    CHECK(matcher.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Fixture, "archetypes that appear later are taken in by a refresh, once") {
    Matcher matcher = this->matcher({{Role::with, velocity}});
    CHECK(matcher.matches().empty());
    Archetype& pv = archetype({position, velocity});
    archetype({position});
    matcher.refresh();
    matcher.refresh();
    REQUIRE(matcher.matches().size() == 1);
    CHECK(matcher.find_match(pv) == 0);
    CHECK(matcher.find_match(archetype({position})) == -1);
    CHECK(matcher.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Fixture, "terms of the side store do not choose archetypes") {
    archetype({position});
    const Matcher matcher = this->matcher({{Role::value, position}, {Role::value, sparse}});
    CHECK(matcher.uses_side_store());
    CHECK(!matcher.in_side_store(0));
    CHECK(matcher.in_side_store(1));
    CHECK(matcher.matches().size() == 1);
  }
  TEST_CASE_FIXTURE(Fixture,
                    "alternatives in tables are decided by the archetype, also when it appears later") {
    archetype({position});
    Archetype& pv = archetype({position, velocity});
    Matcher matcher = this->matcher({{Role::value, position},
                                     {Role::any_of, velocity, 1},
                                     {Role::any_of, health, 1},
                                     {Role::with, position}});
    CHECK(!matcher.uses_side_store());
    REQUIRE(matcher.matches().size() == 1);
    CHECK(matcher.matches()[0] == &pv);
    Archetype& ph = archetype({position, health});
    archetype({health});
    matcher.refresh();
    REQUIRE(matcher.matches().size() == 2);
    CHECK(matcher.matches()[1] == &ph);
    CHECK(matcher.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Fixture, "of alternatives in both stores, the side store decides where tables do not") {
    archetype({position});
    archetype({velocity});
    const Matcher matcher = this->matcher({{Role::any_of, velocity, 0},
                                           {Role::any_of, sparse, 0},
                                           {Role::any_of, position, 5},
                                           {Role::any_of, velocity, 5}});
    CHECK(matcher.uses_side_store());
    REQUIRE(matcher.matches().size() == 2);
    CHECK(matcher.open_groups(0) == 1u << 0);
    CHECK(matcher.open_groups(1) == 0);
    CHECK(matcher.check_invariants().empty());
    CHECK_THROWS_AS(this->matcher({{Role::any_of, velocity, kMaxTerms}}), ContractViolation);
  }
  TEST_CASE_FIXTURE(Fixture, "matches without rows are kept apart, whatever came and went") {
    std::vector<Archetype*> archetypes;
    std::vector<Entity> entities;
    for (int i = 0; i < 200; ++i) {
      const ComponentId tag = store.registry().add({.name = "tag " + std::to_string(i)});
      archetypes.push_back(i % 2 == 0 ? &archetype({position, tag}) : &archetype({tag}));
    }
    entities.resize(archetypes.size());
    Matcher often = matcher({{Role::value, position}});
    Matcher rarely = matcher({{Role::value, position}});
    std::mt19937 random(3);
    for (int turn = 0; turn < 2000; ++turn) {
      const std::size_t i = random() % archetypes.size();
      if (!store.destroy(entities[i])) {
        entities[i] = store.create_row(*archetypes[i], store.tables().root()).entity;
      }
      if (turn % 3 == 0) often.refresh();
      if (turn % 500 == 0) rarely.refresh();
      REQUIRE(often.check_invariants() == "");
      REQUIRE(rarely.check_invariants() == "");
    }
    for (const Entity entity : entities) store.destroy(entity);
    often.refresh();
    CHECK(often.matches().size() == 100);
    CHECK(often.occupied().empty());
    store.create_row(*archetypes[0], store.tables().root());
    often.refresh();
    REQUIRE(often.occupied().size() == 1);
    CHECK(often.occupied()[0] == archetypes[0]);
    CHECK(often.match_of_occupied(0) == 0);
  }
  TEST_CASE_FIXTURE(Fixture, "a stale entity is not accepted") {
    const Entity entity = store.create_row(archetype({position}), store.tables().root()).entity;
    const Matcher matcher = this->matcher({{Role::value, position}});
    CHECK(matcher.accepts(entity));
    store.destroy(entity);
    CHECK(!matcher.accepts(entity));
    CHECK(!this->matcher({{Role::without, position}}).accepts(entity));
  }
  TEST_CASE_FIXTURE(Fixture, "too many terms, and a relation where there is none, are refused") {
    CHECK_NOTHROW(this->matcher(std::vector<Term>(kMaxTerms, {Role::with, position})));
    CHECK_THROWS_AS(this->matcher(std::vector<Term>(kMaxTerms + 1, {Role::with, position})),
                    ContractViolation);
    CHECK_THROWS_AS(this->matcher({{Role::related, position}}), ContractViolation);
    CHECK_THROWS_AS(this->matcher({{Role::with, ComponentId{99}}}), ContractViolation);
  }
  TEST_CASE_FIXTURE(Fixture, "the store adds up what its matchers looked at and matched") {
    archetype({position});
    archetype({position, velocity});
    Matcher first = matcher({{Role::value, position}});
    Matcher second = matcher({{Role::value, position}, {Role::without, velocity}});
    CHECK(store.query_costs().total().archetypes_seen == 4);
    CHECK(store.query_costs().total().archetypes_matched == 3);
    first.refresh();
    archetype({position, health});
    first.refresh();
    CHECK(store.query_costs().total().archetypes_seen == 5);
    CHECK(store.query_costs().total().archetypes_matched == 4);
  }
}

}  // namespace strata::test::matcher_test
