// Toggles: a component that is switched off and on for entities, and a query while it is off for some.
//
// The limits are strata without toggles: a tag of the side store that is added and removed, and that the query excludes.
#include <strata/strata.hpp>

#include "support/particles.hpp"
#include "support/random.hpp"
#include "support/suite.hpp"

namespace strata::bench::toggles {
namespace {

struct Spot {
  float x = 1;
};

/// A world with the entities, in the order in which they were created and in a random one.
struct Sprites {
  explicit Sprites(const EntityCount& count) : entities(count.n) {
    world.create_many(std::span(entities), Spot{}, Sprite{});
    std::mt19937 random(1);
    shuffled = chosen(random, entities, count.n);
  }
  std::size_t tenth() const { return shuffled.size() / 10; }

  World world;
  std::vector<Entity> entities;
  std::vector<Entity> shuffled;
};

Work toggle_tags(EntityCount& count) {
  return work_on(
      std::make_shared<Sprites>(count),
      [](Sprites& sprites) {
        for (const Entity entity : sprites.shuffled) sprites.world.add(entity, Noticed{});
        for (const Entity entity : sprites.shuffled) sprites.world.remove<Noticed>(entity);
      },
      [](Sprites& sprites) { return sprites.world.pool<Noticed>().size() != 0 ? "a tag is left" : ""; });
}

Work toggle_sprites(EntityCount& count) {
  return work_on(
      std::make_shared<Sprites>(count),
      [](Sprites& sprites) {
        for (const Entity entity : sprites.shuffled) sprites.world.disable<Sprite>(entity);
        for (const Entity entity : sprites.shuffled) sprites.world.enable<Sprite>(entity);
      },
      [](Sprites& sprites) {
        const bool all_on = sprites.world.query<With<Sprite>>().count() == sprites.entities.size();
        return all_on ? "" : "a component is off";
      });
}

/// A step is one pass of a query. Before, `hide(sprites)` hides some entities from it, or none, and returns their
/// number.
template <class... Terms>
auto pass(std::size_t (*hide)(Sprites&)) {
  return [hide](EntityCount& count) {
    const auto sprites = std::make_shared<Sprites>(count);
    const std::size_t hidden = hide(*sprites);
    return summing(count.n - hidden,
                   [sprites, query = kept(sprites->world.query<const Spot, Sprite, Terms...>())] {
                     std::uint64_t visited = 0;
                     query->each([&visited](const Spot& spot, Sprite& sprite) {
                       sprite.x += spot.x;
                       ++visited;
                     });
                     return visited;
                   });
  };
}

std::size_t tag_tenth(Sprites& sprites) {
  for (std::size_t i = 0; i < sprites.tenth(); ++i) sprites.world.add(sprites.shuffled[i], Noticed{});
  return sprites.tenth();
}

std::size_t disable_tenth(Sprites& sprites) {
  for (std::size_t i = 0; i < sprites.tenth(); ++i) sprites.world.disable<Sprite>(sprites.shuffled[i]);
  return sprites.tenth();
}

std::size_t hide_none(Sprites&) {
  return 0;
}

std::size_t enable_again(Sprites& sprites) {
  sprites.world.disable<Sprite>(sprites.shuffled[0]);
  sprites.world.enable<Sprite>(sprites.shuffled[0]);
  return 0;
}

void ask_toggles(Suite& suite) {
  for (const std::size_t n : {kSizes[0], std::size_t{100'000}}) {
    auto& toggle = ask_of_size(suite, "query/toggle_component", n);
    toggle.limit(toggle_tags);
    toggle.answer("strata", toggle_sprites).at_most(2);
    auto& off = ask_of_size(suite, "query/iterate_toggled", n);
    off.limit(pass<Without<Noticed>>(tag_tenth));
    off.answer("each", pass<>(disable_tenth)).at_most(1.05);
    auto& on = ask_of_size(suite, "query/iterate_toggled_none", n);
    on.limit(pass<>(hide_none));
    on.answer("each", pass<>(enable_again)).at_most(1.05);
  }
}

const Family kFamily(ask_toggles);

}  // namespace
}  // namespace strata::bench::toggles
