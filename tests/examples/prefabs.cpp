#include <strata/strata.hpp>

#include <iostream>
#include <string>

struct Name { std::string text; };
struct Health { int points; };
struct Target { strata::Entity entity; };

void print(const strata::World& world, strata::Entity root) {
  std::cout << world.get<Name>(root).text << ':';
  for (const strata::Entity node : world.depth_first(root))
    std::cout << ' ' << world.get<Name>(node).text << ' ' << world.get<Health>(node).points;
  std::cout << '\n';
}

int main() {
  strata::World world;
  auto alive = world.query<const Health>();

  // A prefab: an entity with all below it, as any other.
  const strata::Entity tank = world.create(Name{"tank"}, Health{100});
  const strata::Entity turret = world.create(strata::child_of(tank), Name{"turret"}, Health{40});
  world.create(strata::child_of(turret), Name{"barrel"}, Health{10});
  world.make_prefab(tank);
  std::cout << alive.count() << " things, and in prefabs "
            << world.query<const Health, strata::With<strata::Prefab>>().count() << '\n';

  // Copies, with values of their own.
  const strata::Entity red = world.instantiate(tank, Name{"red"});
  const strata::Entity blue = world.instantiate(tank, Name{"blue"}, Health{80}, strata::override_at(turret, Health{30}));
  print(world, red);
  print(world, blue);
  std::cout << alive.count() << " things\n";

  // From the prefab to its instances, and to the entities in them.
  for (const strata::Entity instance : world.relations().sources<strata::InstanceOf>(tank)) {
    const strata::Entity part = world.counterpart(instance, turret);
    std::cout << world.get<Name>(instance).text << " has a turret with " << world.get<Health>(part).points << '\n';
  }

  // A variant: a prefab made from a prefab.
  const strata::Entity heavy = world.instantiate(tank, Name{"heavy tank"}, Health{300});
  world.make_prefab(heavy);
  const strata::Entity armour = world.create(strata::child_of(heavy), Name{"armour"}, Health{500});
  const strata::Entity green = world.instantiate(heavy, Name{"green"}, strata::override_at(armour, Health{600}));
  print(world, green);
  std::cout << "green is a " << world.get<Name>(world.prefab_of(green)).text << ", which is a "
            << world.get<Name>(world.prefab_of(heavy)).text << '\n';
  std::cout << "its turret has " << world.get<Health>(world.counterpart(green, turret)).points << '\n';

  // Later changes of a prefab are for later copies.
  world.set(turret, Health{45});
  std::cout << "the turret of the next has "
            << world.get<Health>(world.counterpart(world.instantiate(tank), turret)).points << '\n';

  // What the prefab lacks is refused, and nothing is created.
  const std::size_t before = world.size();
  try {
    world.instantiate(tank, Target{blue});
  } catch (const strata::ContractViolation& refused) {
    std::cout << "refused: " << (world.size() == before ? "nothing was created" : "half a tank is there") << '\n';
  }

  // Without its prefab, an instance is a thing of its own.
  world.destroy(tank);
  std::cout << "red is " << (world.prefab_of(red) ? "a copy" : "on its own") << '\n';
}
