#include <strata/strata.hpp>

#include <iostream>
#include <string>

struct Name { std::string text; };
struct Local { float x, y; };   // relative to the parent
struct Global { float x, y; };  // in the world

int main() {
  strata::World world;
  const auto tank = world.create(Name{"tank"}, Local{10, 5}, Global{});
  const auto turret = world.create(strata::child_of(tank), Name{"turret"}, Local{0, 2}, Global{});
  world.create(strata::child_of(turret), Name{"barrel"}, Local{3, 0}, Global{});
  world.set(tank, Local{20, 5});  // turret and barrel will follow

  auto transforms = world.query<const Local, Global, strata::Parent<const Global>>();
  transforms.cascade().each([](const Local& local, Global& global, const Global* parent) {
    global = parent ? Global{parent->x + local.x, parent->y + local.y} : Global{local.x, local.y};
  });

  world.query<const Name, const Global>().cascade().each([](const Name& name, const Global& global) {
    std::cout << name.text << " is at " << global.x << ", " << global.y << '\n';
  });
}
