#include <strata/strata.hpp>

#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

struct Position { float x, y; };
struct Trigger { strata::Entity opens; };
struct Reward { int gold; };
template <>
inline constexpr auto strata::members_of<Position> =
    strata::Members{member("x", &Position::x), member("y", &Position::y)};
template <>
inline constexpr auto strata::members_of<Trigger> = strata::Members{member("opens", &Trigger::opens)};
template <>
inline constexpr auto strata::members_of<Reward> = strata::Members{member("gold", &Reward::gold)};

int main() {
  strata::World world;
  const strata::Entity levels = world.create();
  const strata::Entity player = world.create(Position{0, 0});

  // A level: a lever opens a door, and the door keeps something for the player.
  const strata::Entity cave = world.create(strata::child_of(levels));
  const strata::Entity door = world.create(strata::child_of(cave), Position{8, 0});
  const strata::Entity lever = world.create(strata::child_of(cave), Position{2, 0}, Trigger{door});
  for (const auto& [entity, name] : {std::pair(cave, "cave"), std::pair(door, "door"), std::pair(lever, "lever")})
    if (!world.names().set(entity, name)) return 1;
  world.relations().add(door, player, Reward{50});

  // Out of the world, as a value: nothing is copied, and the world has its memory again.
  strata::ExtractedPart taken = strata::extract(world, cave);
  if (!taken.outcome) {
    std::cerr << taken.outcome.message() << '\n';
    return 1;
  }
  std::cout << world.size() << " entities stay, " << taken.part.size() << " are in the part\n";

  // Another thread writes it while the world goes on.
  std::string file;
  std::thread writer([&file, part = std::move(taken.part)] {
    std::ostringstream out;
    if (strata::save(part, out)) file = out.str();
  });
  world.set(player, Position{1, 0});
  writer.join();

  // Back below any parent: references lead to the new entities, and to the player outside.
  std::istringstream in(file);
  const strata::InsertedPart put = strata::load_below(world, in, levels);
  if (!put.outcome) {
    std::cerr << put.outcome.message() << '\n';
    return 1;
  }
  const strata::Entity again = put.roots[0];
  const strata::Entity new_door = world.names().find(again, "door");
  const strata::Entity opened = world.get<Trigger>(world.names().find(again, "lever")).opens;
  std::cout << "the lever opens the new door: " << (opened == new_door ? "yes" : "no") << '\n';
  std::cout << "the player gets " << world.relations().get<Reward>(new_door, player).gold << '\n';

  // References out of a level can be refused.
  const strata::ExtractedPart refused =
      strata::extract(world, new_door, {.outside = strata::OutsideReferences::refuse});
  std::cout << refused.outcome.message() << '\n';

  // A file that is cut off changes nothing.
  std::istringstream cut(file.substr(0, file.size() / 2));
  const std::size_t before = world.size();
  const bool failed = !strata::load_below(world, cut, levels).outcome;
  std::cout << "refused: " << (failed && world.size() == before ? "yes" : "no") << '\n';
}
