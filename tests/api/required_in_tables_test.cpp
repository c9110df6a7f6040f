// Components whose requirements are all in tables and throw nothing when they are made.
#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include "../support/components.hpp"

namespace strata::test::required_in_tables_test {
namespace {

struct Local {
  int x = 1;
};
struct Global {
  int x = 2;
};
/// Notes, when it is made, whether the entity that gets it can be found.
struct Witness {
  Witness() noexcept : found(of != nullptr && of->alive(entity)) {}
  bool found;
  static inline const World* of = nullptr;
  static inline Entity entity;
};
struct Marked {};
struct Scout {
  int number = 0;
};
/// Counts its moves.
struct Cargo {
  Cargo() = default;
  Cargo(Cargo&& other) noexcept : mass(other.mass) { ++moves; }
  Cargo& operator=(Cargo&&) noexcept = default;
  int mass = 0;
  static inline int moves = 0;
};

}  // namespace
}  // namespace strata::test::required_in_tables_test

namespace in_tables = strata::test::required_in_tables_test;

template <>
inline constexpr auto strata::requires_of<in_tables::Local> = strata::Requires<in_tables::Global>{};
template <>
inline constexpr auto strata::requires_of<in_tables::Scout> =
    strata::Requires<in_tables::Local, in_tables::Witness, in_tables::Marked>{};

namespace strata::test::required_in_tables_test {

TEST_SUITE("api/required_in_tables") {
  TEST_CASE("what is missing is added in one move, and what the entity has is kept, observed or not") {
    for (const bool observed : {false, true}) {
      CAPTURE(observed);
      World world;
      Subscription watching;
      if (observed) watching = world.observers().on_add<Global>([](Entity) {});
      const Entity entity = world.create(Global{6}, Cargo{});
      const int moves = Cargo::moves;
      world.add(entity, Scout{3});
      CHECK(Cargo::moves == moves + 1);
      CHECK(world.get<Global>(entity).x == 6);
      CHECK(world.get<Local>(entity).x == 1);
      CHECK(world.get<Scout>(entity).number == 3);
      CHECK(world.has<Marked>(entity));

      const Entity other = world.create(Local{8});
      world.remove<Global>(other);
      world.add(other, Scout{4});
      CHECK(world.get<Local>(other).x == 8);
      CHECK(world.get<Global>(other).x == 2);
      CHECK(world.get<Scout>(other).number == 4);
      CHECK(world.validate());
    }
  }

  TEST_CASE("a first value is built while the entity cannot be found") {
    World world;
    const Entity entity = world.create(Global{6});
    Witness::of = &world;
    Witness::entity = entity;
    world.add(entity, Scout{3});
    Witness::of = nullptr;
    CHECK_FALSE(world.get<Witness>(entity).found);
    CHECK(world.alive(entity));
  }

  TEST_CASE("an entity comes to the same table, whether changes are observed or not") {
    World world;
    const Entity one = world.create(Global{6});
    world.add(one, Scout{1});
    const std::size_t archetypes = world.stats().archetypes;
    const Subscription watching = world.observers().on_add<Global>([](Entity) {});
    const Entity two = world.create(Global{6});
    world.add(two, Scout{1});
    CHECK(world.stats().archetypes == archetypes);
  }
}

}  // namespace strata::test::required_in_tables_test
