#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../../hierarchy/names/entity_names.hpp"
#include "../support/components.hpp"
#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"

namespace strata::test::relations_test {

struct Likes {};
struct DockedTo {
  int port = 0;
};
struct Married {};
struct DependsOn {};
struct Needs {};
struct Guards : Counted {
  using Counted::Counted;
};
struct Hunts {
  int since = 0;
};
struct Holds {};
/// Stored in tables.
struct Serves {};
/// A value that refers to an entity.
struct Path {
  Entity first;
  void remap_entities(const EntityMap& map) { first = map(first); }
};
struct Fragile {
  int value = 0;
  explicit Fragile(int number) : value(number) {}
  Fragile(const Fragile& other) : value(other.value) {
    if (value == 13) throw std::runtime_error("13");
  }
  Fragile(Fragile&&) noexcept = default;
};

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
inline constexpr strata::RelationOptions strata::relation_options_of<strata::test::relations_test::Needs> = {
    .target_destroyed = strata::PairCleanup::refuse};

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
    CHECK(refusal([&] { relations.add<Likes>(a, a); }).find("cannot be the source and the target") !=
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
  TEST_CASE("a target that is needed cannot be destroyed, unless what needs it goes, too") {
    World world;
    const Entity port = world.create(), ship = world.create();
    const Entity crane = world.create(child_of(port));
    world.relations().add<Needs>(ship, crane);
    const std::string expected =
        "entity " + to_string(crane) + " cannot be destroyed: it is the target of a pair of";
    CHECK(refusal([&] { world.destroy(port); }).find(expected) != std::string::npos);
    CHECK(world.relations().may_destroy(port).message().find(to_string(ship)) != std::string::npos);
    world.commands().destroy(port);
    world.flush();
    REQUIRE(world.commands().refusals().size() == 1);
    CHECK(world.commands().refusals()[0].find(to_string(ship)) != std::string::npos);
    CHECK(refusal([&] { world.destroy_children(port); }) != "");
    CHECK(world.size() == 3);
    CHECK(world.destroy(port, ChildPolicy::orphan));
    CHECK(world.destroy(std::vector{crane, ship}) == 2);
    CHECK(world.size() == 0);
    CHECK(world.validate());
  }

  TEST_CASE("a chain of 200,000 dependents goes with its end, a cycle with any of its entities") {
    World world;
    std::vector<Entity> chain(200'000);
    world.create_many(chain);
    for (std::size_t i = 1; i < chain.size(); ++i) world.relations().add<DependsOn>(chain[i], chain[i - 1]);
    CHECK(world.destroy(chain[100'000]));
    CHECK(world.size() == 100'000);
    world.relations().add<DependsOn>(chain[0], chain[99'999]);
    CHECK(world.destroy(chain[7]));
    CHECK(world.size() == 0);
    CHECK(world.relations().size<DependsOn>() == 0);
  }

  TEST_CASE("100,000 sources of one target are listed, lose it and are found one by one") {
    World world;
    const Entity hub = world.create();
    std::vector<Entity> sources(100'000);
    world.create_many(sources);
    const std::size_t archetypes = world.stats().archetypes;
    for (const Entity source : sources) world.relations().add<Likes>(source, hub);
    CHECK(world.stats().archetypes == archetypes);
    for (const Entity source : sources) CHECK(world.relations().has<Likes>(source, hub));
    CHECK(listed(world.relations().sources<Likes>(hub)) == sources);
    for (std::size_t i = 0; i < sources.size(); i += 2) world.relations().remove<Likes>(sources[i], hub);
    CHECK(world.relations().size<Likes>() == 50'000);
    world.destroy(hub);
    CHECK(world.relations().size<Likes>() == 0);
    CHECK(world.size() == 100'000);
    const std::size_t before = world.stats().memory.hierarchy.reserved;
    world.shrink();
    CHECK(world.stats().memory.hierarchy.reserved < before);
    CHECK(world.validate());
  }

  TEST_CASE("values are moved in, replaced, visited and destroyed once") {
    const CountedScope scope;
    {
      World world;
      const Entity a = world.create(), b = world.create(), c = world.create();
      world.relations().add(a, b, Guards(1));
      world.relations().add(a, b, Guards(2));
      world.relations().add(c, b, Guards(5));
      CHECK(scope.leaked() == 2);
      int sum = 0;
      world.relations().each<Guards>([&](Entity, Entity target, Guards& value) {
        CHECK(target == b);
        sum += value.value();
      });
      CHECK(sum == 7);
      world.commands().add(b, c, Guards(9));  // A component of `b`, whose value is dropped below.
      world.commands().add(b, c, Guards(9));
      world.destroy(c);
      world.flush();
      CHECK(world.commands().refusals().size() == 2);
      CHECK(scope.leaked() == 1);
      world.commands().add(b, a, Guards(4));
    }
    CHECK(scope.clean());
  }

  TEST_CASE("copies get the pairs of the originals, with their values, or nothing is copied") {
    World world;
    const Entity root = world.create(), outside = world.create();
    const Entity leaf = world.create(child_of(root));
    world.relations().add(root, leaf, Path{leaf});
    world.relations().add(leaf, outside, Path{outside});
    world.relations().add<Likes>(outside, leaf);
    const Entity copy = world.instantiate(child_of(leaf), root);
    const Entity leaf_copy = *world.children(copy).begin();
    CHECK(world.relations().get<Path>(copy, leaf_copy).first == leaf_copy);
    CHECK(world.relations().get<Path>(leaf_copy, outside).first == outside);
    CHECK(listed(world.relations().targets<Likes>(outside)) == std::vector{leaf});

    world.relations().add(outside, root, Fragile(13));
    CHECK_THROWS_AS(static_cast<void>(world.instantiate(outside, 3)), std::runtime_error);
    CHECK(world.size() == 5);
    world.relations().add(outside, root, Owner(1));
    CHECK(refusal([&] { static_cast<void>(world.instantiate(outside)); }).find("cannot be copied") !=
          std::string::npos);
    CHECK(world.size() == 5);
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

  TEST_CASE("running out of memory changes nothing") {
    const CountedScope scope;
    FailingMemory memory;
    {
      World world({.memory = &memory});
      const Entity first = world.create();
      std::vector<Entity> many(5000);
      world.create_many(many);
      const auto all_works = [&] { return static_cast<bool>(world.validate()); };
      std::size_t failures = sweep_out_of_memory(
          memory, [&] { world.relations().add(many[4999], first, Guards(3)); },
          [&] {
            CHECK(world.relations().size<Guards>() == 0);
            CHECK(all_works());
          });
      CHECK(failures >= 3);
      failures = sweep_out_of_memory(
          memory, [&] { world.relations().add<Married>(many[4999], first); }, [&] { CHECK(all_works()); });
      CHECK(failures >= 3);
      failures = sweep_out_of_memory(
          memory, [&] { world.relations().add<Holds>(many[4999], first); },
          [&] {
            CHECK_FALSE(world.has<Pair<Holds>>(many[4999]));
            CHECK(all_works());
          });
      CHECK(failures > 3);
      const auto is_served = [&](bool served) {
        return [&world, &all_works, &many, served] {
          CHECK(world.relations().has<Serves>(many[7]) == served);
          CHECK(all_works());
        };
      };
      failures = sweep_out_of_memory(
          memory, [&] { world.relations().add<Serves>(many[7], first); }, is_served(false));
      CHECK(failures > 3);
      world.shrink();
      failures = sweep_out_of_memory(
          memory, [&] { world.relations().remove<Serves>(many[7], first); }, is_served(true));
      CHECK(failures > 0);
      world.relations().add<Serves>(many[7], many[8]);
      world.shrink();
      failures = sweep_out_of_memory(
          memory, [&] { world.destroy(many[8]); }, is_served(true));
      CHECK(failures > 0);
      CHECK_FALSE(world.relations().has<Serves>(many[7]));
      world.relations().add<DependsOn>(many[3], first);
      const std::size_t before = world.size();
      failures = sweep_out_of_memory(
          memory, [&] { static_cast<void>(world.instantiate(many[4999])); },
          [&] {
            CHECK(world.size() == before);
            CHECK(world.relations().size<Guards>() == 1);
            CHECK(all_works());
          });
      CHECK(failures > 0);
      failures = sweep_out_of_memory(
          memory, [&] { world.destroy(first); }, [&] { CHECK(world.size() == before + 1); });
      CHECK(failures > 0);
      CHECK(world.size() == before - 1);
      CHECK(world.relations().size<Guards>() == 0);
    }
    CHECK(scope.clean());
    CHECK(memory.complaint() == "");
    CHECK(memory.blocks() == 0);
  }
}

}  // namespace strata::test::relations_test
