// Files of parts: levels of older programs, parts whose saving or loading is cancelled, and their notes.
#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "../support/ended_process.hpp"
#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"

namespace strata::test::part_files_test {
namespace {

namespace before {

struct Door {
  int width = 0;
};
struct Torch {
  int light = 0;
};

}  // namespace before

/// The door of a newer program: `width` has another name.
struct Door {
  int breadth = 7;
};

}  // namespace
}  // namespace strata::test::part_files_test

namespace files = strata::test::part_files_test;
template <>
inline constexpr std::string_view strata::name_of<files::before::Door> = "Door";
template <>
inline constexpr std::string_view strata::name_of<files::Door> = "Door";
template <>
inline constexpr auto strata::members_of<files::before::Door> =
    strata::Members{strata::member("width", &files::before::Door::width)};
template <>
inline constexpr auto strata::members_of<files::Door> =
    strata::Members{strata::member("breadth", &files::Door::breadth)};
template <>
inline constexpr auto strata::members_of<files::before::Torch> =
    strata::Members{strata::member("light", &files::before::Torch::light)};

namespace strata::test::part_files_test {
namespace {

/// Returns: the file of a level that the older program has saved: a room with a door and a torch.
std::string old_level() {
  World world;
  const Entity room = world.create();
  world.create(child_of(room), before::Door{3});
  world.create(child_of(room), before::Torch{5});
  std::ostringstream out;
  REQUIRE(save(world, room, out));
  return out.str();
}

const std::vector<Migration> kMigrations{{.saved_name = "Door", .members = {{"width", "breadth"}}}};

}  // namespace

TEST_SUITE("api/part_files") {
  TEST_CASE("a level of an older program is loaded below a parent, as the options say") {
    World world;
    const Entity top = world.create();
    (void)world.component<Door>();
    const std::string level = old_level();
    const auto load = [&](const LoadOptions& options) {
      std::istringstream in(level);
      return load_below(world, in, top, options);
    };
    CHECK(says(load({}).outcome.message(), "other members"));
    CHECK(says(load({.migrations = kMigrations}).outcome.message(), "which the program does not know"));
    CHECK(world.size() == 1);
    const InsertedPart put = load({.unknown = UnknownComponents::skip, .migrations = kMigrations});
    REQUIRE_MESSAGE(put.outcome, put.outcome.message());
    REQUIRE(put.notes.size() == 2);
    CHECK(put.notes[0].kind == LoadNote::Kind::converted);
    CHECK(put.notes[1].kind == LoadNote::Kind::skipped);
    CHECK(world.child_count(put.roots[0]) == 2);
    CHECK(world.get<Door>(*world.children(put.roots[0]).begin()).breadth == 3);
    CHECK(world.parent(put.roots[0]) == top);
  }
  TEST_CASE("a part has the memory of the options, and the notes of its file") {
    FailingMemory memory;
    World known;
    (void)known.component<Door>();
    std::istringstream in(old_level());
    const LoadOptions options{.world = {.layout = Layout::per_parent, .memory = &memory},
                              .unknown = UnknownComponents::skip,
                              .migrations = kMigrations};
    ExtractedPart loaded = load_part(in, known, options);
    REQUIRE_MESSAGE(loaded.outcome, loaded.outcome.message());
    CHECK(loaded.part.size() == 3);
    CHECK(loaded.notes.size() == 2);
    CHECK(memory.bytes() != 0);
    CHECK(insert(known, loaded.part).roots.size() == 1);
  }
  TEST_CASE("saving and loading a part can be cancelled") {
    World world;
    const Entity room = world.create(before::Door{1});
    std::ostringstream out;
    std::uint64_t seen = 0;
    auto cancel = [&](const SavingProgress& progress) {
      seen = progress.bytes;
      return false;
    };
    CHECK(says(save(world, room, out, {.progress = cancel}).message(), "cancelled"));
    CHECK(seen != 0);
    std::ostringstream whole;
    REQUIRE(save(world, room, whole));
    std::istringstream in(whole.str());
    const InsertedPart put = load_below(world, in, room, {.progress = cancel});
    CHECK(says(put.outcome.message(), "cancelled"));
    CHECK(world.size() == 1);
  }
  TEST_CASE("a part cannot be replaced while it is written") {
    World world;
    const Entity room = world.create();
    for (int i = 0; i < 3000; ++i) world.create(child_of(room), Door{i});
    WorldPart part = std::move(extract(world, room).part);
    std::ostringstream out;
    auto replaces = [&](const SavingProgress&) {
      part = WorldPart();
      return true;
    };
    const std::string message = message_at_end([&] { (void)save(part, out, {.progress = replaces}); });
    CHECK_MESSAGE(says(message, "while a query is iterating"), message);
    CHECK(save(part, out));
    CHECK(insert(world, part).outcome);  // Nothing is under way any more.
  }
}

}  // namespace strata::test::part_files_test
