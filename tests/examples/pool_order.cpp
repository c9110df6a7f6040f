#include <strata/strata.hpp>

#include <iostream>

struct Sprite { char glyph; };
struct Distance { float metres; };

template <>
inline constexpr strata::Storage strata::storage_of<Sprite> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<Distance> = strata::Storage::sparse;

int main() {
  strata::World world;
  const strata::Entity dragon = world.create(Sprite{'D'}, Distance{30});
  world.create(Sprite{'K'}, Distance{10});
  world.create(Sprite{'T'}, Distance{20});

  auto sprites = world.query<const Sprite>();
  const auto draw = [&](const char* when) {
    std::cout << when << ": ";
    sprites.each([](const Sprite& sprite) { std::cout << sprite.glyph; });
    std::cout << '\n';
  };
  draw("as created");

  // By a key; stable. Then the other pool in the order of this one.
  strata::Pool<Distance> distances = world.pool<Distance>();
  distances.sort(&Distance::metres);
  world.pool<Sprite>().sort_like<Distance>();
  draw("by distance");

  // By a comparison, and by other algorithms.
  const auto nearer = [](const Distance& a, const Distance& b) { return a.metres < b.metres; };
  world.set(dragon, Distance{15});
  distances.sort(nearer, strata::sorting::Insertion{});  // it was almost in order
  distances.sort(nearer, strata::sorting::InPlace{});    // takes no memory
  world.pool<Sprite>().sort_like<Distance>();
  draw("the dragon comes closer");

  // In parts, one call per frame: at most 100 comparisons and moves, until a sweep finds all in order.
  world.set(dragon, Distance{5});
  while (!distances.sort_step(nearer, 100)) draw("not yet");
  world.pool<Sprite>().sort_like<Distance>();
  draw("the dragon is here");

  // In the order of the hierarchy: ancestors before their descendants.
  const strata::Entity fire = world.create(strata::child_of(dragon), Sprite{'f'});
  world.create(strata::child_of(fire), Sprite{'s'});
  world.pool<Sprite>().sort_by_depth();
  draw("by depth");
}
