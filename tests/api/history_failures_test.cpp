// Checkpoints and restored worlds after changes that have failed half way.
#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"

namespace strata::test::history_failures_test {

namespace {

struct Told {};
struct Title {
  std::string text;
};
struct Early {
  int number = 0;
};
struct Late {
  int number = 0;
};
/// So large that a table grows with almost each row.
struct Freight {
  std::array<int, 500> numbers{};
};
/// So large that a block of it has an allocation of its own.
struct Large {
  std::array<std::byte, 40'000> bytes{};
};

void check_sound(const World& world) {
  if (const Outcome sound = world.validate(); !sound) FAIL(sound.message());
}

}  // namespace

TEST_SUITE("api/history_failures") {
  TEST_CASE("a creation that fails after its table has grown leaves the next checkpoint whole") {
    // Tables grow by reallocation, so some of these worlds are full when their table is.
    for (std::uint32_t size = 1; size <= 40; ++size) {
      CAPTURE(size);
      World world({.max_entities = size});
      for (std::uint32_t i = 0; i < size; ++i) world.create(Freight{{static_cast<int>(i)}});
      const std::uint64_t before = digest(world, Undescribed::leave_out);
      History history(world);
      REQUIRE(history.checkpoint());
      CHECK(refusal([&] { world.create(Freight{}); }) != "");
      REQUIRE(history.checkpoint());
      world.clear();
      REQUIRE(history.restore(1));
      CHECK(digest(world, Undescribed::leave_out) == before);
      int sum = 0;
      world.query<const Freight>().each([&](const Freight& freight) { sum += freight.numbers[0]; });
      CHECK(sum == static_cast<int>(size * (size - 1) / 2));
      CHECK(world.validate());
    }
  }
  TEST_CASE("a family whose children could not be created keeps its tables when values are restored") {
    World world({.layout = Layout::per_parent, .max_entities = 8});
    const Entity first = world.create(Title{"a"}), second = world.create(Title{"b"});
    History history(world);
    REQUIRE(history.checkpoint());
    CHECK(refusal([&] { world.spawner<Title>(child_of(first)).create_many(10, Title{"c"}); }) != "");
    check_sound(world);
    REQUIRE(history.restore(0));
    const Entity below = world.create(child_of(second), Title{"d"});
    world.create(child_of(first), Title{"e"});
    check_sound(world);
    world.destroy(first);
    check_sound(world);
    CHECK(world.get<Title>(below).text == "d");
  }
  TEST_CASE("functions that listened at an entity do not listen at another one with its handle") {
    for (const bool destroyed : {false, true}) {
      CAPTURE(destroyed);
      World world;
      History history(world);
      REQUIRE(history.checkpoint());
      const Entity before = world.create();
      int told = 0;
      const Subscription at = world.events().on<Told>(before, [&](const Told&) { ++told; });
      if (destroyed) world.destroy(before);
      REQUIRE(history.restore(0));
      const Entity after = world.create();
      REQUIRE(after == before);
      world.events().emit(Told{}, after);
      CHECK(told == 0);
    }
  }
  TEST_CASE("a child that could not be created leaves no block behind") {
    FailingMemory memory;
    {
      World world({.layout = Layout::per_parent, .memory = &memory, .max_entities = 1});
      const Entity root = world.create();
      CHECK(refusal([&] { world.create(child_of(root), Large{}); }) != "");
      check_sound(world);
      world.destroy(root);
      check_sound(world);
    }
    CHECK(memory.blocks() == 0);
  }
  TEST_CASE("a world is restored after a root could not be created") {
    World world({.max_entities = 2});
    world.create(Early{1});
    const Entity second = world.create(Early{2});
    History history(world);
    REQUIRE(history.checkpoint());
    CHECK(refusal([&] { world.create(Late{3}); }) != "");
    check_sound(world);
    world.destroy(second);
    REQUIRE(history.restore(0));
    check_sound(world);
    CHECK(world.alive(second));
  }
}

}  // namespace strata::test::history_failures_test
