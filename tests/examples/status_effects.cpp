#include <strata/storage_advisor.hpp>
#include <strata/strata.hpp>

#include <cstddef>
#include <iostream>
#include <vector>

struct Health { int points; };
struct Burning { int frames; };
struct Stunned { int frames; };
struct Target { strata::Entity entity; };

// Burning and Target are stored in the side store. A Target also keeps its address.
template <>
inline constexpr strata::Storage strata::storage_of<Burning> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<Target> = strata::Storage::sparse;
template <>
inline constexpr strata::PoolOptions strata::pool_options_of<Target> = {.removal = strata::Removal::stable};

class Battle {
 public:
  Battle() {
    for (int i = 0; i < 1'000; ++i) units_.push_back(world_.create(Health{100}));
  }

  void run_frame() {
    // Each frame, effects begin on some units ...
    for (std::size_t i = frame_++ % 10; i < units_.size(); i += 10) {
      world_.add(units_[i], Burning{2});
      world_.add(units_[i], Stunned{2});
    }
    // ... work, and end.
    world_.query<strata::Entity, Burning, Health>().each(
        [&](strata::Entity unit, Burning& fire, Health& health) {
          --health.points;
          if (--fire.frames == 0) world_.commands().remove<Burning>(unit);
        });
    world_.query<strata::Entity, Stunned>().each([&](strata::Entity unit, Stunned& stun) {
      if (--stun.frames == 0) world_.commands().remove<Stunned>(unit);
    });
  }

  /// Lets the advisor watch 100 frames, and stores each component where it recommends.
  void take_advice() {
    strata::StorageAdvisor advisor(world_);
    advisor.start();
    for (int frame = 0; frame < 100; ++frame, advisor.next_frame()) run_frame();
    advisor.stop();
    const strata::StorageAdvice advice = advisor.advise();  // or as text: advisor.report()
    for (const strata::StorageAdvice::Component& one : advice.components) {
      if (one.moves()) world_.set_storage(one.id, one.recommended);
    }
  }

  /// A value of a stable pool stays where it is, whatever happens to the other entities.
  void aim() {
    world_.add(units_[0], Target{units_[2]});
    const Target* const kept = &world_.add(units_[1], Target{units_[3]});
    world_.remove<Target>(units_[0]);
    const bool stayed = world_.find<Target>(units_[1]) == kept;
    std::cout << "the target has " << (stayed ? "stayed" : "moved") << '\n';
  }

  void print() {
    std::cout << world_.query<strata::With<Burning>>().count() << " units burn; Stunned is stored in "
              << (world_.storage<Stunned>() == strata::Storage::sparse ? "the side store" : "tables") << '\n';
  }

 private:
  strata::World world_;
  std::vector<strata::Entity> units_;
  std::size_t frame_ = 0;
};

int main() {
  Battle battle;
  battle.run_frame();
  battle.print();
  battle.take_advice();
  battle.run_frame();  // the same code, with Stunned stored elsewhere
  battle.print();
  battle.aim();
}
