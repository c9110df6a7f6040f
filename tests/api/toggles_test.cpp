#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <array>
#include <span>
#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"

namespace strata::test::toggles_test {

namespace {

struct Renderer {
  int number = 0;
};
struct Shield {
  int number = 0;
};
struct Touched {};
struct Rank {
  int number = 0;
};

}  // namespace

}  // namespace strata::test::toggles_test

template <>
inline constexpr bool strata::can_toggle<strata::test::toggles_test::Renderer> = true;
template <>
inline constexpr bool strata::can_toggle<strata::test::toggles_test::Shield> = true;
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::toggles_test::Shield> =
    strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::toggles_test::Touched> =
    strata::Storage::sparse;
template <>
inline constexpr bool strata::can_toggle<strata::test::toggles_test::Rank> = true;
template <>
inline constexpr strata::Tracking strata::tracking_of<strata::test::toggles_test::Rank> =
    strata::Tracking::rows;

namespace strata::test::toggles_test {

namespace {

template <class AnyQuery>
std::vector<Entity> visited(AnyQuery&& query) {
  std::vector<Entity> entities;
  query.each([&](Entity entity) { entities.push_back(entity); });
  return entities;
}

using Entities = std::vector<Entity>;

}  // namespace

TEST_SUITE("api/toggles") {
  TEST_CASE("a component that is off is found by handles and passed over by queries") {
    World world;
    const Entity a = world.create(Renderer{1}, Health{1});
    const Entity b = world.create(Renderer{2}, Health{2});
    auto query = world.query<Entity, With<Renderer>>();
    CHECK(query.count() == 2);
    const Renderer* const value = world.find<Renderer>(a);
    CHECK(world.enabled<Renderer>(a));
    CHECK(world.disable<Renderer>(a));
    CHECK_FALSE(world.disable<Renderer>(a));
    CHECK_FALSE(world.enabled<Renderer>(a));
    CHECK(world.enabled<Renderer>(b));
    CHECK(visited(query) == Entities{b});
    CHECK(world.has<Renderer>(a));
    CHECK(&world.get<Renderer>(a) == value);
    CHECK(world.get<Renderer>(a).number == 1);
    CHECK(says(query.explain(a), "has its \"strata::test::toggles_test::"));
    CHECK(says(query.explain(a), "Renderer\" switched off"));
    world.set(a, Renderer{7});
    world.add(a, Renderer{8});
    CHECK_FALSE(world.enabled<Renderer>(a));  // The value was replaced, not removed.
    CHECK(world.enable<Renderer>(a));
    CHECK_FALSE(world.enable<Renderer>(a));
    CHECK(query.count() == 2);
    CHECK(world.get<Renderer>(a).number == 8);
    CHECK(world.validate());
  }

  TEST_CASE("terms that look above find a component that is off") {
    World world;
    const Entity parent = world.create(Renderer{1});
    const Entity child = world.create(child_of(parent), Health{1});
    world.disable<Renderer>(parent);
    int seen = 0;
    world.query<const Health, Parent<const Renderer>, Up<const Renderer>, With<Up<Renderer>>>().each(
        [&](const Health&, const Renderer* above, const Renderer* nearest) {
          seen = above != nullptr && nearest == above ? above->number : -1;
        });
    CHECK(seen == 1);
    CHECK(visited(world.query<Entity, Without<Renderer>>()) == Entities{parent, child});
    CHECK(world.query<Without<Parent<Renderer>>>().count() == 1);
  }

  TEST_CASE("each_block hands out runs of neighbouring rows") {
    World world;
    std::vector<Entity> all(100);
    world.create_many<Renderer, Health>(all, Renderer{1}, Health{1});
    for (const std::size_t off : {0u, 40u, 41u, 99u}) world.disable<Renderer>(all[off]);
    std::vector<std::size_t> runs;
    auto query = world.query<Entity, Renderer, const Health>();
    query.each_block(
        [&](std::span<const Entity> entities, std::span<Renderer> values, std::span<const Health>) {
          runs.push_back(values.size());
          CHECK(&values[0] == world.find<Renderer>(entities[0]));
          CHECK(&values.back() == world.find<Renderer>(entities.back()));
        });
    CHECK(runs == std::vector<std::size_t>{39, 57});
    runs.clear();
    std::size_t nothing = 0;
    world.query<Maybe<Renderer>, const Health>().each_block(
        [&](std::span<Renderer> values, std::span<const Health> healths) {
          runs.push_back(healths.size());
          nothing += values.empty() ? healths.size() : 0;
        });
    CHECK(nothing == 4);
    std::size_t rows = 0;
    for (const std::size_t run : runs) rows += run;
    CHECK(rows == 100);
    for (const std::size_t off : {0u, 40u, 41u, 99u}) world.enable<Renderer>(all[off]);
    runs.clear();
    query.each_block([&](auto entities, auto, auto) { runs.push_back(entities.size()); });
    CHECK(runs == std::vector<std::size_t>{100});
  }

  TEST_CASE("a query at run time names a component that is off by its id") {
    World world;
    const ComponentId id = world.component({.name = "lamp", .size = 4, .alignment = 4, .can_toggle = true});
    const ComponentId plain = world.component({.name = "wire", .size = 4, .alignment = 4});
    std::array<Entity, 3> all;
    for (Entity& entity : all) {
      entity = world.create();
      int value = 5;
      world.add(entity, id, &value);
      world.add(entity, plain, &value);
    }
    CHECK(world.disable(all[1], id));
    CHECK_FALSE(world.enabled(all[1], id));
    CHECK(world.enabled(all[1], plain));
    auto with = world.query(std::array{Term{Role::read, id}});
    CHECK(with.count() == 2);
    std::size_t blocks = 0;
    with.each_block(
        [&](const auto& block) { blocks += block.template values<const int>(0).size() == 1 ? 1 : 0; });
    CHECK(blocks == 2);
    auto maybe = world.query(std::array{Term{Role::read_optional, id}, Term{Role::read, plain}});
    std::size_t found = 0;
    maybe.each([&](const auto& row) { found += row.read(0) != nullptr ? 1 : 0; });
    CHECK(found == 2);
    CHECK(world.query(std::array{Term{Role::without, id}}).count() == 1);
    CHECK(says(refusal([&] { world.disable(all[0], plain); }), "\"wire\""));
    CHECK(says(refusal([&] { world.disable(all[0], plain); }), "can_toggle"));
    CHECK(says(refusal([&] { world.component({.name = "lamp", .size = 4, .alignment = 4}); }), "can_toggle"));
    const ComponentId tag = *world.find_component("strata:off lamp");
    CHECK(says(refusal([&] { world.add(all[0], tag, nullptr); }), "only the library"));
    CHECK(says(refusal([&] { world.remove(all[1], tag); }), "only the library"));
    CHECK(says(refusal([&] { world.set_storage(tag, Storage::table); }), "only the library"));
    CHECK(world.validate());
  }

  TEST_CASE("what an entity lacks, a stale entity and an iteration refuse to toggle") {
    World world;
    const Entity bare = world.create();
    const Entity gone = world.create(Renderer{1});
    world.disable<Renderer>(gone);
    world.destroy(gone);
    CHECK_FALSE(world.disable<Renderer>(bare));
    CHECK_FALSE(world.enable<Renderer>(bare));
    CHECK_FALSE(world.enabled<Renderer>(bare));
    for (const Entity entity : {gone, Entity()}) {
      CHECK_FALSE(world.disable<Renderer>(entity));
      CHECK_FALSE(world.enable<Renderer>(entity));
      CHECK_FALSE(world.enabled<Renderer>(entity));
    }
    CHECK_FALSE(world.enabled<Shield>(bare));
    const Entity reused = world.create(Renderer{2});  // In the slot of the one that is gone.
    CHECK(world.enabled<Renderer>(reused));
    const std::string why =
        refusal([&] { world.query<Entity>().each([&](Entity entity) { world.disable<Renderer>(entity); }); });
    CHECK(says(why, "disable of entity"));
    CHECK(says(why, "iterating"));
    CHECK(world.validate());
  }

  TEST_CASE("commands switch components off and on when they are applied") {
    World world;
    const Entity entity = world.create(Renderer{1}, Shield{1});
    auto& commands = world.commands();
    world.query<Entity, const Renderer>().each([&](Entity each, const Renderer&) {
      commands.disable<Renderer>(each);
      commands.disable<Shield>(each);
      commands.enable<Shield>(each);
      CHECK(world.enabled<Renderer>(each));
    });
    CHECK_FALSE(world.enabled<Renderer>(entity));
    CHECK(world.enabled<Shield>(entity));
    const Entity made = commands.create(Renderer{2});
    commands.disable<Renderer>(made);
    commands.remove<Renderer>(entity);
    commands.destroy(entity);
    commands.disable<Shield>(entity);  // Stale by then.
    world.flush();
    CHECK_FALSE(world.enabled<Renderer>(made));
    CHECK(commands.refusals().empty());
    commands.remove<Renderer>(made);
    world.flush();
    commands.add(made, Renderer{3});
    world.flush();
    CHECK(world.enabled<Renderer>(made));
    CHECK(world.validate());
  }

  TEST_CASE("an observer that adds what was removed gets a component that is on") {
    World world;
    const Entity entity = world.create(Renderer{1}, Shield{1});
    const auto again =
        world.observers().on_remove<Renderer>([&](Entity from) { world.commands().add(from, Renderer{2}); });
    world.disable<Renderer>(entity);
    CHECK(world.remove<Renderer>(entity));
    CHECK(world.enabled<Renderer>(entity));
    const auto shield =
        world.observers().on_remove<Shield>([&](Entity from) { world.commands().add(from, Shield{2}); });
    world.disable<Shield>(entity);
    CHECK(world.pool<Shield>().clear() == 1);
    CHECK(world.enabled<Shield>(entity));
    world.disable<Shield>(entity);
    CHECK(world.accessor<Shield>().remove(entity));
    CHECK(world.enabled<Shield>(entity));
    CHECK(world.validate());
  }

  TEST_CASE("an exception of an observer leaves the component off") {
    World world;
    const Entity entity = world.create(Renderer{1});
    const auto thrower = world.observers().on_leave<With<Renderer>>([](Entity) { throw 5; });
    CHECK_THROWS_AS(world.disable<Renderer>(entity), int);
    CHECK_FALSE(world.enabled<Renderer>(entity));
    CHECK(world.query<With<Renderer>>().count() == 0);
    CHECK(world.validate());
  }

  TEST_CASE("changed, propagate and order_by pass over components that are off") {
    World world;
    const Entity root = world.create(Rank{3});
    const Entity child = world.create(child_of(root), Rank{2});
    const Entity leaf = world.create(child_of(child), Rank{1});
    auto changed = world.query<Entity, const Rank>();
    auto maybe = world.query<Maybe<Rank>>();
    auto ordered = world.query<Entity, const Rank>();
    const auto changes = [&] {
      Entities found;
      changed.changed<Rank>().each([&](Entity entity, const Rank&) { found.push_back(entity); });
      return found;
    };
    const auto in_order = [&] {
      Entities found;
      ordered.order_by<Rank>([](const Rank& rank) { return rank.number; })
          .each([&](Entity entity, const Rank&) { found.push_back(entity); });
      return found;
    };
    CHECK(changes().size() == 3);
    CHECK(in_order() == Entities{leaf, child, root});
    world.disable<Rank>(child);
    maybe.each([](Rank*) {});  // Does not hand out, and so does not write, the one that is off.
    CHECK(in_order() == Entities{leaf, root});
    CHECK(changes() == Entities{root, leaf});
    world.enable<Rank>(child);
    CHECK(changes().empty());
    CHECK(in_order() == Entities{leaf, child, root});
    world.disable<Rank>(child);
    world.add<Touched>(root);
    Entities passed;
    auto ranks = world.query<Entity, Rank>();
    ranks.cascade().propagate<Touched>([&](Entity entity, Rank&) { passed.push_back(entity); });
    CHECK(passed == Entities{root, leaf});
    CHECK(visited(world.layered_query<Entity, With<Rank>>()) == Entities{root, leaf});
    const World& reader = world;
    CHECK(reader.query<const Rank>().count() == 2);
  }

  TEST_CASE("a query visits what many changes leave of 20,000 components, half of them off") {
    World world;
    std::vector<Entity> all(20'000);
    world.create_many<Renderer, Shield>(all, Renderer{1}, Shield{1});
    for (std::size_t i = 0; i < all.size(); i += 2) world.disable<Renderer>(all[i]);
    for (std::size_t i = 0; i < all.size(); i += 4) world.disable<Shield>(all[i]);
    CHECK(world.query<Renderer>().count() == 10'000);
    CHECK(world.query<Shield, Maybe<Renderer>>().count() == 15'000);
    CHECK(world.remove<Renderer>(std::span(all).first(10'000)) == 10'000);
    CHECK(world.query<Renderer>().count() == 5'000);
    world.add<Renderer>(std::span(all).first(10'000), Renderer{2});
    CHECK(world.query<Renderer>().count() == 15'000);
    world.destroy(std::span(all).last(10'000));
    CHECK(world.query<Renderer>().count() == 10'000);
    CHECK(world.query<Shield>().count() == 7'500);
    CHECK(world.validate());
  }

  TEST_CASE("if memory runs out at any moment, nothing has changed") {
    FailingMemory memory;
    {
      World world({.memory = &memory});
      const Entity root = world.create(Renderer{1});
      const Entity child = world.create(child_of(root), Renderer{2}, Shield{2});
      auto query = world.query<Renderer>();
      const auto off = [&] { return 2 - query.count(); };
      const auto sweep = [&](std::size_t before, auto change) {
        return sweep_out_of_memory(memory, change, [&] {
          CHECK(off() == before);
          CHECK(world.enabled<Renderer>(root));
          CHECK(world.size() == 2);
          CHECK(world.validate());
        });
      };
      CHECK(sweep(0, [&] { world.disable<Renderer>(child); }) > 3);
      CHECK(off() == 1);
      CHECK(sweep(1, [&] { world.commands().disable<Shield>(child); }) > 0);
      CHECK(sweep(1, [&] { world.flush(); }) > 0);
      CHECK_FALSE(world.enabled<Shield>(child));
      sweep(1, [&] { world.instantiate(root); });
      CHECK(world.query<Shield>().count() == 0);
      CHECK(world.query<Renderer>().count() == 2);
      CHECK(sweep_out_of_memory(
                memory, [&] { world.remove<Renderer>(child); }, [&] { CHECK(world.has<Renderer>(child)); }) >
            0);
      world.add<Renderer>(child);
      CHECK(world.enabled<Renderer>(child));
      CHECK(world.validate());
    }
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint().empty());
  }

  TEST_CASE("a component that recorded commands remove and add again is on") {
    World world;
    const Entity entity = world.create(Renderer{1}), shielded = world.create(Shield{1});
    world.disable<Renderer>(entity);
    world.disable<Shield>(shielded);
    world.commands().remove<Renderer>(entity);
    world.commands().add(entity, Renderer{2});
    world.commands().remove<Shield>(shielded);
    world.commands().add(shielded, Shield{2});
    world.flush();
    CHECK(world.enabled<Renderer>(entity));
    CHECK(world.enabled<Shield>(shielded));
    CHECK(world.get<Renderer>(entity).number == 2);
    CHECK(world.query<With<Renderer>>().count() == 1);
    CHECK(world.validate());
  }

  TEST_CASE("visits of children do not count values that are switched off as written") {
    World world;
    const Entity top = world.create();
    const Entity child = world.create(child_of(top), Rank{1});
    auto ranks = world.query<Entity, const Rank>();
    const auto changed = [&] {
      int count = 0;
      ranks.changed<Rank>().each([&](Entity, const Rank&) { ++count; });
      return count;
    };
    CHECK(changed() == 1);
    world.disable<Rank>(child);
    int nulls = 0;
    world.query<Maybe<Rank>>().children_of(top).each([&](Rank* rank) { nulls += rank == nullptr ? 1 : 0; });
    CHECK(nulls == 1);
    world.enable<Rank>(child);
    CHECK(changed() == 0);
  }

}  // TEST_SUITE

}  // namespace strata::test::toggles_test
