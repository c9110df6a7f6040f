#include <strata/strata.hpp>

#include <cstddef>
#include <iostream>
#include <span>

struct Position { float x, y; };
struct Velocity { float x, y; };
struct Burning { int degrees; };
struct Gravity { float y; };

template <>
inline constexpr strata::Storage strata::storage_of<Burning> = strata::Storage::sparse;

int main() {
  strata::World world;
  world.resources().set(Gravity{-10});

  // A hundred thousand at once, filled block by block.
  world.create_many<Position, Velocity>(
      100'000, [](std::span<const strata::Entity>, std::span<Position> positions, std::span<Velocity> velocities) {
        for (std::size_t i = 0; i < positions.size(); ++i) {
          positions[i] = {static_cast<float>(i), 0};
          velocities[i] = {0, 1};
        }
      });

  // One by one, with everything that can be found out found out before.
  auto spawner = world.spawner<Position, Velocity>();
  const auto spark = spawner.create({1, 2}, {3, 4});
  auto burning = world.accessor<Burning>();
  burning.add(spark, {900});
  auto positions = world.accessor<const Position>();
  std::cout << "the spark at " << positions.get(spark).x << ", " << positions.get(spark).y << " has "
            << burning.get(spark).degrees << " degrees\n";

  world.query<Velocity>().each([&](Velocity& velocity) { velocity.y += world.resources().get<Gravity>().y; });

  const std::size_t before = world.stats().memory.total().reserved;
  world.query<strata::Entity, const Velocity>().each(
      [&](strata::Entity entity, const Velocity&) { world.commands().destroy(entity); });
  world.shrink();
  std::cout << "less than half is left: " << (world.stats().memory.total().reserved < before / 2 ? "yes" : "no")
            << '\n';
}
