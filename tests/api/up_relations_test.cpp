#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <array>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../support/components.hpp"
#include "../support/refusal.hpp"
#include "../support/sanitized.hpp"

namespace strata::test::up_relations_test {

struct Likes {};
struct Follows {};
struct Local {
  int value = 0;
};
struct Global {
  int value = 0;
};
struct Mood {
  int value = 0;
};

}  // namespace strata::test::up_relations_test

template <>
inline constexpr strata::RelationOptions
    strata::relation_options_of<strata::test::up_relations_test::Follows> = {.exclusive = true};
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::up_relations_test::Mood> =
    strata::Storage::sparse;

namespace strata::test::up_relations_test {

namespace {

using Entities = std::vector<Entity>;

}  // namespace

TEST_SUITE("api/up_relations") {
  TEST_CASE_TEMPLATE("Up finds the nearest value along a relation, in a chain of any length", R, Follows,
                     ChildOf) {
    World world;
    Entities chain(std::is_same_v<R, Follows> ? kLongChain
                                              : 2'000);  // Of parents, there is one in the tests of Up.
    world.create_many(chain, Local{1});
    for (std::size_t i = 1; i < chain.size(); ++i) world.relations().add<R>(chain[i], chain[i - 1]);
    world.add(chain[0], Global{7});
    const Entity middle = chain[chain.size() / 2];
    world.add(middle, Mood{9});
    std::size_t found = 0;
    const auto visit = [&](Entity entity, const Local&, const Global* global, const Mood* mood) {
      found += global != nullptr && global->value == 7 ? 1 : 0;
      const bool above = entity.index() > middle.index();
      if ((mood != nullptr) != above || (above && mood->value != 9)) found = 0;
    };
    auto query = world.query<Entity, const Local, Up<const Global, R>, Up<const Mood, R>>();
    query.each(visit);
    CHECK(std::exchange(found, 0) == chain.size() - 1);
    CHECK(world.relations().nearest<Global, R>(chain.back())->value == 7);
    CHECK(world.relations().nearest<Global, R>(chain[0]) == nullptr);
    CHECK(world.relations().nearest<Health, R>(chain[9]) == nullptr);
    CHECK(world.relations().nearest<Health, R>(Entity()) == nullptr);
  }

  TEST_CASE("Up along a relation comes to an end in cycles, and differs among siblings") {
    World world;
    Relations& relations = world.relations();
    const Entity parent = world.create(Global{5});
    Entities all(100);
    world.create_many(all, Local{1});
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(world.set_parent(all[i], parent));
    auto query = world.query<Entity, const Local, Up<const Mood, Follows>, Parent<const Global>>();
    int found = 0;
    int expected = 0;
    const auto visit = [&](Entity entity, const Local&, const Mood* mood, const Global* global) {
      CHECK(global->value == 5);
      found += mood != nullptr ? mood->value * static_cast<int>(entity.index() + 1) : 0;
    };
    const auto visit_all = [&] {
      CHECK((query.each(visit), std::exchange(found, 0)) == expected);
      CHECK((query.cascade().each(visit), std::exchange(found, 0)) == expected);
      CHECK((query.children_of(parent).each(visit), std::exchange(found, 0)) == expected);
      CHECK((query.each_of(all, visit), std::exchange(found, 0)) == expected);
      for (auto [entity, local, mood, global] : query) visit(entity, local, mood, global);
      CHECK(std::exchange(found, 0) == expected);
    };
    visit_all();
    // Two rings, one of 60, the other of 2, and a tail of 38 to the ring of 60.
    for (std::size_t i = 0; i < 60; ++i) relations.add<Follows>(all[i], all[(i + 1) % 60]);
    for (std::size_t i = 60; i < 98; ++i) relations.add<Follows>(all[i], all[i - 1]);
    relations.add<Follows>(all[98], all[99]);
    relations.add<Follows>(all[99], all[98]);
    visit_all();
    world.add(all[98], Mood{3});
    expected = 3 * static_cast<int>(all[98].index() + all[99].index() + 2);  // The ring leads back to it.
    visit_all();
    world.add(all[7], Mood{1});
    for (std::size_t i = 0; i < 98; ++i) expected += static_cast<int>(all[i].index() + 1);
    visit_all();
    int in_blocks = 0;
    world.query<const Local, Up<const Mood, Follows>>().each_block(
        [&](std::span<const Local> locals, Up<const Mood, Follows>::Span moods) {
          for (std::size_t i = 0; i < locals.size(); ++i) in_blocks += moods[i] != nullptr ? 1 : 0;
        });
    CHECK(in_blocks == 100);

    const ComponentId follows = relations.relation<Follows>();
    const ComponentId mood = world.component<Mood>();
    const std::array<Term, 3> terms{Term{Role::entity, ComponentId{}}, Term{Role::nearest, mood, 0, follows},
                                    Term{Role::nearest, mood, 0, relations.relation<ChildOf>()}};
    world.query(terms).each([&](const RuntimeQuery::Row& row) {
      const auto* const value = static_cast<const Mood*>(row.related(1));
      found += value != nullptr ? value->value * static_cast<int>(row.entity().index() + 1) : 0;
      CHECK(row.related(2) == nullptr);
    });
    CHECK(found == expected);
    CHECK(world.query(terms).explain().find("nearest target along \"") != std::string::npos);
    const std::array<Term, 1> many{Term{Role::nearest, mood, 0, relations.relation<Likes>()}};
    CHECK(refusal([&] { static_cast<void>(world.query(many)); }).find("several targets") !=
          std::string::npos);
    const std::array<Term, 1> none{Term{Role::nearest, mood, 0, mood}};
    CHECK(refusal([&] { static_cast<void>(world.query(none)); }).find("is no relation") != std::string::npos);
  }

  TEST_CASE("a query of a const World finds a relation that becomes known later") {
    World world;
    const Entity a = world.create(), b = world.create(Local{4});
    auto query = std::as_const(world).query<Entity, Up<const Local, Follows>>();
    const auto sum = [&] {
      int values = 0;
      query.each([&](Entity, const Local* local) { values += local != nullptr ? local->value : 0; });
      return values;
    };
    CHECK(sum() == 0);
    world.relations().add<Follows>(a, b);
    CHECK(sum() == 4);
  }
}

}  // namespace strata::test::up_relations_test
