#include <strata/storage_advisor.hpp>
#include <strata/strata.hpp>

#include <iostream>
#include <vector>

struct Body { float x, speed; };
struct Sprite { char glyph; };
struct Distance { float metres; };
struct Target { strata::Entity who; };
struct Burning { int degrees; };

template <>
inline constexpr strata::Storage strata::storage_of<Sprite> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<Distance> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<Target> = strata::Storage::sparse;
template <>
inline constexpr strata::PoolOptions strata::pool_options_of<Target> = {.removal = strata::Removal::stable};

int main() {
  strata::World world;
  const auto dragon = world.create(Sprite{'D'}, Distance{30});
  const auto knight = world.create(Sprite{'K'}, Distance{10});
  world.create(Sprite{'T'}, Distance{20});

  // A query that is led by a pool in order goes in that order.
  const auto nearer = [](const Distance& a, const Distance& b) { return a.metres < b.metres; };
  strata::Pool<Distance> distances = world.pool<Distance>();
  distances.sort(&Distance::metres);                     // by a key; stable
  distances.sort(nearer, strata::sorting::Insertion{});  // it was almost in order
  distances.sort(nearer, strata::sorting::InPlace{});    // takes no memory
  distances.sort_step(nearer, 2'000);                    // a bounded cost per frame; true: in order
  world.pool<Sprite>().sort_like<Distance>();            // in the order of another pool
  world.pool<strata::Dirty>().sort_by_depth();           // ancestors before their descendants
  world.query<const Sprite>().each([](const Sprite& sprite) { std::cout << sprite.glyph; });

  // In a stable pool, a value stays where it is as long as its entity has it.
  world.add(dragon, Target{knight});
  const Target* const target = &world.add(knight, Target{dragon});
  world.remove<Target>(dragon);
  std::cout << "\nthe target has stayed: " << (world.find<Target>(knight) == target ? "yes" : "no") << '\n';

  // Which storage would be better is asked of the program itself.
  std::vector<strata::Entity> crowd;
  for (int i = 0; i < 1'000; ++i) crowd.push_back(world.create(Body{0, 1}));
  auto bodies = world.query<Body>();
  const auto run_systems = [&] {
    bodies.each([](Body& body) { body.x += body.speed; });
    for (const strata::Entity entity : crowd) world.add(entity, Burning{900});
    for (const strata::Entity entity : crowd) world.remove<Burning>(entity);
  };

  strata::StorageAdvisor advisor(world);
  advisor.start();
  for (int frame = 0; frame < 100; ++frame, advisor.next_frame()) run_systems();
  advisor.stop();
  const strata::StorageAdvice advice = advisor.advise();  // or in words: std::cout << advisor.report();
  for (const strata::StorageAdvice::Component& one : advice.components) {
    if (one.moves()) world.set_storage(one.id, one.recommended);
  }
  std::cout << "Burning lives in the "
            << (world.storage<Burning>() == strata::Storage::sparse ? "side store" : "tables") << '\n';
  run_systems();  // as before
}
