#include <strata/strata.hpp>

#include <cstddef>
#include <iostream>
#include <thread>

struct Position { float x; };
struct Velocity { float per_second; };
struct Gun { float seconds_to_shot; };
struct Fuse { float seconds; };
struct Score { int shots; };   // a resource
struct Paused { bool value; }; // a resource

// What a system reads and writes follows from its parameters. This one is called for each row.
void move(strata::Elapsed elapsed, Position& position, const Velocity& velocity) {
  position.x += velocity.per_second * static_cast<float>(elapsed.seconds);
}

void shoot(strata::Elapsed elapsed, strata::Commands& commands, strata::Resource<Score> score, Gun& gun,
           const Position& position) {
  gun.seconds_to_shot -= static_cast<float>(elapsed.seconds);
  if (gun.seconds_to_shot > 0) return;
  gun.seconds_to_shot = 1;
  ++score->shots;
  commands.create(Position{position.x}, Velocity{10}, Fuse{0.5F});
}

void burn(strata::Elapsed elapsed, strata::Commands& commands, strata::Entity shell, Fuse& fuse) {
  fuse.seconds -= static_cast<float>(elapsed.seconds);
  if (fuse.seconds <= 0) commands.destroy(shell);
}

// This one is called once, with a query.
void draw(strata::Query<const Position>& positions, strata::Resource<const Score> score) {
  positions.each([](const Position& position) { std::cout << position.x << ' '; });
  std::cout << "after " << score->shots << " shots\n";
}

// The threads of a program, here two. An engine passes the three calls on to its job system.
class TwoThreads final : public strata::Executor {
 public:
  void parallel_for(std::size_t count, std::size_t, strata::RangeFunction body) override {
    std::thread other([&] {
      worker() = 1;
      body(count / 2, count);
    });
    body(0, count / 2);
    other.join();
  }
  std::size_t worker_count() const noexcept override { return 2; }
  std::size_t worker_index() const noexcept override { return worker(); }

 private:
  static std::size_t& worker() {
    static thread_local std::size_t index = 0;
    return index;
  }
};

int main() {
  TwoThreads threads;
  strata::World world;
  world.resources().set(Score{0});
  world.resources().set(Paused{false});
  world.create(Position{0}, Velocity{2}, Gun{0.5F});

  strata::Schedule simulation(world);
  simulation.set_executor(&threads);
  simulation.set("motion").before("combat");
  simulation.set("combat").run_if([](strata::Resource<const Paused> paused) { return !paused->value; });
  simulation.add("move", move).par().in("motion");
  simulation.add("burn", burn).in("combat");
  simulation.add("shoot", shoot).in("combat");

  strata::Schedule drawing(world);
  drawing.add("draw", draw);

  std::cout << simulation.explain();
  for (int frame = 0; frame < 4; ++frame) {
    const double seconds = 0.3;
    simulation.run_steps(seconds, 0.25, 4);
    drawing.run(seconds);
  }
  world.resources().get<Paused>().value = true;
  simulation.run_steps(1, 0.25, 4);
  drawing.run(1);
}
