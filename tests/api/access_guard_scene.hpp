// What tests of World::access_guard work on: a small world with something of everything, and calls on other threads.
#pragma once

#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <cstdint>
#include <string>
#include <thread>

#include "../support/refusal.hpp"

namespace strata::test::access_guard_test {

struct Position {
  std::int32_t x = 0;
};
struct Velocity {
  std::int32_t x = 0;
};
struct Burning {
  std::int32_t heat = 0;
};
struct Likes {};
struct Hit {
  std::int32_t damage = 0;
};
struct Gravity {
  std::int32_t value = 0;
};
struct Wind {
  std::int32_t value = 0;
};
/// Known to no world.
struct Unknown {
  std::int32_t value = 0;
};

}  // namespace strata::test::access_guard_test

namespace guarded = strata::test::access_guard_test;
template <>
inline constexpr strata::Storage strata::storage_of<guarded::Burning> = strata::Storage::sparse;
template <>
inline constexpr auto strata::members_of<guarded::Position> =
    strata::Members{strata::member("x", &guarded::Position::x)};
template <>
inline constexpr auto strata::members_of<guarded::Gravity> =
    strata::Members{strata::member("value", &guarded::Gravity::value)};
template <>
inline constexpr auto strata::members_of<guarded::Velocity> =
    strata::Members{strata::member("x", &guarded::Velocity::x)};
template <>
inline constexpr auto strata::members_of<guarded::Burning> =
    strata::Members{strata::member("heat", &guarded::Burning::heat)};

namespace strata::test::access_guard_test {

/// A world of a small tree with something of everything, whose guard is enabled.
struct Scene {
  World world;
  Entity parent = world.create(Position{1}, Velocity{2});
  Entity child = world.create(child_of(parent), Position{3}, Burning{4});
  Entity other = world.create(Position{5});

  Scene() {
    REQUIRE(world.names().set(parent, "parent"));
    world.relations().add<Likes>(parent, other);
    world.component<Hit>();
    world.resources().set(Gravity{6});
    REQUIRE(world.access_guard().enable());
  }
  std::uint64_t state() const { return digest(world, Undescribed::leave_out); }
};

/// Returns: the message of the contract that `call` violates on a thread of its own; empty when it violates none.
template <class Call>
std::string refusal_elsewhere(Call call) {
  std::string message;
  std::thread([&] { message = refusal(call); }).join();
  return message;
}

}  // namespace strata::test::access_guard_test
