#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

#include "golden_files.hpp"
#include "saving_turns.hpp"

namespace strata::test::golden_test {

namespace {

/// What an older program has.
struct OlderSpeed {
  double x = 0;
  std::int64_t y = 0;
};
struct Old {
  std::string text;
};

}  // namespace

}  // namespace strata::test::golden_test

template <>
inline constexpr auto strata::members_of<strata::test::golden_test::OlderSpeed> =
    strata::Members{strata::member("x", &strata::test::golden_test::OlderSpeed::x),
                    strata::member("y", &strata::test::golden_test::OlderSpeed::y)};
template <>
inline constexpr auto strata::members_of<strata::test::golden_test::Old> =
    strata::Members{strata::member("text", &strata::test::golden_test::Old::text)};
template <>
inline constexpr std::string_view strata::name_of<strata::test::golden_test::OlderSpeed> =
    "strata::test::Speed";
template <>
inline constexpr std::string_view strata::name_of<strata::test::golden_test::Old> = "Old";

namespace strata::test::golden_test {

namespace {

/// What the file has: something in each kind of chunk.
World golden_world() {
  World world({.large_family = 3});
  const Entity gone = world.create();
  const Entity root = world.create(Speed{1, -2.5f}, Marked{});
  const Entity child = world.create(child_of(root), Price{-3, 0.1});
  const Entity other = world.create(child_of(child), SparseItem{}, Speed{});
  for (int i = 0; i < 5; ++i) world.create(child_of(child), SparseMark{});
  Item item;
  item.label = "a \"label\"\n\xC3\xA9";
  item.sold = true;
  item.colour = Colour::blue;
  item.grid[1][0] = -7;
  item.offers = {{1, 2}, {3, 4}};
  item.note = "";
  item.owner = root;
  item.watchers = {child, gone};
  world.add(other, item);
  world.destroy(gone);
  (void)world.names().set(child, "child");
  (void)world.names().set(other, "\xE5\xAD\x90");
  world.relations().add(root, other, Likes{3});
  world.relations().add(child, other, Near{0.5f});
  world.relations().add(other, root, Docked{});
  world.relations().add(other, child, Team{});
  world.relations().add(root, child, Needs{});
  world.make_prefab(other);
  (void)world.instantiate(other);
  world.disable_subtree(child);
  world.disable(root);
  world.disable<Speed>(root);
  world.set_layer(root, -3);
  world.set_layout(root, Layout::per_parent);
  return world;
}

/// Adds resources.
void add_resources(World& world) {
  Item item;
  item.label = "resource";
  item.owner = world.roots().front();
  item.offers = {{5, 0.5}};
  world.resources().set(item);
  world.resources().set(Price{-4, 0.25});
  world.resources().set(Marked{});
}

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return bytes;
}

}  // namespace

TEST_SUITE("api/golden") {
  TEST_CASE("a file of format 1 is read, whatever version of the library reads it") {
    const World world = golden_world();
    std::istringstream in(from_hex(kGoldenFormat1));
    const LoadedWorld copy = load(in, world);
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    for (const WorldDifference& difference : find_differences(world, copy.world)) FAIL(difference.sentence);
    CHECK(digest(copy.world) == kGoldenDigest);
    CHECK(digest(world) == kGoldenDigest);
    CHECK(copy.world.validate());
  }
  TEST_CASE("a file of format 1 with resources is read") {
    World world;
    world.create(Speed{1, 2});
    add_resources(world);
    std::istringstream in(from_hex(kGoldenResources));
    const LoadedWorld copy = load(in, world);
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    for (const WorldDifference& difference : find_differences(world, copy.world)) FAIL(difference.sentence);
    CHECK(digest(copy.world) == kGoldenResourcesDigest);
  }
  TEST_CASE("an older program's file of format 1 is converted") {
    // Of OlderSpeed and Old.
    World known;
    (void)known.component<Speed>();
    std::istringstream in(from_hex(kGoldenOlder));
    const LoadedWorld copy =
        load(in, known, {.unknown = UnknownComponents::skip, .changed = ChangedComponents::convert});
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    CHECK(copy.notes.size() == 3);
    const Entity root = copy.world.roots().front();
    CHECK(copy.world.get<Speed>(root).x == 0.25f);
    CHECK(copy.world.get<Speed>(root).y == -7);
    CHECK(copy.world.child_count(root) == 1);
  }
  // `api_test --no-skip --test-case="golden files are written"` prints golden_files.hpp anew, for another format.
  TEST_CASE("golden files are written" * doctest::skip()) {
    World older;
    const Entity root = older.create(OlderSpeed{0.25, -7}, Old{"text"});
    older.create(child_of(root));
    World resources;
    resources.create(Speed{1, 2});
    add_resources(resources);
    const World golden = golden_world();
    for (const World* const world : std::initializer_list<const World*>{&golden, &older, &resources}) {
      std::ostringstream out;
      REQUIRE(save(*world, out));
      for (const char byte : out.str()) {
        constexpr std::string_view kDigits = "0123456789abcdef";
        const auto number = static_cast<unsigned char>(byte);
        std::cout << kDigits[number >> 4] << kDigits[number & 15];
      }
      std::cout << '\n' << digest(*world) << '\n';
    }
  }
}

}  // namespace strata::test::golden_test
