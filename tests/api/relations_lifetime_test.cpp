#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"

namespace strata::test::relations_lifetime_test {

struct Likes {};
struct Married {};
struct DependsOn {};
struct Needs {};
struct Guards : Counted {
  using Counted::Counted;
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

}  // namespace strata::test::relations_lifetime_test

namespace lifetime = strata::test::relations_lifetime_test;
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<lifetime::Married> = {.exclusive = true,
                                                                                           .symmetric = true};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<lifetime::DependsOn> = {
    .target_destroyed = strata::PairCleanup::destroy};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<lifetime::Needs> = {
    .target_destroyed = strata::PairCleanup::refuse};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<lifetime::Holds> = {.queried = true};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<lifetime::Serves> = {
    .exclusive = true, .storage = strata::Storage::table};

namespace strata::test::relations_lifetime_test {

namespace {

std::vector<Entity> listed(const auto& range) {
  return {range.begin(), range.end()};
}

}  // namespace

TEST_SUITE("api/relations_lifetime") {
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

  TEST_CASE("by id, the value of a pair is not made of one that the world stores, other than its own") {
    const CountedScope scope;
    {
      World world;
      ComponentInfo info = describe<Counted>();
      info.name = "owns";
      info.type = nullptr;
      const ComponentId owns = world.relations().relation(info, {});
      info.name = "rents";
      const ComponentId rents = world.relations().relation(info, {});
      const Entity a = world.create(Guards(3)), b = world.create(), c = world.create();
      const auto add = [&](Entity source, Entity target, ComponentId id, int number) {
        alignas(Counted) std::byte memory[sizeof(Counted)];
        return world.relations().add(source, target, id, new (memory) Counted(number));
      };
      void* const own = add(a, b, owns, 1);
      void* const other = add(a, c, rents, 2);
      CHECK(world.relations().add(a, b, owns, own) == own);
      CHECK(static_cast<Counted*>(own)->value() == 1);
      const std::string expected = "the value is stored in this world: copy it, or move it out, first";
      for (void* const stored : {own, other, static_cast<void*>(&world.get<Guards>(a))}) {
        CHECK(says(refusal([&] { world.relations().add(a, c, owns, stored); }), expected.c_str()));
        if (stored != own)
          CHECK(says(refusal([&] { world.relations().add(a, b, owns, stored); }), expected.c_str()));
      }
      CHECK(world.relations().find(a, b, owns) == own);
      CHECK(world.relations().find(a, c, owns) == nullptr);
      CHECK(scope.leaked() == 3);
    }
    CHECK(scope.clean());
  }
  TEST_CASE("by id, a component is not made of the value of a pair") {
    const CountedScope scope;
    for (const bool observed : {false, true}) {
      World world;
      Subscription added;
      if (observed) added = world.observers().on_add<Counted>([](Entity, Counted&) {});
      const Entity a = world.create(), b = world.create();
      void* const stored = &world.relations().add(a, b, Counted(1));
      const ComponentId id = world.component<Counted>();
      CHECK(refusal([&] { world.add(a, id, stored); }) ==
            "add of \"" + std::string(name_of<Counted>) + "\" to entity " + to_string(a) +
                ": the value is stored in this world: copy it, or move it out, first");
      CHECK(!world.has<Counted>(a));
      CHECK(world.relations().get<Counted>(a, b).value() == 1);
      CHECK(world.validate());
    }
    CHECK(scope.clean());
  }
}

}  // namespace strata::test::relations_lifetime_test
