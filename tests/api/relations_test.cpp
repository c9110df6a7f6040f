#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../hierarchy/names/entity_names.hpp"
#include "../support/components.hpp"
#include "../support/refusal.hpp"

namespace strata::test::relations_test {

struct Likes {};
struct DockedTo {
  int port = 0;
};
struct Married {};
struct DependsOn {};
struct Hunts {
  int since = 0;
};
struct Holds {};
/// Stored in tables.
struct Serves {};

}  // namespace strata::test::relations_test

template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::test::relations_test::DockedTo> =
    {.exclusive = true};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::test::relations_test::Married> =
    {.exclusive = true, .symmetric = true};
template <>
inline constexpr strata::RelationOptions
    strata::relation_options_of<strata::test::relations_test::DependsOn> = {.target_destroyed =
                                                                                strata::PairCleanup::destroy};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::test::relations_test::Hunts> = {
    .exclusive = true, .queried = true};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::test::relations_test::Holds> = {
    .queried = true};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::test::relations_test::Serves> = {
    .exclusive = true, .storage = strata::Storage::table};

namespace strata::test::relations_test {

namespace {

std::vector<Entity> listed(const auto& range) {
  return {range.begin(), range.end()};
}

}  // namespace

TEST_SUITE("api/relations") {
  TEST_CASE("a pair is found from both ends; the last one takes the position of one that is removed") {
    World world;
    Relations& relations = world.relations();
    const Entity a = world.create(), b = world.create(), c = world.create();
    CHECK_FALSE(relations.has<Likes>(a, b));
    CHECK(listed(relations.sources<Likes>(b)).empty());
    relations.add<Likes>(a, c);
    relations.add<Likes>(a, b);
    relations.add<Likes>(b, c);
    relations.add<Likes>(a, c);  // It is there already.
    CHECK(relations.size<Likes>() == 3);
    CHECK(relations.target<Likes>(a) == c);
    CHECK(listed(relations.targets<Likes>(a)) == std::vector{c, b});
    CHECK(listed(relations.sources<Likes>(c)) == std::vector{a, b});
    CHECK(relations.has<Likes>(a));
    CHECK_FALSE(relations.has<Likes>(c));
    CHECK_FALSE(relations.has<Likes>(c, a));
    relations.add<Likes>(c, b);
    relations.add<Likes>(a, world.create());
    CHECK(relations.remove<Likes>(a, c));
    CHECK_FALSE(relations.remove<Likes>(a, c));
    CHECK(relations.targets<Likes>(a).size() == 2);
    CHECK(relations.targets<Likes>(a)[1] == b);
    CHECK(relations.remove_sources<Likes>(b) == 2);
    CHECK(relations.remove_sources<Likes>(c) == 1);
    CHECK(relations.remove_targets<Likes>(a) == 1);
    CHECK(relations.size<Likes>() == 0);
    CHECK(world.validate());
  }

  TEST_CASE("sources and targets are spans whose iterators are pointers, and none for the null handle") {
    static_assert(std::is_same_v<std::ranges::iterator_t<RelatedEntities>, const Entity*>);
    static_assert(std::ranges::contiguous_range<RelatedEntities> && std::ranges::view<RelatedEntities> &&
                  std::ranges::borrowed_range<RelatedEntities>);
    static_assert(std::is_convertible_v<RelatedEntities, std::span<const Entity>>);
    World world;
    const std::array entities = {world.create(), world.create(), world.create()};
    const auto [a, b, c] = entities;
    CHECK(world.relations().sources<Likes>(c).empty());
    world.relations().add<Likes>(a, c);
    world.relations().add<Likes>(b, c);
    const RelatedEntities sources = world.relations().sources<Likes>(c);
    CHECK(std::ranges::equal(sources, std::array{a, b}));
    CHECK(std::vector(sources.rbegin(), sources.rend()) == std::vector{b, a});
    const std::span<const Entity> same = world.relations().sources<Likes>(c);
    CHECK(same.data() == sources.begin());
    CHECK(same.size() == 2);
    // The lists of the entity with index 0 have no entries: first without memory, then with memory that they keep.
    CHECK(a.index() == 0);
    CHECK(world.relations().sources<Likes>(Entity()).empty());
    for (const Entity source : {b, c}) world.relations().add<Likes>(source, a);
    world.relations().remove_sources<Likes>(a);
    CHECK(world.relations().sources<Likes>(Entity()).empty());
    CHECK(world.relations().sources<Likes>(a).empty());
  }

  TEST_CASE("an exclusive relation replaces the target, a symmetric one leads both ways and has one value") {
    World world;
    Relations& relations = world.relations();
    const Entity ship = world.create(), near = world.create(), far = world.create();
    relations.add(ship, near, DockedTo{1});
    relations.add(ship, far, DockedTo{2}).port = 3;
    CHECK(relations.target<DockedTo>(ship) == far);
    CHECK(relations.get<DockedTo>(ship, far).port == 3);
    CHECK(relations.find<DockedTo>(ship, near) == nullptr);
    CHECK(listed(relations.sources<DockedTo>(near)).empty());

    relations.add<Married>(near, far);
    relations.add<Married>(ship, near);  // Takes it away from `far`.
    CHECK(relations.target<Married>(near) == ship);
    CHECK(relations.target<Married>(ship) == near);
    CHECK_FALSE(relations.has<Married>(far));
    CHECK(relations.size<Married>() == 2);
    CHECK(relations.remove<Married>(near, ship));
    CHECK(relations.size<Married>() == 0);
    CHECK(world.validate());
  }

  TEST_CASE("a pair to itself, to a stale entity, of another world's options or without value is refused") {
    World world;
    Relations& relations = world.relations();
    const Entity a = world.create(), stale = world.create();
    world.destroy(stale);
    CHECK(refusal([&] { relations.add<Likes>(a, a); }).find("cannot be both the source and the target") !=
          std::string::npos);
    CHECK(refusal([&] { relations.add<Likes>(a, stale); }).find(to_string(stale)) != std::string::npos);
    CHECK(refusal([&] { relations.add<Likes>(stale, a); }).find(to_string(stale)) != std::string::npos);
    CHECK(refusal([&] { relations.add<Likes>(a, Entity()); }).find("names nothing") != std::string::npos);
    CHECK(refusal([&] { static_cast<void>(relations.get<DockedTo>(a, stale)); }).find("there is no pair") !=
          std::string::npos);
    const ComponentId likes = relations.relation<Likes>();
    CHECK(refusal([&] {
            relations.relation(describe<Likes>(), {.exclusive = true});
          }).find("has other options") != std::string::npos);
    CHECK(relations.relation(describe<Likes>(), {}) == likes);
    CHECK(refusal([&] {
            relations.add(a, stale, world.component<Health>(), nullptr);
          }).find("is no relation") != std::string::npos);
    CHECK(refusal([&] {
            relations.add(a, a, relations.relation<DockedTo>(), nullptr);
          }).find("null was passed") != std::string::npos);
    CHECK(refusal([&] {
            world.query<Entity>().each([&](Entity entity) { relations.remove<Likes>(entity, a); });
          }).find("record it") != std::string::npos);
    CHECK(relations.size<Likes>() == 0);
    CHECK(world.validate());
  }

  TEST_CASE("what the library keeps up to date is refused as a component, by its id") {
    World world;
    const Entity ship = world.create(), port = world.create();
    world.relations().add(ship, port, Hunts{3});
    CHECK(world.names().set(ship, "ship"));
    const ComponentId pairs = world.relations().source_component(world.relations().relation<Hunts>());
    const ComponentId names = detail::parts_of(world).hierarchy.names().component();
    for (const ComponentId id : {pairs, names}) {
      std::array<std::byte, 64> bytes{};
      CHECK(refusal([&] { world.add(port, id, bytes.data()); }).find("only the library") !=
            std::string::npos);
      CHECK(refusal([&] { world.remove(ship, id); }).find("only the library") != std::string::npos);
    }
    CHECK(world.relations().has<Hunts>(ship, port));
    CHECK(world.names().name(ship) == "ship");
    CHECK(world.validate());
  }
  TEST_CASE("queries find the sources of a relation, with their targets") {
    World world;
    Relations& relations = world.relations();
    std::vector<Entity> all(6);
    world.create_many(all, Health{1});
    auto hunters = world.query<Entity, const Health, const Pair<Hunts>>();
    CHECK(hunters.count() == 0);
    relations.add(all[0], all[5], Hunts{7});
    relations.add(all[1], all[5], Hunts{8});
    relations.add(all[1], all[4], Hunts{9});
    relations.add<Holds>(all[1], all[2]);
    relations.add<Holds>(all[1], all[3]);
    int sum = 0;
    hunters.each([&](Entity hunter, const Health&, const Pair<Hunts, Any>& pair) {
      CHECK(pair.target() == (hunter == all[0] ? all[5] : all[4]));
      sum += pair.value().since;
    });
    CHECK(sum == 16);
    CHECK(world.query<With<Pair<Hunts>>, Without<Pair<Holds>>>().first() == all[0]);
    CHECK(world.query<Without<Pair<Hunts>>>().count() == 4);
    CHECK(std::as_const(world).query<With<Pair<Holds>>>().count() == 1);
    CHECK(world.query<Maybe<const Pair<Holds>>>().count() == 6);
    world.query<const Pair<Holds>>().each([&](const Pair<Holds>& pair) {
      CHECK(listed(pair.targets()) == std::vector{all[2], all[3]});
    });
    std::vector<Entity> found;
    world.query<Entity, With<Health>>().each_of(relations.list_sources<Hunts>(all[4]),
                                                [&](Entity entity) { found.push_back(entity); });
    CHECK(found == std::vector{all[1]});
    const Term term{Role::with, relations.source_component(relations.relation<Holds>())};
    CHECK(world.query(std::span(&term, 1)).first() == all[1]);

    const Entity copy = world.instantiate(all[1]);
    CHECK(world.get<Pair<Hunts>>(copy).target() == all[4]);
    CHECK(world.components(copy).size() == 1);
    world.destroy(all[4]);
    CHECK(hunters.count() == 1);
    relations.remove_targets<Holds>(all[1]);
    CHECK_FALSE(world.has<Pair<Holds>>(all[1]));
    CHECK(refusal([&] { world.set_storage<Pair<Holds>>(Storage::table); }).find("only the library") !=
          std::string::npos);
    CHECK(refusal([&] {
            static_cast<void>(relations.source_component(relations.relation<Likes>()));
          }).find("option queried") != std::string::npos);
    CHECK(world.validate());
    world.clear();
    CHECK(hunters.count() == 0);
    CHECK(world.validate());
  }

  TEST_CASE("in tables, the sources of a target are contiguous, and leave with the target") {
    World world;
    Relations& relations = world.relations();
    const Entity red = world.create(), blue = world.create();
    std::vector<Entity> all(100);
    world.create_many(all, Health{1});
    const ComponentId serves = relations.relation<Serves>();
    CHECK_FALSE(relations.source_component(serves, red));
    for (std::size_t i = 0; i < all.size(); ++i) relations.add<Serves>(all[i], i % 2 == 0 ? red : blue);
    const auto blocks_of = [&](Entity target) {
      const std::array terms{Term{Role::with, *relations.source_component(serves, target)},
                             Term{Role::read, *world.find_component(name_of<Health>)}};
      std::vector<std::size_t> blocks;
      world.query(terms).each_block(
          [&](const RuntimeQuery::Block& block) { blocks.push_back(block.size()); });
      return blocks;
    };
    CHECK(blocks_of(red) == std::vector<std::size_t>{50});
    CHECK(world.query<const Health>().to<Serves>(blue).count() == 50);
    CHECK(world.components(all[0]).size() == 1);
    relations.add<Serves>(all[0], blue);
    CHECK(world.instantiate(all[2]));
    CHECK(blocks_of(red) == std::vector<std::size_t>{50});
    CHECK(blocks_of(blue) == std::vector<std::size_t>{51});
    const ComponentId tag = *relations.source_component(serves, blue);
    CHECK(refusal([&] { world.remove(all[0], tag); }).find("only the library") != std::string::npos);
    CHECK(refusal([&] { world.set_storage(tag, Storage::sparse); }).find("only the library") !=
          std::string::npos);
    CHECK(refusal([&] {
            relations.relation({.name = "near", .size = 0}, {.symmetric = true, .storage = Storage::table});
          }).find("is symmetric, and cannot be stored in tables") != std::string::npos);
    CHECK(world.validate());
    world.destroy(blue);
    CHECK_FALSE(relations.has<Serves>(all[1]));
    CHECK(relations.remove_sources<Serves>(red) == 50);
    const std::array listed{all[3], red};
    relations.add<Serves>(all[4], red);
    relations.add<Serves>(all[3], all[4]);
    CHECK(world.destroy(listed) == 2);
    CHECK(relations.size<Serves>() == 0);
    CHECK(world.validate());
  }

  TEST_CASE("a topological order has targets before sources, and a cycle is refused by a sentence") {
    World world;
    std::vector<Entity> order{Entity()};
    CHECK(world.relations().topological<DependsOn>(order));
    CHECK(order.empty());
    std::vector<Entity> all(100'000);
    world.create_many(all);
    for (std::size_t i = 0; i + 1 < all.size(); ++i) world.relations().add<DependsOn>(all[i], all[i + 1]);
    world.relations().add<DependsOn>(all[0], all[2]);
    REQUIRE(world.relations().topological<DependsOn>(order));
    CHECK(std::equal(order.begin(), order.end(), all.rbegin(), all.rend()));
    world.relations().add<DependsOn>(all[9], all[3]);
    const Outcome refused = world.relations().topological<DependsOn>(order);
    CHECK(refused.message().find("from entity " + to_string(all[9]) + " to entity " + to_string(all[3])) !=
          std::string::npos);
    CHECK(order.empty());
  }
}

}  // namespace strata::test::relations_test
