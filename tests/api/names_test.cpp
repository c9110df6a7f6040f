#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <array>
#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"

namespace strata::test::names_test {

namespace {

World unique_world() {
  return World(WorldOptions{.sibling_names = SiblingNames::unique});
}

/// A tank with a turret that has a barrel.
struct Tank {
  explicit Tank(World& world)
      : tank(world.create()),
        turret(world.create(child_of(tank))),
        barrel(world.create(child_of(turret), Health{1})) {
    REQUIRE(world.names().set(tank, "tank"));
    REQUIRE(world.names().set(turret, "turret"));
    REQUIRE(world.names().set(barrel, "barrel"));
  }
  Entity tank, turret, barrel;
};

void check_sound(const World& world) {
  const Outcome sound = world.validate();
  CHECK_MESSAGE(sound, sound.message());
}

/// Asks for an entity's path while it is destroyed.
struct Asking {
  explicit Asking(World& asked, std::string& into) : world(&asked), answer(&into) {}
  Asking(Asking&& other) noexcept : world(std::exchange(other.world, nullptr)), answer(other.answer) {}
  Asking& operator=(Asking&&) = delete;
  ~Asking() {
    if (world == nullptr) return;
    *answer += world->names().find("tank/turret") ? "found " : "gone ";
    *answer += world->names().find("tank") ? "found " : "gone ";
  }
  World* world;
  std::string* answer;
};

}  // namespace

TEST_SUITE("api/names") {
  TEST_CASE("a path leads to an entity, from the roots and from any entity") {
    World world;
    const Tank it(world);
    const Names& names = std::as_const(world).names();
    CHECK(names.find("tank/turret/barrel") == it.barrel);
    CHECK(names.find("tank") == it.tank);
    CHECK(names.find(it.tank, "turret/barrel") == it.barrel);
    CHECK(names.find(it.turret, "barrel") == it.barrel);
    CHECK(names.path(it.barrel) == "tank/turret/barrel");
    CHECK(names.path(it.tank, it.barrel) == "turret/barrel");
    CHECK(names.name(it.turret) == "turret");
    CHECK(names.size() == 3);
    for (const char* wrong :
         {"", "/", "tank/", "/tank", "tank//barrel", "turret", "tank/barrel", "Tank", "tank\\"})
      CHECK(!names.find(wrong));
    CHECK(!names.find(it.barrel, "barrel"));
    CHECK(!names.find(it.tank, ""));
    CHECK(!names.find(Entity(), "tank"));
    CHECK(names.path(it.barrel, it.tank).empty());
    CHECK(names.path(it.tank, it.tank).empty());
    CHECK(names.path(Entity()).empty());
    check_sound(world);
  }
  TEST_CASE("a name that is missing on the way leaves no path") {
    World world;
    const Tank it(world);
    CHECK(world.names().remove(it.turret));
    CHECK(!world.names().remove(it.turret));
    CHECK(world.names().name(it.turret).empty());
    CHECK(world.names().path(it.barrel).empty());
    CHECK(world.names().path(it.turret, it.barrel) == "barrel");
    CHECK(world.names().find(it.turret, "barrel") == it.barrel);
    CHECK(!world.names().find("tank/turret"));
    check_sound(world);
  }
  TEST_CASE("renaming and re-parenting keep paths right") {
    World world;
    const Tank it(world);
    const Entity depot = world.create();
    CHECK(world.names().set(depot, "depot"));
    CHECK(world.set_parent(it.turret, depot));
    CHECK(world.names().path(it.barrel) == "depot/turret/barrel");
    CHECK(!world.names().find("tank/turret"));
    CHECK(world.names().set(it.turret, "gun"));
    CHECK(world.names().find("depot/gun/barrel") == it.barrel);
    CHECK(world.clear_parent(it.turret));
    CHECK(world.names().find("gun/barrel") == it.barrel);
    CHECK(world.set_children(it.tank, std::vector{it.turret, depot}));
    CHECK(world.names().find("tank/gun/barrel") == it.barrel);
    CHECK(world.names().find("tank/depot") == depot);
    CHECK(world.move_child_before(it.barrel, depot));
    CHECK(world.names().find("tank/barrel") == it.barrel);
    CHECK(world.destroy(it.tank, ChildPolicy::orphan));
    CHECK(world.names().find("barrel") == it.barrel);
    CHECK(world.names().size() == 3);
    check_sound(world);
  }
  TEST_CASE("names end with their entities, whatever destroys these") {
    World world;
    const auto ended = [&](auto destroy) {
      const Tank it(world);
      destroy(it);
      check_sound(world);
      CHECK(!world.names().find("tank/turret"));
      CHECK(!world.names().find(it.tank, "turret"));
      CHECK(world.names().name(it.turret).empty());
      world.clear();
      CHECK(world.names().size() == 0);
      check_sound(world);
    };
    ended([&](const Tank& it) { world.destroy(it.tank); });
    ended([&](const Tank& it) { world.destroy_children(it.tank); });
    ended([&](const Tank& it) { world.destroy(std::vector{it.barrel, it.tank}); });
    ended([&](const Tank&) { world.clear(); });
    ended([&](const Tank& it) {
      world.destroy(it.tank);
      CHECK(world.restore(it.tank));
      CHECK(world.restore(it.turret));
      CHECK(world.set_parent(it.turret, it.tank));
    });
    ended([&](const Tank& it) {
      world.commands().destroy(it.turret);
      world.flush();
    });
  }
  TEST_CASE("equal names are found by age, and a hundred thousand of them cost no more than others") {
    World world;
    const Entity swarm = world.create();
    std::vector<Entity> bees(20'000);
    world.spawner<>(child_of(swarm)).create_many(bees);
    for (const Entity bee : bees) REQUIRE(world.names().set(bee, "bee"));
    CHECK(world.names().find(swarm, "bee") == bees[0]);
    CHECK(world.names().set(bees[0], "queen"));
    CHECK(world.names().find(swarm, "bee") == bees[1]);
    CHECK(world.names().set(bees[0], "bee"));
    world.destroy(bees[1]);
    CHECK(world.names().find(swarm, "bee") == bees[2]);
    for (std::size_t i = 2; i < bees.size(); ++i) world.destroy(bees[i]);
    CHECK(world.names().find(swarm, "bee") == bees[0]);
    check_sound(world);
  }
  TEST_CASE("siblings with unique names refuse a name that is taken, and roots do not") {
    World world = unique_world();
    const Tank it(world);
    const Entity other = world.create(child_of(it.tank));
    CHECK(world.names().set(other, "tank"));
    const Outcome refused = world.names().set(other, "turret");
    CHECK(!refused);
    CHECK(says(refused.message(), ("entity " + to_string(other) + " cannot be named \"turret\"").c_str()));
    CHECK(says(refused.message(), ("entity " + to_string(it.turret)).c_str()));
    CHECK(world.names().name(other) == "tank");
    CHECK(world.names().set(it.turret, "turret"));
    const Entity second = world.create();
    CHECK(world.names().set(second, "tank"));
    CHECK(world.names().find("tank") == it.tank);
    check_sound(world);
  }
  TEST_CASE("a parent that would make two names equal is refused before anything changes") {
    World world = unique_world();
    const Tank it(world);
    const Entity spare = world.create();
    const Entity flag = world.create(child_of(it.tank));
    CHECK(world.names().set(spare, "turret"));
    const auto refused = [&](const Outcome& outcome) {
      CHECK(!outcome);
      CHECK(says(outcome.message(), to_string(spare).c_str()));
      CHECK(
          says(outcome.message(), ("entity " + to_string(it.turret) + ", another child, is named").c_str()));
      CHECK(!world.parent(spare));
      CHECK(world.parent(it.turret) == it.tank);
      check_sound(world);
    };
    refused(world.set_parent(spare, it.tank));
    refused(world.move_child_before(spare, it.turret));
    refused(world.move_child_before(spare, flag));
    refused(world.set_children(it.tank, std::vector{it.turret, spare}));
    world.commands().set_parent(spare, it.tank);
    world.flush();
    REQUIRE(world.commands().refusals().size() == 1);
    CHECK(says(world.commands().refusals()[0], "is named \"turret\""));
    CHECK(world.set_children(it.tank, std::vector{spare, flag}));
    CHECK(world.names().find("tank/turret") == spare);
    CHECK(world.set_parent(spare, it.tank));
    check_sound(world);
  }
  TEST_CASE("copies have the names of their originals; the root's copy only where that is free") {
    World world = unique_world();
    const Tank it(world);
    const Entity copy = world.instantiate(it.tank);
    CHECK(world.names().path(copy) == "tank");
    const Entity barrel = world.names().find(copy, "turret/barrel");
    CHECK(world.get<Health>(barrel) == Health{1});
    CHECK(barrel != it.barrel);
    CHECK(world.names().name(world.instantiate(child_of(it.tank), it.turret)).empty());
    const std::vector<Entity> inside = world.instantiate(child_of(it.barrel), it.turret, 2);
    CHECK(world.names().path(inside[0]) == "tank/turret/barrel/turret");
    CHECK(world.names().name(inside[1]).empty());
    CHECK(world.names().name(world.names().find(inside[1], "barrel")) == "barrel");
    check_sound(world);
    World lenient;
    const Tank also(lenient);
    CHECK(lenient.names().name(lenient.instantiate(child_of(also.tank), also.turret)) == "turret");
    CHECK(lenient.names().find("tank/turret") == also.turret);
    check_sound(lenient);
  }
  TEST_CASE("commands name entities, in the order of recording") {
    World world = unique_world();
    const Tank it(world);
    std::string text = "wheel";
    Entity wheel;
    world.query<const Health>().each([&](const Health&) {
      wheel = world.commands().create(child_of(it.tank), Health{2});
      world.commands().set_name(wheel, text);
      text = "?????";
      world.commands().set_name(it.turret, "wheel");
      world.commands().set_name(it.barrel, std::string(1000, 'b'));
      world.commands().destroy(it.turret);
      world.commands().set_name(it.turret, "ghost");
    });
    CHECK(world.names().find("tank/wheel") == wheel);
    REQUIRE(world.commands().refusals().size() == 1);
    CHECK(says(world.commands().refusals()[0], "cannot be named \"wheel\""));
    CHECK(world.names().size() == 2);
    check_sound(world);
  }
  TEST_CASE("names hold any bytes, and paths escape separators") {
    World world;
    const Entity above = world.create();
    const std::array<std::string, 6> texts = {
        "a/b", "\\", "/", "tour d'\xC3\xA9", "\xFF\xFE\x80", std::string("nul\0nul", 7)};
    for (const std::string& text : texts) {
      const Entity entity = world.create(child_of(above));
      CHECK(world.names().set(entity, text));
      CHECK(world.names().name(entity) == text);
      CHECK(world.names().find(above, Names::escape(text)) == entity);
    }
    CHECK(world.names().set(above, "a\\/b"));
    CHECK(world.names().path(world.names().find("a\\\\\\/b/a\\/b")) == "a\\\\\\/b/a\\/b");
    CHECK(Names::escape("").empty());
    const std::string megabyte(1 << 20, '/');
    CHECK(world.names().set(above, megabyte));
    CHECK(world.names().find(world.names().path(above)) == above);
    CHECK(world.stats().memory.hierarchy.used > megabyte.size());
    check_sound(world);
  }
  TEST_CASE("what cannot be named is refused with a sentence") {
    World world = unique_world();
    const Tank it(world);
    CHECK(says(world.names().set(it.tank, "").message(), "at least one character"));
    CHECK(says(world.names().set(Entity(), "x").message(), "is stale or was never issued"));
    world.destroy(it.barrel);
    CHECK(!world.names().set(it.barrel, "x"));
    const Entity other = world.create(child_of(it.tank));
    CHECK(world.names().set(it.turret, std::string(70, 'x') + "\xC3\xA9"));
    const Outcome refused = world.names().set(other, world.names().name(it.turret));
    CHECK(says(refused.message(), ("\"" + std::string(64, 'x') + "...\"").c_str()));
    const std::string contract = refusal(
        [&] { world.query<Entity>().each([&](Entity e) { static_cast<void>(world.names().set(e, "y")); }); });
    CHECK(says(contract, "set_name"));
    CHECK(world.names().name(it.tank) == "tank");
    const ComponentId id = *world.find_component("strata:name");
    CHECK(says(refusal([&] { world.set_storage(id, Storage::table); }), "it stays where it is"));
  }
  TEST_CASE("a destructor finds no entity that is gone") {
    std::string answer;
    World world;
    const Tank it(world);
    world.add(it.turret, Asking(world, answer));
    world.destroy(it.turret);
    CHECK(answer == "gone found ");
    check_sound(world);
  }
  TEST_CASE("a moved world keeps its names, and memory without use is given back") {
    World first;
    const Tank it(first);
    World world = std::move(first);
    CHECK(world.names().path(it.barrel) == "tank/turret/barrel");
    for (int i = 0; i < 1000; ++i) CHECK(world.names().set(world.create(), "n" + std::to_string(i)));
    world.destroy(std::vector{world.names().find("n7")});
    const std::size_t before = world.stats().memory.hierarchy.reserved;
    world.clear();
    CHECK(world.shrink());
    CHECK(world.stats().memory.hierarchy.reserved < before);
    const Tank again(world);
    CHECK(world.set_parent(again.barrel, again.tank));
    CHECK(world.names().path(again.barrel) == "tank/barrel");
    check_sound(world);
  }
  TEST_CASE("a chain of 200,000 names has a path") {
    World world;
    std::vector<std::uint32_t> parents(200'000);
    for (std::uint32_t i = 0; i < parents.size(); ++i) parents[i] = i == 0 ? kNoParent : i - 1;
    const BuiltHierarchy built = world.build_hierarchy(parents);
    for (const Entity entity : built.entities) REQUIRE(world.names().set(entity, "n"));
    const std::string path = world.names().path(built.entities.back());
    CHECK(path.size() == 2 * parents.size() - 1);
    CHECK(world.names().find(path) == built.entities.back());
    world.destroy(built.entities[1]);
    CHECK(world.names().size() == 1);
  }
  TEST_CASE("nothing is half done when memory runs out") {
    FailingMemory memory;
    {
      World world(WorldOptions{.memory = &memory, .sibling_names = SiblingNames::unique});
      const Entity root = world.create(Health{1});
      const Entity child = world.create(child_of(root), Health{2});
      const auto sweep = [&](auto operation) {
        const std::string before = world.names().path(child);
        const std::size_t named = world.names().size();
        sweep_out_of_memory(memory, operation, [&] {
          CHECK(world.names().path(child) == before);
          CHECK(world.names().size() == named);
          check_sound(world);
        });
        check_sound(world);
      };
      sweep([&] { static_cast<void>(world.names().set(root, "a root")); });
      sweep([&] { static_cast<void>(world.names().set(child, std::string(99, 'c'))); });
      sweep([&] { static_cast<void>(world.names().set(child, "renamed")); });
      sweep([&] { world.instantiate(root, 9); });
      sweep([&] { world.commands().set_name(child, std::string(99, 'd')); });
      sweep([&] { world.flush(); });
      CHECK(world.names().path(child) == "a root/" + std::string(99, 'd'));
      CHECK(world.names().size() == 20);
    }
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint().empty());
  }
}

}  // namespace strata::test::names_test
