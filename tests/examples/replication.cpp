#include <strata/strata.hpp>

#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

struct Position { float x, y; };
struct Health { int points; };

template <>
inline constexpr auto strata::members_of<Position> =
    strata::Members{strata::member("x", &Position::x), strata::member("y", &Position::y)};
template <>
inline constexpr auto strata::members_of<Health> = strata::Members{strata::member("points", &Health::points)};

// Only what was written is compared from one checkpoint to the next.
template <>
inline constexpr auto strata::tracking_of<Position> = strata::Tracking::rows;

/// Simulates. Keeps the last frames, so that a client that is at one of them gets what has changed since.
class Server {
 public:
  Server() : ship(world.create(Position{0, 0}, Health{100})) {
    turret = world.create(strata::child_of(ship), Position{1, 0}, Health{30});
    end_frame();
  }

  void end_frame() {
    const strata::Outcome kept = history.checkpoint();
    if (!kept) std::cout << kept.message() << '\n';
  }

  /// Returns: the whole world, for a client that joins.
  std::string snapshot() const {
    std::ostringstream bytes;
    const strata::Outcome saved = strata::save(world, bytes);
    if (!saved) std::cout << saved.message() << '\n';
    return bytes.str();
  }
  /// Returns: what has changed since a frame; empty if that is not kept any more.
  std::string changes_since(std::uint64_t frame) const {
    return history.delta(frame, history.position()).bytes;
  }

  strata::World world;
  strata::History history{world, {.checkpoints = 60}};
  strata::Entity ship, turret;
};

/// Shows what the server has simulated. To join again is to make another one.
class Client {
 public:
  Client(const std::string& snapshot, std::uint64_t at_frame) : frame(at_frame), world(load(snapshot)) {}

  /// Returns: whether the world has come to the frame; otherwise it is as before.
  bool follow(const std::string& changes, std::uint64_t to_frame) {
    const strata::Outcome applied = history.apply(changes);
    if (applied) frame = to_frame;
    if (!applied) std::cout << applied.message() << '\n';
    return bool(applied);
  }

  std::uint64_t frame;
  strata::World world;
  strata::History history{world};

 private:
  static strata::World load(const std::string& snapshot) {
    strata::World known;
    known.component<Position>();
    known.component<Health>();
    std::istringstream bytes(snapshot);
    strata::LoadedWorld loaded = strata::load(bytes, known);
    if (!loaded.outcome) std::cout << loaded.outcome.message() << '\n';
    return std::move(loaded.world);
  }
};

int main() {
  Server server;
  std::optional<Client> client(std::in_place, server.snapshot(), server.history.position());
  std::cout << "the client knows " << client->world.size() << " entities\n";

  // A frame of the server: values, entities and parents change.
  server.world.set(server.ship, Position{3, 4});
  const strata::Entity shell = server.world.create(strata::child_of(server.turret), Position{0, 0});
  server.end_frame();
  client->follow(server.changes_since(client->frame), server.history.position());
  std::cout << "the ship is at " << client->world.get<Position>(server.ship).x << ", the shell below "
            << (client->world.parent(shell) == server.turret ? "the turret" : "nothing") << '\n';

  // Two frames whose packets get lost. The next one contains all since the frame that the client is at.
  for (int hit = 0; hit < 2; ++hit) {
    server.world.get<Health>(server.ship).points -= 10;
    server.end_frame();
  }
  server.world.destroy(server.turret);
  server.end_frame();
  client->follow(server.changes_since(client->frame), server.history.position());
  std::cout << "the ship has " << client->world.get<Health>(server.ship).points << " points, the shell is "
            << (client->world.alive(shell) ? "there" : "gone") << '\n';

  // Both have the same content.
  const bool same = server.history.digest(client->frame) == strata::digest(client->world);
  std::cout << "the digests are " << (same ? "equal" : "different") << '\n';

  // A client that changes what it was told is refused, and joins again.
  client->world.set(server.ship, Health{1000});
  server.world.set(server.ship, Health{70});
  server.end_frame();
  if (!client->follow(server.changes_since(client->frame), server.history.position()))
    client.emplace(server.snapshot(), server.history.position());
  std::cout << "the ship has " << client->world.get<Health>(server.ship).points << " points\n";
}
