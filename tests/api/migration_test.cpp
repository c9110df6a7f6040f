#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "../support/refusal.hpp"
#include "../support/saved_chunks.hpp"

namespace strata::test::migration_test {

namespace {

/// What an older program has: its components have the names of those of the new one.
namespace before {

struct Part {
  std::int16_t size = 0;
  std::string label;
};
struct Ship {
  std::int32_t fuel = 0;
  float speed = 0;
  std::string name;
  std::vector<Part> parts;
  std::int32_t grid[3] = {};
  bool armed = false;
  double mass = 0;
};
struct Flag {};
struct Pump {
  std::optional<std::int32_t> fuel;
  std::optional<std::int32_t> label;
};
struct Hull {
  std::int32_t health = 1;
  std::int32_t shield = 2;
};
struct Tank {
  std::int32_t fuel = 0;
  std::string label;
};
struct Cargo {
  std::int32_t tons = 0;
};
struct Tracks {
  std::string text;
};

}  // namespace before

/// What the new program has.
struct Part {
  std::int64_t size = 7;
  std::string label;
  std::optional<float> weight = 1.5f;
};
struct Ship {
  std::string title;        // Was `name`.
  std::uint8_t fuel = 0;    // Was larger.
  double speed = 0;         // Was a float.
  std::vector<Part> parts;  // Have more members.
  std::int32_t grid[4] = {9, 9, 9, 9};
  std::optional<bool> armed;  // Was no optional.
  std::int32_t crew = 3;      // Is new; `mass` is gone.
};
struct Flag {
  int colour = 5;
};
struct Pump {
  std::optional<std::uint8_t> fuel;
  std::optional<std::string> label;
};
struct Hull {
  std::int32_t health = 0;  // Was the shield; the health of before is gone.
};
struct Tank {
  std::optional<std::uint8_t> fuel;
  std::optional<std::int32_t> label;
};
struct Cargo {};

}  // namespace

}  // namespace strata::test::migration_test

template <>
inline constexpr auto strata::members_of<strata::test::migration_test::before::Part> =
    strata::Members{strata::member("size", &strata::test::migration_test::before::Part::size),
                    strata::member("label", &strata::test::migration_test::before::Part::label)};
template <>
inline constexpr auto strata::members_of<strata::test::migration_test::before::Ship> =
    strata::Members{strata::member("fuel", &strata::test::migration_test::before::Ship::fuel),
                    strata::member("speed", &strata::test::migration_test::before::Ship::speed),
                    strata::member("name", &strata::test::migration_test::before::Ship::name),
                    strata::member("parts", &strata::test::migration_test::before::Ship::parts),
                    strata::member("grid", &strata::test::migration_test::before::Ship::grid),
                    strata::member("armed", &strata::test::migration_test::before::Ship::armed),
                    strata::member("mass", &strata::test::migration_test::before::Ship::mass)};
template <>
inline constexpr auto strata::members_of<strata::test::migration_test::before::Cargo> =
    strata::Members{strata::member("tons", &strata::test::migration_test::before::Cargo::tons)};
template <>
inline constexpr auto strata::members_of<strata::test::migration_test::before::Tracks> =
    strata::Members{strata::member("text", &strata::test::migration_test::before::Tracks::text)};
template <>
inline constexpr auto strata::members_of<strata::test::migration_test::Part> =
    strata::Members{strata::member("size", &strata::test::migration_test::Part::size),
                    strata::member("label", &strata::test::migration_test::Part::label),
                    strata::member("weight", &strata::test::migration_test::Part::weight)};
template <>
inline constexpr auto strata::members_of<strata::test::migration_test::Ship> =
    strata::Members{strata::member("title", &strata::test::migration_test::Ship::title),
                    strata::member("fuel", &strata::test::migration_test::Ship::fuel),
                    strata::member("speed", &strata::test::migration_test::Ship::speed),
                    strata::member("parts", &strata::test::migration_test::Ship::parts),
                    strata::member("grid", &strata::test::migration_test::Ship::grid),
                    strata::member("armed", &strata::test::migration_test::Ship::armed),
                    strata::member("crew", &strata::test::migration_test::Ship::crew)};
template <>
inline constexpr auto strata::members_of<strata::test::migration_test::Flag> =
    strata::Members{strata::member("colour", &strata::test::migration_test::Flag::colour)};
