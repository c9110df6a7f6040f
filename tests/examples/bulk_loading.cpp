#include <strata/strata.hpp>

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <span>
#include <vector>

struct Position { float x, y; };
struct Velocity { float x, y; };
struct Joint { float angle; };
struct Aim {
  strata::Entity joint;
  void remap_entities(const strata::EntityMap& map) { joint = map(joint); }  // for copies
};

int main() {
  strata::World world;

  // Many alike: values are written in place, run by run.
  world.create_many<Position, Velocity>(
      100'000,
      [](std::span<const strata::Entity>, std::span<Position> positions, std::span<Velocity> velocities) {
        for (std::size_t i = 0; i < positions.size(); ++i) {
          positions[i] = {static_cast<float>(i), 0};
          velocities[i] = {0, 1};
        }
      });

  // From a file's columns: copied, and the handles kept.
  const std::vector<Position> positions{{1, 2}, {3, 4}, {5, 6}};
  std::vector<strata::Entity> handles(positions.size());
  world.create_many<Position>(handles, positions);
  std::cout << "the last position is " << world.get<Position>(handles.back()).x << '\n';

  // A whole hierarchy, its nodes in any order: the hand comes first here, the arm is its parent.
  const std::vector<std::uint32_t> parents{1, strata::kNoParent, 0, 0};
  const std::vector<Joint> joints{{0.1F}, {0.2F}, {0.3F}, {0.4F}};
  const strata::BuiltHierarchy robot = world.build_hierarchy(parents, joints);
  if (!robot.outcome) {
    std::cerr << robot.outcome.message() << '\n';
    return 1;
  }
  const strata::Entity hand = robot.entities[0];
  const strata::Entity arm = robot.entities[1];
  world.add(arm, Aim{hand});

  // A prefab: copies of a subtree. References inside it lead to the copies.
  const std::vector<strata::Entity> arms = world.instantiate(arm, 100);
  const strata::Entity copied_hand = world.get<Aim>(arms.back()).joint;
  const bool own = world.parent(copied_hand) == arms.back();
  std::cout << "the copy aims at its own hand: " << (own ? "yes" : "no") << '\n';

  // One by one, but often: what can be looked up before is looked up before.
  auto sparks = world.spawner<Position, Velocity>();
  auto where = world.accessor<const Position>();
  const strata::Entity spark = sparks.create({1, 2}, {3, 4});
  std::cout << "the spark is at " << where.get(spark).x << ", " << where.get(spark).y << '\n';

  // The end of a level: memory goes back.
  const std::size_t before = world.stats().memory.total().reserved;
  world.query<strata::Entity, strata::With<Velocity>>().each(
      [&](strata::Entity entity) { world.commands().destroy(entity); });
  world.shrink();
  const std::size_t after = world.stats().memory.total().reserved;
  std::cout << "less than half is left: " << (after < before / 2 ? "yes" : "no") << '\n';
}
