#include <strata/strata.hpp>

#include <array>
#include <iostream>
#include <vector>

struct Position { float x, y; };

/// What the host knows of a plugin: functions that are given the world.
struct Plugin {
  void (*start)(strata::World& world);
  void (*run_frame)(strata::World& world);
};

/// A plugin, for example one that runs scripts. Its component is described at run time, with no C++ type.
namespace weather {

strata::ComponentId temperature(strata::World& world) {
  return world.component(
      {.name = "weather.temperature", .size = sizeof(float), .alignment = alignof(float)});
}

void start(strata::World& world) {
  std::vector<strata::Entity> places;
  world.query<strata::Entity, strata::With<Position>>().each(
      [&](strata::Entity place) { places.push_back(place); });
  for (const strata::Entity place : places) {
    float degrees = 20;
    world.add(place, temperature(world), &degrees);
  }
}

void run_frame(strata::World& world) {
  const auto position = world.find_component(strata::name_of<Position>);
  if (!position) return;  // The host has not used its type yet.
  const std::array<strata::Term, 2> terms{{{strata::Role::value, temperature(world)},
                                           {strata::Role::value, *position}}};
  world.query(terms).each([](const strata::RuntimeQuery::Row& row) {
    float& degrees = *static_cast<float*>(row.value(0));
    degrees -= static_cast<const Position*>(row.value(1))->y / 100;  // colder on the mountains
  });
}

}  // namespace weather

/// An inspector: prints all components of an entity, whatever program or plugin they come from.
void inspect(const strata::World& world, strata::Entity entity) {
  std::cout << "entity " << entity << " has\n";
  for (const strata::ConstComponentValue& component : world.components(entity)) {
    std::cout << "  " << component.info->name << " (" << component.info->size << " bytes)";
    if (component.id == world.find_component("weather.temperature")) {
      std::cout << ": " << *static_cast<const float*>(component.value) << " degrees";
    }
    std::cout << '\n';
  }
}

int main() {
  strata::World world;
  const strata::Entity valley = world.create(Position{0, 100});
  const strata::Entity peak = world.create(Position{0, 2500});

  const Plugin plugin{weather::start, weather::run_frame};  // a real host finds them by dlsym
  plugin.start(world);
  plugin.run_frame(world);

  inspect(world, valley);
  inspect(world, peak);
}
