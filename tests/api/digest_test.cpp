#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <cstdint>
#include <vector>

#include "../support/components.hpp"

namespace strata::test::digest_test {

namespace {

/// FNV-1a over 64-bit words, byte by byte.
class Digest {
 public:
  void add(std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) hash_ = (hash_ ^ (word >> (8 * byte) & 0xFF)) * 0x100000001b3u;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

/// The numbers of the script: the same on every compiler.
class Numbers {
 public:
  std::uint32_t below(std::uint32_t n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33) % n;
  }

 private:
  std::uint64_t state_ = 42;
};

/// A fixed script of every kind of structural change.
void run_script(World& world, std::vector<Entity>& entities) {
  Numbers numbers;
  const auto pick = [&] { return entities[numbers.below(static_cast<std::uint32_t>(entities.size()))]; };
  entities.push_back(world.create(Health{0}));
  for (int step = 0; step < 4000; ++step) {
    const Entity entity = pick();
    if (!world.alive(entity)) {
      entities.push_back(world.create(Health{step}, Name{1}));
      continue;
    }
    switch (numbers.below(9)) {
      case 0:
      case 1:
      case 2:
        entities.push_back(world.create(child_of(entity), Health{step}));
        break;
      case 3:
        world.add(entity, Position{static_cast<float>(step), 0, 0});
        break;
      case 4:
        world.add(entity, SparseHealth{step});
        break;
      case 5:
        world.remove<Position>(entity);
        break;
      case 6:
        (void)world.set_parent(entity, pick());
        break;
      case 7:
        world.add<Frozen>(entity);
        break;
      default:
        if (numbers.below(4) == 0)
          world.destroy(entity, step % 2 == 0 ? ChildPolicy::destroy : ChildPolicy::orphan);
    }
  }
}

/// Of handles, values, places and the orders in which queries visit.
std::uint64_t digest_of(World& world, const std::vector<Entity>& entities) {
  Digest digest;
  for (const Entity entity : entities) {
    digest.add(entity.bits());
    digest.add(world.alive(entity));
    digest.add(world.parent(entity).bits());
    for (const Entity child : world.children(entity)) digest.add(child.bits());
  }
  world.query<Entity, const Health, Maybe<const Position>, Parent<const Health>>().cascade().each(
      [&](Entity entity, const Health& health, const Position* position, const Health* parent) {
        digest.add(entity.bits());
        digest.add(static_cast<std::uint64_t>(health.points));
        digest.add(position != nullptr ? static_cast<std::uint64_t>(position->x) : 0);
        digest.add(parent != nullptr ? static_cast<std::uint64_t>(parent->points) : 0);
      });
  world.query<Entity, SparseHealth>().each([&](Entity entity, SparseHealth& health) {
    digest.add(entity.bits());
    digest.add(static_cast<std::uint64_t>(health.points));
  });
  world.query<Entity, With<Frozen>>().each([&](Entity entity) { digest.add(entity.bits()); });
  return digest.value();
}

std::uint64_t digest_of_script(Layout layout) {
  World world(WorldOptions{.layout = layout});
  std::vector<Entity> entities;
  run_script(world, entities);
  CHECK(world.validate());
  return digest_of(world, entities);
}

}  // namespace

// The values change with every change of the order in which rows are kept or visited. Such a change is fine
// when it is meant; that compilers or build types disagree never is.
TEST_SUITE("api/digest") {
  TEST_CASE("the same calls give the same state, bit for bit, on every compiler and build type") {
    CHECK(digest_of_script(Layout::per_parent) == 10566387519020483305u);
    CHECK(digest_of_script(Layout::per_level) == 13442560622857627769u);
  }
  TEST_CASE("the same calls give the same state when made again") {
    CHECK(digest_of_script(Layout::per_parent) == digest_of_script(Layout::per_parent));
  }
}

}  // namespace strata::test::digest_test