template <>
inline constexpr auto strata::members_of<strata::test::migration_test::before::Tank> =
    strata::Members{strata::member("fuel", &strata::test::migration_test::before::Tank::fuel),
                    strata::member("label", &strata::test::migration_test::before::Tank::label)};
template <>
inline constexpr auto strata::members_of<strata::test::migration_test::Tank> =
    strata::Members{strata::member("fuel", &strata::test::migration_test::Tank::fuel),
                    strata::member("label", &strata::test::migration_test::Tank::label)};
template <>
inline constexpr auto strata::members_of<strata::test::migration_test::before::Pump> =
    strata::Members{strata::member("fuel", &strata::test::migration_test::before::Pump::fuel),
                    strata::member("label", &strata::test::migration_test::before::Pump::label)};
template <>
inline constexpr std::string_view strata::name_of<strata::test::migration_test::before::Pump> = "Pump";
template <>
inline constexpr std::string_view strata::name_of<strata::test::migration_test::before::Hull> = "Hull";
template <>
inline constexpr auto strata::members_of<strata::test::migration_test::Pump> =
    strata::Members{strata::member("fuel", &strata::test::migration_test::Pump::fuel),
                    strata::member("label", &strata::test::migration_test::Pump::label)};
template <>
inline constexpr std::string_view strata::name_of<strata::test::migration_test::Pump> = "Pump";
template <>
inline constexpr std::string_view strata::name_of<strata::test::migration_test::Hull> = "Hull";
template <>
inline constexpr auto strata::members_of<strata::test::migration_test::before::Hull> =
    strata::Members{strata::member("health", &strata::test::migration_test::before::Hull::health),
                    strata::member("shield", &strata::test::migration_test::before::Hull::shield)};
template <>
inline constexpr auto strata::members_of<strata::test::migration_test::Hull> =
    strata::Members{strata::member("health", &strata::test::migration_test::Hull::health)};
template <>
inline constexpr std::string_view strata::name_of<strata::test::migration_test::before::Tank> = "Tank";
template <>
inline constexpr std::string_view strata::name_of<strata::test::migration_test::Tank> = "Tank";
template <>
inline constexpr std::string_view strata::name_of<strata::test::migration_test::before::Ship> = "Ship";
template <>
inline constexpr std::string_view strata::name_of<strata::test::migration_test::before::Flag> = "Flag";
template <>
inline constexpr std::string_view strata::name_of<strata::test::migration_test::before::Cargo> = "Cargo";
template <>
inline constexpr std::string_view strata::name_of<strata::test::migration_test::before::Tracks> = "Tracks";
template <>
inline constexpr std::string_view strata::name_of<strata::test::migration_test::Ship> = "Ship";
template <>
inline constexpr std::string_view strata::name_of<strata::test::migration_test::Flag> = "Flag";
template <>
inline constexpr std::string_view strata::name_of<strata::test::migration_test::Cargo> = "Cargo";
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::migration_test::before::Cargo> =
    strata::Storage::sparse;

