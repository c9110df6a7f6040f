#include <strata/strata.hpp>

#include <iostream>
#include <utility>
#include <vector>

struct Position { float x; };

/// A match of a game server: a world and the systems that run on it.
struct Match {
  explicit Match(std::uint32_t number) : world({.world_number = number}) {
    for (int i = 0; i < 3; ++i) players.push_back(world.create(Position{static_cast<float>(i)}));
  }
  void run_frame() {
    positions.each([](Position& position) { position.x += 1; });
  }

  strata::World world;
  strata::Query<Position> positions = world.query<Position>();
  std::vector<strata::Entity> players;
};

int main() {
  // Worlds with numbers of their own: each sees handles of the other as stale.
  std::vector<Match> matches;
  for (std::uint32_t number = 1; number <= 2; ++number) matches.emplace_back(number);
  const strata::Entity first = matches[0].players[0];
  std::cout << "alive in its own world: " << (matches[0].world.alive(first) ? "yes" : "no")
            << ", in the other: " << (matches[1].world.alive(first) ? "yes" : "no") << '\n';

  // The vector has moved its worlds when it grew, and moves them again: the queries follow them.
  std::swap(matches[0], matches[1]);
  matches.erase(matches.begin());
  matches[0].run_frame();
  std::cout << "the player is at " << matches[0].world.get<Position>(first).x << '\n';

  // A client's copy of a world: the same handles, so both give it number 1.
  strata::World client({.world_number = 1});
  const Match& server = matches[0];
  for (const strata::Entity player : server.players) {
    if (client.create_at(player)) client.add(player, server.world.get<Position>(player));
  }
  std::cout << "the client has it at " << client.get<Position>(first).x << '\n';
}
