#include <strata/strata.hpp>

struct Position {
  float x;
};

int main() {
  strata::World world;
  const strata::Entity car = world.create(Position{1});
  world.create(strata::child_of(car), Position{2});
  float sum = 0;
  world.query<const Position>().cascade().each([&](const Position& position) { sum += position.x; });
  return sum == 3 ? 0 : 1;
}