namespace strata::test::migration_test {

namespace {

/// An older world: two ships with cargo and flags, and tracks between them.
std::string old_file(std::int32_t fuel = 200) {
  World world;
  before::Ship ship{fuel, 2.5f, "one", {{3, "hull"}, {4, "mast"}}, {1, 2, 3}, true, 9.5};
  const Entity first = world.create(ship, before::Flag{}, before::Cargo{12});
  const Entity second = world.create(child_of(first), before::Ship{});
  world.relations().add(first, second, before::Tracks{"east"});
  (void)world.names().set(second, "second");
  std::ostringstream out;
  REQUIRE(save(world, out));
  return out.str();
}

LoadedWorld loaded(const std::string& bytes, const LoadOptions& options) {
  World known;
  (void)known.component<Ship>();
  (void)known.component<Flag>();
  (void)known.component<Cargo>();
  std::istringstream in(bytes);
  LoadedWorld copy = load(in, known, options);
  const Outcome sound = copy.world.validate();
  CHECK_MESSAGE(sound, sound.message());
  return copy;
}

std::string why(const std::string& bytes, const LoadOptions& options) {
  return loaded(bytes, options).outcome.message();
}

const std::vector<Migration>& renamed() {
  static const std::vector<Migration> list{{.saved_name = "Ship", .members = {{"name", "title"}}}};
  return list;
}

}  // namespace

TEST_SUITE("api/migration") {
  TEST_CASE("components that are unknown or have changed are refused, unless it is said otherwise") {
    const std::string bytes = old_file();
    CHECK(says(
        why(bytes, {}),
        "\"Ship\" has other members in the program: \"fuel\" has another type; set LoadOptions::changed to "
        "convert or skip it, or give a migration"));
    CHECK(says(why(bytes, {.changed = ChangedComponents::convert}), "has the component \"Tracks\", which"));
    CHECK(
        says(why(bytes, {.unknown = UnknownComponents::skip}), "\"Ship\" has other members in the program"));
  }
  TEST_CASE("members are matched by name, and what was done is said") {
    const LoadedWorld copy = loaded(
        old_file(),
        {.unknown = UnknownComponents::skip, .changed = ChangedComponents::convert, .migrations = renamed()});
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    const Entity first = copy.world.roots().front();
    const Ship& ship = copy.world.get<Ship>(first);
    CHECK(
        strata::to_text(ship) ==
        "{title: \"one\", fuel: 200, speed: 2.5, parts: [{size: 3, label: \"hull\", weight: 1.5}, {size: 4, "
        "label: \"mast\", weight: 1.5}], grid: [1, 2, 3, 9], armed: true, crew: 3}");
    CHECK(copy.world.get<Flag>(first).colour == 5);
    CHECK(copy.world.has<Cargo>(first));
    CHECK(copy.world.size() == 2);
    std::string notes;
    for (const LoadNote& note : copy.notes) notes += note.sentence + '\n';
    CHECK(notes ==
          "\"Ship.fuel\" is converted to its type in the program\n"
          "\"Ship.speed\" is converted to its type in the program\n"
          "\"Ship.name\" is converted to its type in the program\n"
          "\"Ship.parts[].size\" is converted to its type in the program\n"
          "\"Ship.parts[].weight\" is not in the file: it has its initial value\n"
          "\"Ship.grid\" is converted to its type in the program\n"
          "\"Ship.armed\" is converted to its type in the program\n"
          "\"Ship.mass\" is left out: the program does not have it\n"
          "\"Ship.crew\" is not in the file: it has its initial value\n"
          "\"Flag.colour\" is not in the file: it has its initial value\n"
          "\"Cargo.tons\" is left out: the program does not have it\n"
          "\"Tracks\" is skipped: the program does not know it\n");
  }
  TEST_CASE("a number that does not fit is refused by name") {
    CHECK(
        says(why(old_file(256), {.unknown = UnknownComponents::skip, .changed = ChangedComponents::convert}),
             "the value 256 of \"fuel\" does not fit into \"Ship\""));
    CHECK(says(why(old_file(-1), {.unknown = UnknownComponents::skip, .changed = ChangedComponents::convert}),
               "the value -1 of \"fuel\" does not fit into \"Ship\""));
  }
  TEST_CASE("what has changed can be skipped") {
    const LoadedWorld copy =
        loaded(old_file(), {.unknown = UnknownComponents::skip, .changed = ChangedComponents::skip});
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    CHECK(copy.world.size() == 2);
    CHECK(copy.world.query<With<Ship>>().count() == 0);
    CHECK(copy.notes.size() == 4);
    CHECK(copy.notes[0].kind == LoadNote::Kind::skipped);
  }
  TEST_CASE("a function migrates what members of equal names do not say") {
    const std::vector<Migration> list{
        migration<Ship>("Ship",
                        [](const SavedValue& saved, Ship& ship) {
                          std::int32_t fuel = 0;
                          std::int32_t size = 0;
                          std::string label;
                          double mass = 0;
                          if (!saved.member("fuel").read(fuel) || !saved.member("mass").read(mass))
                            return false;
                          const SavedValue parts = saved.member("parts");
                          if (parts.size() == 2 && (!parts.element(1).member("size").read(size) ||
                                                    !parts.element(1).member("label").read(label)))
                            return false;
                          CHECK(!saved.member("none").member("at all"));
                          CHECK(!parts.element(2));
                          CHECK(!saved.member("name").read(fuel));
                          ship.fuel = static_cast<std::uint8_t>(fuel / 100);
                          ship.crew = size + static_cast<int>(mass);
                          ship.title = label;
                          return fuel >= 0;
                        }),
        migration<Flag>("Tracks", [](const SavedValue&, Flag&) { return true; })};
    const LoadOptions options{.migrations = std::span(list).first(1)};
    CHECK(says(why(old_file(), options), "\"Flag\" is a tag in the file, and has values"));
    const LoadOptions all{.unknown = UnknownComponents::skip,
                          .changed = ChangedComponents::skip,
                          .migrations = std::span(list).first(1)};
    const LoadedWorld copy = loaded(old_file(300), all);
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    const Ship& ship = copy.world.get<Ship>(copy.world.roots().front());
    CHECK(ship.fuel == 3);
    CHECK(ship.crew == 13);
    CHECK(ship.title == "mast");
    CHECK(says(why(old_file(-1), all), "a value of \"Ship\" is refused by its migration"));
    CHECK(says(refusal([&] {
                 const std::vector<Migration> twice{list[0], list[0]};
                 (void)loaded("", {.migrations = twice});
               }),
               "load: there are two migrations of \"Ship\""));
  }
  TEST_CASE("a component may have another name") {
    const std::vector<Migration> list{{.saved_name = "Tracks", .name = "Cargo"}, renamed()[0]};
    const LoadOptions options{.changed = ChangedComponents::convert, .migrations = list};
    CHECK(says(why(old_file(), options), "has the component \"Tracks\" twice"));
  }
  TEST_CASE("every byte of a file that is converted may be wrong") {
    const std::string bytes = old_file();
    const LoadOptions options{
        .unknown = UnknownComponents::skip, .changed = ChangedComponents::convert, .migrations = renamed()};
    for (std::size_t at = 12; at < bytes.size(); ++at) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ 0x81);
      repair_chunks(changed);
      (void)loaded(changed, options);
      CHECK(!loaded(bytes.substr(0, at), options).outcome);
    }
  }
  TEST_CASE("an optional stays empty if the value of the file does not fit, or is of another kind") {
    World world;
    world.create(before::Tank{300, "much"});
    std::ostringstream out;
    REQUIRE(save(world, out));
    std::size_t calls = 0;
    const std::vector<Migration> list{migration<Tank>("Tank", [](const SavedValue&, Tank& tank) {
      return !tank.fuel.has_value() && !tank.label.has_value();
    })};
    World known;
    (void)known.component<Tank>();
    std::istringstream in(out.str());
    const LoadedWorld copy = load(in, known, {.migrations = list});
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    copy.world.query<const Tank>().each([&](const Tank&) { ++calls; });
    CHECK(calls == 1);
  }
  TEST_CASE("an optional whose value does not fit, or is of another kind, keeps its initial value") {
    World world;
    const Entity unfit = world.create(before::Pump{300, 5});
    const Entity fit = world.create(before::Pump{30, {}});
    std::ostringstream out;
    REQUIRE(save(world, out));
    const std::vector<Migration> list{migration<Pump>("Pump", [](const SavedValue&, Pump&) { return true; })};
    World known;
    (void)known.component<Pump>();
    std::istringstream in(out.str());
    const LoadedWorld copy = load(in, known, {.migrations = list});
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    CHECK(!copy.world.get<Pump>(unfit).fuel.has_value());
    CHECK(!copy.world.get<Pump>(unfit).label.has_value());
    CHECK(copy.world.get<Pump>(fit).fuel == 30);
    CHECK(!copy.world.get<Pump>(fit).label.has_value());
  }
  TEST_CASE("a member that takes the name of a member that is gone gets the value of its old name") {
    World world;
    const Entity entity = world.create(before::Hull{});
    std::ostringstream out;
    REQUIRE(save(world, out));
    const std::vector<Migration> list{{.saved_name = "Hull", .members = {{"shield", "health"}}}};
    World known;
    (void)known.component<Hull>();
    std::istringstream in(out.str());
    const LoadedWorld copy = load(in, known, {.changed = ChangedComponents::convert, .migrations = list});
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    CHECK(copy.world.get<Hull>(entity).health == 2);
    REQUIRE(!copy.notes.empty());
    CHECK(copy.notes[0].member == "health");
    CHECK(copy.notes[0].kind == LoadNote::Kind::left_out);
  }
}

}  // namespace strata::test::migration_test
