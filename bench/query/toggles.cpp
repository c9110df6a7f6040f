// Toggles: a component that is switched off and on for entities, and a query while it is off for some.
//
// The limits are strata without toggles: a tag of the side store that is added and removed, and that the query excludes.
#include <memory>
#include <numeric>
#include <strata/strata.hpp>
#include <vector>

#include "support/random.hpp"
#include "support/suite.hpp"

namespace strata::bench {
namespace {

struct Spot {
  float x = 1;
};
struct Sprite {
  float x = 0;
};
struct Unseen {};

}  // namespace
}  // namespace strata::bench

template <>
inline constexpr bool strata::can_toggle<strata::bench::Sprite> = true;
template <>
inline constexpr strata::Storage strata::storage_of<strata::bench::Unseen> = strata::Storage::sparse;

namespace strata::bench {
namespace {

struct SpriteCount {
  explicit SpriteCount(std::size_t count) : n(count), order(count) {
    std::mt19937 random(1);
    std::vector<std::uint32_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0u);
    order = chosen(random, numbers, n);
  }

  std::size_t n;
  std::vector<std::uint32_t> order;  // Of the entities: a random one.
};

/// A world with the entities, in the order in which they were created and in a random one.
struct Sprites {
  explicit Sprites(const SpriteCount& count) : entities(count.n) {
    world.create_many(std::span(entities), Spot{}, Sprite{});
    for (const std::uint32_t number : count.order) shuffled.push_back(entities[number]);
  }
  std::size_t tenth() const { return shuffled.size() / 10; }

  World world;
  std::vector<Entity> entities;
  std::vector<Entity> shuffled;
};

Work toggle_tags(SpriteCount& count) {
  return work_on(
      std::make_shared<Sprites>(count),
      [](Sprites& sprites) {
        for (const Entity entity : sprites.shuffled) sprites.world.add(entity, Unseen{});
        for (const Entity entity : sprites.shuffled) sprites.world.remove<Unseen>(entity);
      },
      [](Sprites& sprites) { return sprites.world.pool<Unseen>().size() != 0 ? "a tag is left" : ""; });
}

Work toggle_sprites(SpriteCount& count) {
  return work_on(
      std::make_shared<Sprites>(count),
      [](Sprites& sprites) {
        for (const Entity entity : sprites.shuffled) sprites.world.disable<Sprite>(entity);
        for (const Entity entity : sprites.shuffled) sprites.world.enable<Sprite>(entity);
      },
      [](Sprites& sprites) {
        return sprites.world.query<With<Sprite>>().count() != sprites.entities.size() ? "a component is off"
                                                                                      : "";
      });
}

/// A step is a pass of a query over the entities that it visits; there are `expected` of them.
template <class... Terms>
Work pass(std::shared_ptr<Sprites> sprites, std::size_t expected) {
  const auto query = std::make_shared<Query<const Spot, Sprite, Terms...>>(
      sprites->world.query<const Spot, Sprite, Terms...>());
  return summing(expected, [sprites, query] {
    std::uint64_t visited = 0;
    query->each([&visited](const Spot& spot, Sprite& sprite) {
      sprite.x += spot.x;
      ++visited;
    });
    return visited;
  });
}

Work pass_without_tag(SpriteCount& count) {
  const auto sprites = std::make_shared<Sprites>(count);
  for (std::size_t i = 0; i < sprites->tenth(); ++i) sprites->world.add(sprites->shuffled[i], Unseen{});
  return pass<Without<Unseen>>(sprites, count.n - sprites->tenth());
}

Work pass_while_off(SpriteCount& count) {
  const auto sprites = std::make_shared<Sprites>(count);
  for (std::size_t i = 0; i < sprites->tenth(); ++i) sprites->world.disable<Sprite>(sprites->shuffled[i]);
  return pass<>(sprites, count.n - sprites->tenth());
}

Work pass_never_off(SpriteCount& count) {
  return pass<>(std::make_shared<Sprites>(count), count.n);
}

Work pass_on_again(SpriteCount& count) {
  const auto sprites = std::make_shared<Sprites>(count);
  sprites->world.disable<Sprite>(sprites->shuffled[0]);
  sprites->world.enable<Sprite>(sprites->shuffled[0]);
  return pass<>(sprites, count.n);
}

void ask_toggles_of(Suite& suite, std::size_t n) {
  auto& toggle = ask_of_size<SpriteCount>(suite, "query/toggle_component", n);
  toggle.limit(toggle_tags);
  toggle.answer("strata", toggle_sprites).at_most(2);
  auto& off = ask_of_size<SpriteCount>(suite, "query/iterate_toggled", n);
  off.limit(pass_without_tag);
  off.answer("each", pass_while_off).at_most(1.05);
  auto& on = ask_of_size<SpriteCount>(suite, "query/iterate_toggled_none", n);
  on.limit(pass_never_off);
  on.answer("each", pass_on_again).at_most(1.05);
}

void ask_toggles(Suite& suite) {
  for (const std::size_t n : {kSizes[0], std::size_t{100'000}}) ask_toggles_of(suite, n);
}

const Family kFamily(ask_toggles);

}  // namespace
}  // namespace strata::bench
