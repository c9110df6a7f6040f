#include "../../query/visiting/explain.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../../query/query.hpp"
#include "../../storage/sorting/pool_sorting.hpp"
#include "../../storage/store_change.hpp"
#include "../support/components.hpp"

namespace strata::test::explain_test {

using namespace detail;

namespace {

struct Subject {
  Store store{std::pmr::new_delete_resource()};

  Entity create() { return store.create_row(store.archetypes().empty(), store.tables().root()).entity; }
  template <class T>
  void add(Entity entity) {
    void* const value = store.add(entity, store.registry().id_of<T>()).value;
    if constexpr (!is_tag<T>) ::new (value) T{};
  }
};

}  // namespace

TEST_SUITE("query/explain") {
  TEST_CASE("a query says what it asks, how it is led and what it matches") {
    Subject s;
    const Entity one = s.create();
    s.add<Health>(one);
    const Entity two = s.create();
    s.add<Health>(two);
    s.add<Frozen>(two);
    Query<Entity, const Health, Maybe<Name>, Without<Velocity>, AnyOf<Frozen, Wide>> query(s.store, nullptr);
    CHECK(query.explain() ==
          "asks for\n"
          "  the entity\n"
          "  the value of \"strata::test::Health\"\n"
          "  the value of \"strata::test::Name\", where there is one\n"
          "  without \"strata::test::Velocity\"\n"
          "  with any of \"strata::test::Frozen\", \"strata::test::Wide\"\n"
          "walks the matched tables archetype by archetype\n"
          "matches 1 of 3 archetypes, 1 row in 1 table\n"
          "  [strata::test::Health, strata::test::Frozen]: 1 row in 1 table\n"
          "    rank 0: 1 row in 1 table\n");
    CHECK(query.cascade(up).explain().find("by falling rank") != std::string::npos);
    CHECK(query.cascade().depth(2).explain().find("by rising rank, of depth 2\n") != std::string::npos);
    CHECK(query.cascade().depths(2, 5).explain().find(", of the depths from 2 to 5\n") != std::string::npos);
  }
  TEST_CASE("the smallest pool is named as what leads, and a missing one as what ends it") {
    Subject s;
    const Entity entity = s.create();
    s.add<SparseHealth>(entity);
    Query<SparseHealth, With<SparseFrozen>> impossible(s.store, nullptr);
    CHECK(impossible.explain().find("visits nothing") != std::string::npos);
    s.add<SparseHealth>(s.create());
    s.add<SparseFrozen>(entity);
    CHECK(impossible.explain().find("looks up the 1 member of \"strata::test::SparseFrozen\"") !=
          std::string::npos);
    Query<AnyOf<SparseHealth, SparseFrozen>> either(s.store, nullptr);
    CHECK(either.explain().find("2 members of \"strata::test::SparseHealth\", then the 1 member of "
                                "\"strata::test::SparseFrozen\"") != std::string::npos);
    CHECK(either.cascade().explain().find("looks up each row in the side store") != std::string::npos);
  }
  TEST_CASE("what many members do not lead is told, and an order that they were put in") {
    Subject s;
    std::vector<Entity> entities;
    for (int i = 0; i < 20'000; ++i) {
      entities.push_back(s.create());
      s.add<Health>(entities.back());
    }
    for (std::size_t i = 0; i < entities.size(); ++i)
      s.add<SparseFrozen>(entities[i * 7919 % entities.size()]);
    Query<Health, With<SparseFrozen>> query(s.store, nullptr);
    CHECK(query.explain().find("walks the matched tables archetype by archetype, and looks up each row in "
                               "the side store: that is "
                               "faster than looking up the 20000 members of \"strata::test::SparseFrozen\", "
                               "which are not sorted\n") != std::string::npos);
    s.store.side().find(s.store.registry().id_of<SparseFrozen>())->sort([](Entity a, Entity b) {
      return b < a;
    });
    CHECK(query.explain().find("looks up the 20000 members of \"strata::test::SparseFrozen\", in their "
                               "sorted order\n") != std::string::npos);
  }
  TEST_CASE("of an entity, every reason why it does not match is given") {
    Subject s;
    Query<Health, With<SparseFrozen>, Without<Frozen>, AnyOf<Wide, SparseHealth>> query(s.store, nullptr);
    const Entity entity = s.create();
    s.add<Frozen>(entity);
    CHECK(query.explain(entity) ==
          "entity 0v1 does not match: it has no \"strata::test::Health\", has no "
          "\"strata::test::SparseFrozen\", has \"strata::test::Frozen\", which is excluded and has none of "
          "\"strata::test::Wide\", \"strata::test::SparseHealth\"");
    s.store.remove(entity, s.store.registry().id_of<Frozen>());
    s.add<Health>(entity);
    s.add<SparseFrozen>(entity);
    s.add<SparseHealth>(entity);
    CHECK(query.explain(entity) == "entity 0v1 matches");
    s.store.destroy(entity);
    CHECK(query.explain(entity) == "entity 0v1 is stale or was never issued");
    CHECK(query.explain(Entity()) == "the handle names nothing: pass that of an entity");
  }
  TEST_CASE("long lists are cut off") {
    Subject s;
    for (int i = 0; i < 40; ++i) {
      ComponentInfo tag;
      tag.name = "tag " + std::to_string(i);
      s.store.add(s.create(), s.store.registry().add(tag));
    }
    for (std::uint32_t rank = 0; rank < 20; ++rank) {
      s.store.create_row(s.store.archetypes().empty(), s.store.tables().create_branch(rank, 0));
    }
    const std::string text = Query<>(s.store, nullptr).explain();
    CHECK(text.find("asks for every entity\n") == 0);
    CHECK(text.find("matches 41 of 41 archetypes, 60 rows in 60 tables") != std::string::npos);
    CHECK(text.find("and 9 more archetypes") != std::string::npos);
    CHECK(text.find("and 12 more ranks") != std::string::npos);
    CHECK(text.find("[tag 39]") == std::string::npos);
  }
}

}  // namespace strata::test::explain_test
