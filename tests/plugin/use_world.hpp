// Uses a world by C++ types in most ways that there are. Compiled into a program and into its plugin, which share the
// world and each contain the library.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <strata/strata.hpp>
#include <string>
#include <vector>

struct Position {
  float x, y;
};
struct Velocity {
  float x, y;
};
struct Name {
  std::string text;
};
struct Burning {
  int damage;
};
struct Frozen {};
struct Counter {
  int count;
};
struct Mass {
  double kilograms;
};
struct Gravity {
  float metres;
};
/// An event, and how many functions that listen to it were left in a world.
struct Bell {
  std::size_t calls = 0;
};
struct Bells {
  std::size_t functions = 0;
};
template <>
inline constexpr strata::Storage strata::storage_of<Burning> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<Frozen> = strata::Storage::sparse;
template <>
inline constexpr strata::Tracking strata::tracking_of<Counter> = strata::Tracking::rows;

/// Functions in here are compiled twice, and each side has to call its own.
namespace {

/// What did not go as it should first; empty if nothing.
std::string g_complaint;

void expect(bool condition, const char* what) {
  if (!condition && g_complaint.empty()) g_complaint = what;
}

void use_values(strata::World& world) {
  const strata::Entity entity = world.create(Position{1, 2}, Name{"tank"}, Burning{3});
  expect(world.get<Position>(entity).y == 2, "get of a table component");
  expect(world.get<Name>(entity).text == "tank", "get of a component with a destructor");
  expect(world.get<Burning>(entity).damage == 3, "get of a side-store component");
  expect(world.has<Position>(entity) && !world.has<Velocity>(entity), "has");
  expect(!world.has<Frozen>(entity) && world.find<Velocity>(entity) == nullptr, "find");
  world.add(entity, Velocity{4, 5});
  world.add(entity, Frozen{});
  world.set(entity, Position{6, 7});
  expect(world.get<Velocity>(entity).x == 4 && world.has<Frozen>(entity), "add");
  expect(world.get<Position>(entity).x == 6, "set");
  expect(world.remove<Velocity>(entity) && !world.remove<Velocity>(entity), "remove from a table");
  expect(world.remove<Burning>(entity) && !world.remove<Burning>(entity), "remove from the side store");
  const strata::Entity child = world.create(strata::child_of(entity), Name{"turret"}, Mass{8});
  expect(world.get<Mass>(child).kilograms == 8, "create below a parent");
  expect(world.find<Mass>(entity) == nullptr, "find of what is not there");
  expect(world.destroy(entity) && !world.alive(child), "destroy");
}

void use_prepared(strata::World& world) {
  auto spawner = world.spawner<Position, Burning>();
  auto positions = world.accessor<Position>();
  auto burning = world.accessor<Burning>();
  const strata::Entity entity = spawner.create({1, 2}, {3});
  expect(positions.get(entity).y == 2 && burning.get(entity).damage == 3, "accessor");
  const std::size_t made = world.create_many<Mass, Frozen>(10, Mass{2}, Frozen{});
  expect(made == 10, "create_many");
  const std::vector<std::uint32_t> parents{0xFFFF'FFFF, 0, 0};
  const std::vector<Counter> counters{{1}, {2}, {3}};
  const auto built = world.build_hierarchy(parents, counters);
  expect(built.entities.size() == 3, "build_hierarchy");
}

void use_queries(strata::World& world) {
  const strata::Entity parent = world.create(Position{10, 0}, Velocity{1, 1});
  for (int i = 0; i < 5; ++i)
    world.create(strata::child_of(parent), Position{1, 0}, Velocity{2, 2}, Burning{i});
  auto moving = world.query<Position, const Velocity, strata::Parent<const Position>>();
  float above = 0;
  moving.cascade().each([&](Position& position, const Velocity& velocity, const Position* parents) {
    position.x += velocity.x;
    above += parents != nullptr ? parents->x : 0;
  });
  expect(above == 5 * 11, "query of parents");
  int damage = 0;
  world.query<const Burning, const Velocity>().each(
      [&](const Burning& fire, const Velocity&) { damage += fire.damage; });
  expect(damage == 10, "query of the side store");
  expect(world.query<strata::With<Velocity>, strata::Without<Burning>>().count() == 1, "count");
  world.query<strata::Entity, const Velocity>().each([&](strata::Entity entity, const Velocity&) {
    world.commands().add(entity, Frozen{});
    world.commands().remove<Burning>(entity);
  });
  expect(world.query<strata::With<Velocity>, strata::With<Frozen>>().count() == 6, "commands that add");
  expect(world.query<strata::With<Velocity>, strata::With<Burning>>().count() == 0, "commands that remove");
  auto counted = world.query<const Counter>();
  expect(counted.changed<Counter>().count() == 3, "changed");
  world.destroy(parent);
}

void use_the_rest(strata::World& world) {
  world.resources().set(Gravity{-10});
  expect(world.resources().get<Gravity>().metres == -10, "resource");
  world.resources().emplace<Gravity>(Gravity{-5});
  expect(world.resources().find<Gravity>()->metres == -5, "resource that is replaced");
  const std::size_t burning = world.query<strata::With<Burning>>().count();
  world.set_storage<Burning>(strata::Storage::table);
  expect(world.query<strata::With<Burning>>().count() == burning, "set_storage");
  const strata::Entity entity = world.create(Burning{1});
  expect(world.get<Burning>(entity).damage == 1, "get of what is stored elsewhere");
  world.set_storage<Burning>(strata::Storage::sparse);
  world.pool<Burning>().sort([](const Burning& a, const Burning& b) { return a.damage < b.damage; });
  expect(world.get<Burning>(entity).damage == 1, "get of what was stored elsewhere");
  world.pool<Frozen>().clear();
  std::vector<strata::Entity> all;
  world.query<strata::Entity>().each([&](strata::Entity each) { all.push_back(each); });
  for (const strata::Entity each : all) world.destroy(each);
  expect(world.size() == 0, "size");
  const strata::Outcome valid = world.validate();
  expect(bool(valid), "validate");
}

/// Returns: what did not go as it should; empty if nothing.
void use_events(strata::World& world) {
  strata::Events& events = world.events();
  const strata::Entity above = world.create();
  const strata::Entity entity = world.create(strata::child_of(above));
  std::string told;
  const strata::Subscription at_entity = events.on<Name>(entity, [&](Name& name) { told += name.text; });
  const strata::Subscription at_parent = events.on<Name>(above, [&](Name& name) { told += name.text + "!"; });
  events.emit(Name{"a"}, entity, strata::Spread::bubble);
  events.queue(Name{std::string(100, 'b')}, above, strata::Spread::sink);
  expect(events.deliver().delivered == 1, "deliver");
  expect(told == "aa!" + std::string(100, 'b') + "!" + std::string(100, 'b'), "events that spread");
  // Functions of either side are called with events of the other one.
  if (world.resources().find<Bells>() == nullptr) world.resources().set(Bells{});
  events.on<Bell>([](Bell& bell) { ++bell.calls; }).detach();
  const std::size_t functions = ++world.resources().get<Bells>().functions;
  Bell bell;
  expect(events.emit(bell) == functions && bell.calls == functions, "events of both sides");
  world.destroy(above);
}

std::string use(strata::World& world) {
  g_complaint.clear();
  use_events(world);
  use_values(world);
  use_prepared(world);
  use_queries(world);
  use_the_rest(world);
  return g_complaint;
}

}  // namespace
