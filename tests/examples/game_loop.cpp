#include <strata/strata.hpp>

#include <complex>
#include <iomanip>
#include <iostream>

using Vector = std::complex<float>;  // x and y; as a factor, a rotation

struct Local { Vector position, rotation = 1; };   // relative to the parent
struct Global { Vector position, rotation = 1; };  // in the world
struct Velocity { Vector per_second; };
struct Spin { Vector per_frame; };
struct Gun { float seconds_to_shot; };
struct Fuse { float seconds; };
struct Clock { float step; };  // a resource

class Game {
 public:
  Game() {
    world_.resources().set(Clock{0.5F});
    tank_ = world_.create(Local{{0, 1}}, Global{}, Velocity{{2, 0}});
    turret_ = world_.create(strata::child_of(tank_), Local{{0, 1}}, Global{}, Spin{{0.8F, 0.6F}});
    world_.create(strata::child_of(turret_), Local{{2, 0}}, Global{}, Gun{1});
  }

  void run_frame() {
    const float step = world_.resources().get<Clock>().step;
    moving_.each([&](Local& local, const Velocity& velocity) {
      local.position += velocity.per_second * step;
    });
    spinning_.each([](Local& local, const Spin& spin) { local.rotation *= spin.per_frame; });

    // From the roots to the leaves: the parent's Global is up to date when a child is visited.
    placed_.cascade().each([](const Local& local, Global& global, const Global* parent) {
      const Global origin = parent ? *parent : Global{};
      global.position = origin.position + origin.rotation * local.position;
      global.rotation = origin.rotation * local.rotation;
    });

    // Entities are created and destroyed by commands, which are applied when the visit ends.
    guns_.each([&](Gun& gun, const Global& barrel) {
      gun.seconds_to_shot -= step;
      if (gun.seconds_to_shot > 0) return;
      gun.seconds_to_shot = 1;
      world_.commands().create(Local{barrel.position}, Global{barrel.position},
                               Velocity{10.0F * barrel.rotation}, Fuse{1});
    });
    burning_.each([&](strata::Entity shell, Fuse& fuse) {
      fuse.seconds -= step;
      if (fuse.seconds <= 0) world_.commands().destroy(shell);
    });
  }

  void print() const {
    const Global& tank = world_.get<Global>(tank_);
    const Global& turret = world_.get<Global>(turret_);
    std::cout << "tank at " << tank.position << ", turret at " << turret.position << " points to "
              << turret.rotation << ", entities: " << world_.size() << '\n';
  }

 private:
  strata::World world_;
  strata::Entity tank_, turret_;
  // Queries are kept: each remembers what it has matched.
  strata::Query<Local, const Velocity> moving_ = world_.query<Local, const Velocity>();
  strata::Query<Local, const Spin> spinning_ = world_.query<Local, const Spin>();
  strata::Query<const Local, Global, strata::Parent<const Global>> placed_ =
      world_.query<const Local, Global, strata::Parent<const Global>>();
  strata::Query<Gun, const Global> guns_ = world_.query<Gun, const Global>();
  strata::Query<strata::Entity, Fuse> burning_ = world_.query<strata::Entity, Fuse>();
};

int main() {
  std::cout << std::fixed << std::setprecision(1);
  Game game;
  for (int frame = 0; frame < 5; ++frame) {
    game.run_frame();
    game.print();
  }
}
