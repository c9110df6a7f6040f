#include <doctest/doctest.h>

#include <array>
#include <stdexcept>
#include <strata/strata.hpp>
#include <string>
#include <vector>

namespace strata::test::call_site_test {

namespace {

struct Position {
  float x;
};
struct Burning {
  int left;
};
struct Clock {};

int g_line = 0;
std::string g_file;

void record_place(const ContractFailure& failure) {
  g_line = failure.line;
  g_file = failure.file;
  throw std::runtime_error(failure.message);
}

/// While it lives, a broken contract notes where it was broken.
struct Listening {
  Listening() : before(set_contract_handler(record_place)) {}
  ~Listening() { set_contract_handler(before); }
  ContractHandler before;
};

/// A world with one entity, and one handle that is stale.
struct Scene {
  Scene() { world.destroy(stale); }

  Listening listening;
  World world;
  Entity stale = world.create();
  Entity entity = world.create();
};

}  // namespace

}  // namespace strata::test::call_site_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::call_site_test::Burning> =
    strata::Storage::sparse;

namespace strata::test::call_site_test {

// The call is on the line of the macro, which stands for the line of its caller.
#define CHECK_NAMES_THIS_LINE(...)                                 \
  do {                                                             \
    g_line = 0;                                                    \
    CHECK_THROWS_AS((__VA_ARGS__), std::runtime_error);            \
    CHECK(g_line == __LINE__);                                     \
    CHECK(g_file.find("call_site_test.cpp") != std::string::npos); \
  } while (false)

TEST_SUITE("api/call_site") {
  TEST_CASE_FIXTURE(Scene, "a broken contract of a component names the line of the caller") {
    const World& reader = world;
    CHECK_NAMES_THIS_LINE(static_cast<void>(world.get<Position>(entity)));
    CHECK_NAMES_THIS_LINE(static_cast<void>(world.get<Burning>(stale)));
    CHECK_NAMES_THIS_LINE(static_cast<void>(reader.get<Position>(stale)));
    CHECK_NAMES_THIS_LINE(world.set(entity, Position{1}));
    CHECK_NAMES_THIS_LINE(world.add(stale, Position{1}));
    CHECK_NAMES_THIS_LINE(world.add<Burning>(stale));
    CHECK_NAMES_THIS_LINE(world.pool<Position>().clear());
    CHECK_NAMES_THIS_LINE(static_cast<void>(reader.resources().get<Clock>()));
    CHECK_NAMES_THIS_LINE(static_cast<void>(world.resources().get<Clock>()));
  }
  TEST_CASE_FIXTURE(Scene, "so does one of an accessor") {
    auto position = world.accessor<Position>();
    const auto reader = world.accessor<const Position>();
    auto burning = world.accessor<Burning>();
    CHECK_NAMES_THIS_LINE(static_cast<void>(position.get(entity)));
    CHECK_NAMES_THIS_LINE(static_cast<void>(reader.get(stale)));
    CHECK_NAMES_THIS_LINE(position.add(stale, {1}));
    CHECK_NAMES_THIS_LINE(burning.add(stale, {1}));
  }
  TEST_CASE_FIXTURE(Scene, "so does one of creating below a parent, many, or from columns") {
    std::vector<Position> values(2);
    const std::array<std::uint32_t, 1> parents{kNoParent};
    CHECK_NAMES_THIS_LINE(world.create(child_of(stale), Position{1}));
    CHECK_NAMES_THIS_LINE(static_cast<void>(world.spawner<Position>(child_of(stale))));
    CHECK_NAMES_THIS_LINE(world.create_many(3, std::span<const Position>(values)));
    CHECK_NAMES_THIS_LINE(world.build_hierarchy(child_of(stale), parents, std::vector<Position>(1)));
  }
  TEST_CASE_FIXTURE(Scene, "so does one of a change while a query iterates") {
    world.add(entity, Position{1});
    world.add(entity, Burning{1});
    world.query<Entity, const Position>().each([&](Entity visited, const Position&) {
      CHECK_NAMES_THIS_LINE(world.add(visited, Position{2}));
      CHECK_NAMES_THIS_LINE(world.remove<Position>(visited));
      CHECK_NAMES_THIS_LINE(world.remove<Burning>(visited));
      CHECK_NAMES_THIS_LINE(world.create_many(2, Position{1}));
      CHECK_NAMES_THIS_LINE(world.pool<Burning>().clear());
      CHECK_NAMES_THIS_LINE(world.pool<Burning>().compact());
      CHECK_NAMES_THIS_LINE(world.pool<Burning>().sort(&Burning::left));
      CHECK_NAMES_THIS_LINE(world.pool<Burning>().sort_step(&Burning::left, 10));
      CHECK_NAMES_THIS_LINE(world.pool<Burning>().sort_like<Burning>());
      CHECK_NAMES_THIS_LINE(world.pool<Burning>().sort_by_depth());
    });
    CHECK_NAMES_THIS_LINE(world.pool<Position>().sort(&Position::x));
    CHECK(world.validate());
  }
}

}  // namespace strata::test::call_site_test
