#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <string>
#include <type_traits>
#include <vector>

#include "../support/components.hpp"
#include "../support/refusal.hpp"
#include "../support/sanitized.hpp"

namespace strata::test::acyclic_relations_test {

struct Under {};
struct Includes {};

}  // namespace strata::test::acyclic_relations_test

template <>
inline constexpr strata::RelationOptions
    strata::relation_options_of<strata::test::acyclic_relations_test::Under> = {.exclusive = true,
                                                                                .acyclic = true};
template <>
inline constexpr strata::RelationOptions
    strata::relation_options_of<strata::test::acyclic_relations_test::Includes> = {.acyclic = true};

namespace strata::test::acyclic_relations_test {

TEST_SUITE("api/acyclic_relations") {
  TEST_CASE_TEMPLATE("an acyclic relation refuses the pair that would close a cycle", R, Under, Includes,
                     ChildOf) {
    World world;
    Relations& relations = world.relations();
    std::vector<Entity> chain(std::is_same_v<R, ChildOf> ? 1000 : kLongChain);
    world.create_many(chain);
    for (std::size_t i = 1; i < chain.size(); ++i) relations.add<R>(chain[i], chain[i - 1]);
    const Entity first = chain.front(), last = chain.back();
    const Outcome may = relations.may_add<R>(first, last);
    CHECK(may.message().find(to_string(first)) != std::string::npos);
    CHECK(may.message().find(to_string(last)) != std::string::npos);
    CHECK(refusal([&] { relations.add<R>(first, last); }).find(to_string(last)) != std::string::npos);
    CHECK(refusal([&] { relations.add<R>(chain[7], chain[8]); }).find(to_string(chain[8])) !=
          std::string::npos);
    world.commands().add<R>(first, last);
    world.flush();
    REQUIRE(world.commands().refusals().size() == 1);
    CHECK(world.commands().refusals()[0].find(to_string(last)) != std::string::npos);
    CHECK(relations.size<R>() == chain.size() - 1);
    CHECK_FALSE(relations.may_add<R>(first, first));
    CHECK_FALSE(relations.may_add<R>(Entity(), last));
    CHECK(relations.may_add<R>(last, first));
    relations.remove<R>(chain[1], first);
    CHECK(relations.may_add(first, last, relations.relation<R>()));
    relations.add<R>(first, last);
    CHECK(world.validate());
    CHECK(refusal([&] {
            relations.relation(describe<Health>(), {.symmetric = true, .acyclic = true});
          }).find("each pair is a cycle") != std::string::npos);
  }
  TEST_CASE("may_add of a parent knows about names of siblings") {
    World world({.sibling_names = SiblingNames::unique});
    const Entity parent = world.create();
    REQUIRE(world.names().set(world.create(child_of(parent)), "wheel"));
    const Entity other = world.create();
    REQUIRE(world.names().set(other, "wheel"));
    Relations& relations = world.relations();
    CHECK_FALSE(relations.may_add<ChildOf>(other, parent));
    CHECK_FALSE(relations.may_add(other, parent, relations.relation<ChildOf>()));
    REQUIRE(world.names().set(other, "door"));
    CHECK(relations.may_add<ChildOf>(other, parent));
  }
}

}  // namespace strata::test::acyclic_relations_test
