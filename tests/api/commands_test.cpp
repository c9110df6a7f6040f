#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"
#include "typed_kinds.hpp"

namespace strata::test::commands_test {

TEST_SUITE("api/commands") {
  TEST_CASE("what is recorded while a query visits is applied, in order, when the outermost visit ends") {
    World world;
    for (int i = 0; i < 10; ++i) world.create(Health{i});
    auto healths = world.query<Entity, const Health>();
    healths.each([&](Entity entity, const Health& health) {
      healths.each([](Entity, const Health&) {});
      CHECK(healths.count() == 10);
      if (health.points % 2 == 0) world.commands().destroy(entity);
      if (health.points % 2 == 1) world.commands().create(child_of(entity), Position{});
    });
    CHECK(world.commands().empty());
    CHECK(healths.count() == 5);
    CHECK(world.query<const Position>().count() == 5);
    CHECK(world.validate());
  }
  TEST_CASE("a command may use an entity that an earlier command creates") {
    World world;
    Commands& commands = world.commands();
    const Entity parent = commands.create(Health{1});
    const Entity child = commands.create(child_of(parent), Health{2});
    commands.add(child, SparseHealth{3});
    CHECK(!world.alive(parent));
    CHECK(world.size() == 0);
    world.flush();
    CHECK(world.alive(parent));
    CHECK(world.parent(child) == parent);
    CHECK(world.get<SparseHealth>(child).points == 3);
    CHECK(world.validate());
  }
  TEST_CASE("a command that cannot be carried out is refused with a sentence, and the others go on") {
    World world;
    const Entity doomed = world.create(Health{1});
    const Entity top = world.create();
    const Entity below = world.create(child_of(top));
    Commands& commands = world.commands();
    commands.destroy(doomed);
    const Entity unborn = commands.create(child_of(doomed), Health{2});
    commands.set_parent(top, below);
    commands.add(top, Position{1, 2, 3});
    world.flush();
    REQUIRE(commands.refusals().size() == 2);
    CHECK(commands.refusals()[0].find(to_string(doomed)) != std::string::npos);
    CHECK(commands.refusals()[1].find(to_string(below)) != std::string::npos);
    CHECK(!world.alive(unborn));
    CHECK(world.has<Position>(top));
    CHECK(world.validate());
    world.flush();
    CHECK(commands.refusals().empty());
  }
  TEST_CASE("a command that breaks a contract when it is applied is discarded, and the others are applied") {
    const CountedScope scope;
    {
      World world;
      const Entity wrong = world.create(Health{1});
      const Entity other = world.create(Health{2});
      const std::array<ComponentId, 1> tag{world.component<Disabled>()};
      Disabled disabled;
      Commands& commands = world.commands();
      const auto record = [&] {
        commands.add(wrong, Counted(3));
        commands.buffer().add_values(wrong, tag, disabled);  // `add` does not compile.
        const Entity unborn = commands.create(Counted(4));
        commands.buffer().add_values(unborn, tag, disabled);
        commands.set_name(other, "other");
        commands.add(other, Position{1, 2, 3});
      };
      const char* sentence = "\"strata::Disabled\" is not added or removed as a component: use disable";
      SUBCASE("in flush") {
        record();
        CHECK(says(refusal([&] { world.flush(); }), sentence));
      }
      SUBCASE("at the end of a visit") {
        const auto visit = [&](const Health& health) { health.points == 1 ? record() : void(); };
        CHECK(says(refusal([&] { world.query<const Health>().each(visit); }), sentence));
      }
      SUBCASE("with observers") {
        int added = 0;
        const auto subscription = world.observers().on_add<Position>([&](Entity) { ++added; });
        record();
        CHECK(says(refusal([&] { world.flush(); }), sentence));
        CHECK(added == 1);
      }
      REQUIRE(commands.refusals().size() == 2);
      CHECK(says(commands.refusals()[1], sentence));
      CHECK(commands.empty());
      CHECK(world.size() == 2);
      CHECK(world.has<Position>(other));
      CHECK(world.names().find("other") == other);
      CHECK(!world.has<Counted>(wrong));
      CHECK(world.validate());
      commands.add(wrong, Position{});
      world.flush();
      CHECK(commands.refusals().empty());
      CHECK(world.has<Position>(wrong));
    }
    CHECK(scope.clean());
  }
  TEST_CASE("a call that is refused during a visit says whether it can be recorded") {
    World world;
    const Entity parent = world.create(Health{1});
    const Entity child = world.create(child_of(parent));
    History history(world);
    const auto said = [&](auto call) {
      return refusal([&] { world.query<const Health>().each([&](const Health&) { call(); }); });
    };
    const auto is_recorded = [&](auto call) {
      return says(said(call), " while a query is iterating: record it with world.commands()");
    };
    const auto waits = [&](auto call) {
      return says(said(call), " while a query is iterating: call it when that has ended");
    };
    CHECK(is_recorded([&] { world.create(); }));
    CHECK(is_recorded([&] { world.create(child_of(parent), Health{}); }));
    CHECK(is_recorded([&] { world.destroy(child); }));
    CHECK(is_recorded([&] { world.add(child, Health{}); }));
    CHECK(is_recorded([&] { world.remove<Health>(parent); }));
    CHECK(is_recorded([&] { (void)world.set_parent(parent, child); }));
    CHECK(is_recorded([&] { world.clear_parent(child); }));
    CHECK(is_recorded([&] { world.set_layer(child, 1); }));
    CHECK(is_recorded([&] { (void)world.names().set(child, "child"); }));
    CHECK(is_recorded([&] { world.disable(child); }));
    CHECK(is_recorded([&] { world.enable_subtree(child); }));
    CHECK(is_recorded([&] { world.make_prefab(child); }));
    CHECK(is_recorded([&] { (void)world.relations().add<Frozen>(child, parent); }));
    CHECK(waits([&] { (void)world.instantiate(parent); }));
    CHECK(waits([&] { world.create_many(2, Health{}); }));
    CHECK(waits([&] { (void)world.build_hierarchy(std::array{kNoParent}, Health{}); }));
    CHECK(waits([&] { (void)world.set_children(parent, {}); }));
    CHECK(waits([&] { (void)world.move_child_before(child, parent); }));
    CHECK(waits([&] { world.sort_children(parent, [](Entity a, Entity b) { return a < b; }); }));
    CHECK(waits([&] { world.destroy_children(parent); }));
    CHECK(waits([&] { world.clear(); }));
    CHECK(waits([&] { (void)world.restore(parent); }));
    CHECK(waits([&] { world.shrink(); }));
    CHECK(waits([&] { world.defragment(); }));
    CHECK(waits([&] { (void)world.names().remove(child); }));
    CHECK(waits([&] { (void)history.checkpoint(); }));
    CHECK(waits([&] { (void)extract(world, child); }));
    CHECK(world.validate());
  }
  TEST_CASE("a tag of a state is refused by id when it is recorded") {
    World world;
    const Entity entity = world.create();
    detail::CommandBuffer& buffer = world.commands().buffer();
    const ComponentId prefab = world.component<Prefab>();
    const char* sentence = "\"strata::Prefab\" is not added or removed as a component: use make_prefab";
    CHECK(says(refusal([&] { buffer.add(entity, prefab, nullptr); }), sentence));
    CHECK(says(refusal([&] { buffer.remove(entity, prefab); }), sentence));
    CHECK(world.commands().empty());
  }
  TEST_CASE("a command for an entity that is stale by then does nothing") {
    World world;
    const Entity doomed = world.create(Health{1});
    Commands& commands = world.commands();
    commands.destroy(doomed);
    commands.add(doomed, Position{});
    commands.add(doomed, SparseHealth{});
    commands.remove<Health>(doomed);
    commands.clear_parent(doomed);
    commands.destroy(doomed);
    world.flush();
    CHECK(commands.refusals().empty());
    CHECK(world.size() == 0);
    CHECK(world.validate());
  }
  TEST_CASE("a layer is set when the visit ends, in its order among the other commands") {
    World world;
    const Entity low = world.create(Health{1});
    const Entity high = world.create(Health{2});
    const Entity doomed = world.create(Position{});
    world.set_layer(high, 7);
    Commands& commands = world.commands();
    Entity made;
    world.query<Entity, const Health>().each([&](Entity entity, const Health& health) {
      commands.add(entity, Velocity{});
      commands.set_layer(entity, health.points == 1 ? -3 : 0);
      commands.add(entity, Health{health.points + 10});
      if (entity == low) {
        made = commands.create(child_of(low), Health{3});
        commands.set_layer(made, 7);
        commands.set_layer(made, 8);
        commands.destroy(doomed);
        commands.set_layer(doomed, 8);
      }
      CHECK(world.layer(low) == 0);
    });
    CHECK(world.layer(low) == -3);
    CHECK(world.layer(high) == 0);
    CHECK(world.layer(made) == 8);
    CHECK(!world.layer(doomed));
    CHECK(world.parent(made) == low);
    CHECK(world.get<Health>(low).points == 11);
    CHECK(world.get<Health>(high).points == 12);
    CHECK(world.has<Velocity>(high));
    CHECK(commands.refusals().empty());
    CHECK(world.validate());
  }
  TEST_CASE("a layer that memory does not suffice for is set by the next flush") {
    FailingMemory memory;
    World world({.memory = &memory});
    const Entity entity = world.create(Health{1});
    world.commands().set_layer(entity, 5);
    world.commands().add(entity, Position{});
    CHECK(sweep_out_of_memory(
              memory, [&] { world.flush(); }, [&] { CHECK(world.get<Health>(entity).points == 1); }) > 0);
    CHECK(world.layer(entity) == 5);
    CHECK(world.has<Position>(entity));
    CHECK(world.get<Health>(entity).points == 1);
    CHECK(world.validate());
  }
  TEST_CASE("values that were recorded and never applied are destroyed with the world") {
    const CountedScope scope;
    {
      World world;
      world.commands().create(Counted(1), SparseCounted(2));
      world.commands().add(world.create(), Counted(3));
    }
    CHECK(scope.clean());
  }
  TEST_CASE("values of every size and kind arrive whole, however many are recorded") {
    const CountedScope scope;
    {
      World world;
      std::vector<Entity> entities;
      for (int i = 0; i < 100; ++i) {
        entities.push_back(world.create());
        const auto x = static_cast<float>(i);
        world.commands().add(entities.back(), Position{x, x + 1, x + 2});
        world.commands().add(entities.back(), Health{i});
        world.commands().add(entities.back(), Wide(x));
        world.commands().add(entities.back(), Huge(i));
        world.commands().add(entities.back(), Counted(i));
        world.commands().add(entities.back(), Frozen{});
      }
      world.flush();
      for (int i = 0; i < 100; ++i) {
        const Entity entity = entities[static_cast<std::size_t>(i)];
        const auto x = static_cast<float>(i);
        CHECK(world.get<Position>(entity) == Position{x, x + 1, x + 2});
        CHECK(world.get<Health>(entity).points == i);
        CHECK(number_in(world.get<Wide>(entity)) == i);
        CHECK(world.get<Huge>(entity).points == i);
        CHECK(world.get<Counted>(entity).value() == i);
        CHECK(world.has<Frozen>(entity));
      }
      CHECK(world.validate());
    }
    CHECK(scope.clean());
  }
  TEST_CASE("a value that replaces another, or is removed again, is destroyed once") {
    const CountedScope scope;
    {
      World world;
      const Entity entity = world.create(Counted(1));
      Commands& commands = world.commands();
      commands.add(entity, Counted(2));
      commands.add(entity, Counted(3));
      commands.add(entity, SparseCounted(4));
      commands.remove<SparseCounted>(entity);
      world.flush();
      CHECK(world.get<Counted>(entity).value() == 3);
      CHECK(!world.has<SparseCounted>(entity));
    }
    CHECK(scope.clean());
  }
  TEST_CASE("commands for one entity are merged within a flush, whatever earlier flushes have had") {
    World world;
    std::vector<Entity> entities;
    for (int i = 0; i < 20; ++i) entities.push_back(world.create());
    const Entity visited = entities.back();
    Commands& commands = world.commands();
    for (std::size_t flush = 0; flush < 10; ++flush) {
      for (std::size_t i = 0; i < 15; ++i) {
        // Another order each time, so that what is left of the last flush points at others.
        const Entity entity = entities[(i * 7 + flush * 3) % 15];
        const auto number = static_cast<int>(flush * 100 + i);
        commands.add(entity, Health{-1});
        if (flush % 2 == 0) commands.remove<Velocity>(entity);
        if (i == 7) commands.set_parent(visited, entities[flush]);
        if (flush % 2 == 1) commands.add(entity, Velocity{});
        commands.add(entity, Health{number});
      }
      world.flush();
      for (std::size_t i = 0; i < 15; ++i) {
        const Entity entity = entities[(i * 7 + flush * 3) % 15];
        CHECK(world.get<Health>(entity).points == static_cast<int>(flush * 100 + i));
        CHECK(world.has<Velocity>(entity) == (flush % 2 == 1));
      }
      CHECK(world.parent(visited) == entities[flush]);
      CHECK(world.validate());
    }
  }
  TEST_CASE("a command for a handle that is issued only later is no command for it") {
    World world;
    Commands& commands = world.commands();
    const Entity guessed(0, 1);
    commands.add(guessed, Velocity{});
    REQUIRE(commands.create(Health{7}) == guessed);
    world.flush();
    REQUIRE(world.alive(guessed));
    CHECK(world.get<Health>(guessed).points == 7);
    CHECK(!world.has<Velocity>(guessed));
    CHECK(world.size() == 1);
    CHECK(world.validate());
  }
}

}  // namespace strata::test::commands_test
