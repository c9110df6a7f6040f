#include "strata/json/json.hpp"

#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"
#include "saving_turns.hpp"

namespace strata::test::json_test {

namespace {

/// Numbers of every kind.
struct Numbers {
  float narrow = 0;
  double wide = 0;
  std::int64_t integer = 0;
  std::uint64_t natural = 0;
  std::int8_t small = 0;
  std::uint8_t tiny = 0;
  std::string text;
  std::optional<std::optional<int>> maybe;
  Token token;
  Chain chain;
};
struct Married {};
/// Written by a function of the test.
struct Written {
  static inline std::function<void()> writes;
  int number = 0;
};

}  // namespace
}  // namespace strata::test::json_test

template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::test::json_test::Married> = {
    .exclusive = true, .symmetric = true};
template <>
inline constexpr auto strata::members_of<strata::test::json_test::Written> =
    strata::OwnFormat{[](const strata::test::json_test::Written& value, strata::ByteWriter& writer) {
                        if (value.writes) value.writes();
                        writer.write(value.number);
                      },
                      [](strata::test::json_test::Written& value, strata::ByteReader& reader) {
                        value.number = reader.read<int>();
                        return true;
                      }};
using TestNumbers = strata::test::json_test::Numbers;
template <>
inline constexpr auto strata::members_of<TestNumbers> =
    strata::Members{member("narrow", &TestNumbers::narrow),   member("wide", &TestNumbers::wide),
                    member("integer", &TestNumbers::integer), member("natural", &TestNumbers::natural),
                    member("small", &TestNumbers::small),     member("tiny", &TestNumbers::tiny),
                    member("text", &TestNumbers::text),       member("maybe", &TestNumbers::maybe),
                    member("token", &TestNumbers::token),     member("chain", &TestNumbers::chain)};

namespace strata::test::json_test {

namespace {

/// Makes Numbers, and what the random worlds have, known.
void make_numbers_known(World& world) {
  (void)world.component<Numbers>();
  make_known(world);
}

std::string written(const World& world) {
  std::ostringstream out;
  const Outcome done = write_json(world, out);
  REQUIRE_MESSAGE(done, done.message());
  return out.str();
}
LoadedWorld read(const std::string& text, const World& known, WorldOptions options = {}) {
  std::istringstream in(text);
  return read_json(in, known, options);
}

/// Returns: why a world is not the one that was written; empty if it is.
std::string compare(const World& world, const LoadedWorld& copy) {
  if (!copy.outcome) return copy.outcome.message();
  if (const Outcome sound = copy.world.validate(); !sound) return sound.message();
  for (const WorldDifference& difference : find_differences(world, copy.world)) return difference.sentence;
  if (digest(world) != digest(copy.world)) return "the digest is another one";
  return written(copy.world) == written(world) ? "" : "the world that was read is written in another way";
}

Disagreement worlds_come_back(Bytes& bytes, Log& log) {
  World world({.layout = static_cast<Layout>(bytes.below(3)),
               .large_family = 3,
               .world_number = bytes.chance(2) ? 3u : 0u});
  make_numbers_known(world);
  std::vector<Entity> entities;
  while (bytes.turn()) {
    if (!bytes.chance(10)) {
      apply_turn(entities, bytes, log, world);
      continue;
    }
    log("write and read");
    LoadedWorld copy = read(written(world), world);
    if (const std::string why = compare(world, copy); !why.empty()) return why;
    for (int i = 0; i < 3; ++i) {
      if (world.create() != copy.world.create()) return "later handles are others";
    }
  }
  return {};
}

/// A small world with something of everything.
World sample() {
  World world;
  make_numbers_known(world);
  const Entity gone = world.create();
  const Entity root = world.create(Speed{1, 2}, Marked{});
  const Entity child = world.create(child_of(root), Price{3, 0.1});
  const Entity other = world.create(child_of(child), SparseItem{}, Speed{});
  Item item;
  item.label = "la\"bel";
  item.offers = {{1, 2}};
  item.watchers = {child, Entity()};
  world.add(other, item);
  world.destroy(gone);
  (void)world.names().set(root, "house");
  (void)world.names().set(child, "a/door");
  world.relations().add(root, other, Likes{3});
  world.relations().add(root, other, Near{3});
  world.relations().add(child, root, Team{});
  world.disable_subtree(child);
  world.disable<Speed>(root);
  world.set_layer(root, 3);
  world.set_layout(root, Layout::per_parent);
  world.resources().set(Price{5, 0.25});
  world.resources().set(item);
  return world;
}

/// Returns: what is said of the sample with one part of its text replaced.
std::string after(const std::string& part, const std::string& by) {
  const World world = sample();
  std::string text = written(world);
  const std::size_t at = text.find(part);
  REQUIRE_MESSAGE(at != std::string::npos, text);
  text.replace(at, part.size(), by);
  return read(text, world).outcome.message();
}

struct Unknown {
  int number = 0;
};

}  // namespace

TEST_SUITE("api/json") {
  STRATA_MODEL_TEST("a world that is written and read is the same", worlds_come_back, .runs = 40,
                    .turns = 80);

  TEST_CASE("a document names entities by paths, and components by names") {
    World world;
    const Entity house = world.create();
    const Entity door = world.create(child_of(house), Speed{0.1f, -0.0f});
    (void)world.names().set(house, "house");
    (void)world.names().set(door, "door");
    world.relations().add(house, door, Likes{7});
    CHECK(
        to_json(world).json["entities"].dump() ==
        R"([{"entity":"0v1","name":"house","pairs":{"strata::test::Likes":[{"to":"/house/door","value":{"much":7}}]}},)"
        R"({"entity":"1v1","name":"door","parent":"/house","components":{"strata::test::Speed":{"x":0.1,"y":-0.0}}}])");
  }
  TEST_CASE("entities with equal names are told apart by handles") {
    World world;
    make_numbers_known(world);
    Item item;
    for (int i = 0; i < 2; ++i) {
      const Entity entity = world.create();
      (void)world.names().set(entity, "door");
      item.watchers.push_back(entity);
    }
    world.create(item);
    CHECK(compare(world, read(written(world), world)) == "");
  }
  TEST_CASE("numbers are the same, down to the last bit") {
    World world;
    make_numbers_known(world);
    constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
    constexpr auto kHighest = std::numeric_limits<std::uint64_t>::max();
    for (const double real : {0.1, 1e300, 5e-324, -0.0, 1.0 / 3, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()}) {
      Numbers numbers;
      numbers.narrow = static_cast<float>(real);
      numbers.wide = real;
      numbers.integer = kLowest;
      numbers.natural = kHighest;
      numbers.small = -128;
      numbers.tiny = 255;
      numbers.text = "\xFF\n\x01 \xC3\xA4";
      numbers.maybe.emplace();
      numbers.token.digits = {1, 2, 255, 0};
      numbers.chain.links = {1, 2, 3};
      world.create(numbers);
    }
    for (const float real : {1e-45f, 3.4028235e38f, 0.1f, 16777216.0f, 1.17549435e-38f}) {
      Numbers numbers;
      numbers.narrow = real;
      world.create(numbers);
    }
    CHECK(compare(world, read(written(world), world)) == "");
  }
  TEST_CASE("a sample comes back, and every cut is refused") {
    const World world = sample();
    const std::string text = written(world);
    CHECK(compare(world, read(text, world)) == "");
    for (std::size_t size = 0; size + 2 < text.size(); size += 11)
      CHECK(!read(text.substr(0, size), world).outcome);
  }
  TEST_CASE("what is wrong is named by its path in the document") {
    CHECK(says(after("\"amount\": 3", "\"amount\": 3.5"),
               "entities[1].components.strata::test::Price.amount is not a whole number of 32 bits"));
    CHECK(says(after("\"amount\": 3", "\"amount\": 3000000000"), "is not a whole number of 32 bits"));
    CHECK(says(after("\"amount\": 3", "\"much\": 3"), "Price lacks the member \"amount\""));
    CHECK(says(after("\"strata::test::Price\": \"table\"", "\"Prize\": \"table\""),
               "components.Prize is no component that the program knows"));
    CHECK(says(after("\"parent\": \"/house\"", "\"parent\": \"2v1\""),
               "entities[1].parent is no entity that comes before"));
    CHECK(says(after("\"to\": \"3v1\"", "\"to\": \"9v1\""), "to is no entity of the document"));
    CHECK(says(after("\"entity\": \"3v1\"", "\"entity\": \"4294967295v1\""),
               "names slot 4294967295 twice, or not all"));
    CHECK(says(after("\"entity\": \"3v1\"", "\"entity\": \"1v1\""), "names slot 1 twice"));
    CHECK(says(after("\"layer\": 3", "\"layer\": 3, \"layer\": 4"), "the member \"layer\" twice"));
    CHECK(says(after("\"amount\": 5", "\"amount\": true"),
               "resources.strata::test::Price.amount is not a whole number of 32 bits"));
    CHECK(says(after("\"layer\": 3", "\"layers\": 3"), "entities[0].layers is not known"));
    CHECK(says(after("\"exclusive\": true", "\"exclusive\": false"), "has other options in the program"));
    CHECK(says(after("strata world", "other"), "is no world"));
    CHECK(says(after("\"layer\": 3", "\"layer\": " + std::string(100'000, '[')), "nested too deeply"));
    CHECK(says(after("\"disabled\": [", "\"disabled\": [\"subtree\","), "disabled[1] is there twice"));
  }
  TEST_CASE("components that are not described are refused by name, or left out") {
    World world;
    world.create(Unknown{1});
    CHECK(says(to_json(world).outcome.message(), "Unknown\" cannot be written"));
    CHECK(to_json(world, Undescribed::leave_out).json["entities"].size() == 1);
  }
  TEST_CASE("resources are written by name, and refer to entities by paths") {
    World world;
    const Entity house = world.create();
    (void)world.names().set(house, "house");
    world.resources().set(house);
    CHECK(to_json(world).json["resources"].dump() == R"({"strata::Entity":"/house"})");
    const LoadedWorld copy = read(written(world), world);
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    CHECK(copy.world.resources().get<Entity>() == house);
    CHECK(says(read(written(world), World()).outcome.message(),
               "resources.strata::Entity is no resource that the program knows"));
    world.resources().emplace<Unknown>(1);
    CHECK(says(to_json(world).outcome.message(), "Unknown\" cannot be written"));
    CHECK(to_json(world, Undescribed::leave_out).outcome);
  }
  TEST_CASE("a chain of 20,000 is written and read") {
    World world;
    Entity last = world.create();
    (void)world.names().set(last, "first");
    for (int i = 1; i < 20'000; ++i) {
      last = world.create(child_of(last));
      (void)world.names().set(last, "a rather long name");
    }
    const LoadedWorld copy = from_json(to_json(world).json, world);
    REQUIRE(copy.outcome);
    CHECK(digest(copy.world) == digest(world));
  }
  TEST_CASE("if memory fails while reading, nothing is left") {
    const World world = sample();
    const Json json = to_json(world).json;
    FailingMemory memory;
    const std::size_t failed = sweep_out_of_memory(
        memory, [&] { (void)from_json(json, world, {.memory = &memory}); },
        [&] { CHECK(memory.blocks() == 0); });
    CHECK(failed > 20);
    CHECK(memory.complaint() == "");
  }
  TEST_CASE("entities with names that are no UTF-8 are referred to by their handles") {
    World world;
    const Entity house = world.create();
    REQUIRE(world.names().set(house, "\xFF"));
    world.create(child_of(house));
    CHECK(compare(world, read(written(world), world)) == "");
  }
  TEST_CASE("a document in which one entity has two partners is refused") {
    World world;
    const Entity first = world.create(), second = world.create(), third = world.create();
    world.relations().add<Married>(first, third);
    Json json = to_json(world).json;
    CHECK(from_json(json, world).outcome);
    json["entities"][second.index()]["pairs"] = json["entities"][first.index()]["pairs"];
    CHECK(says(from_json(json, world).outcome.message(), "there is another one"));
  }
  TEST_CASE("recorded commands are not written, nor the entities that they will create") {
    World world;
    world.create(Price{1, 0});
    const std::uint64_t before = digest(world);
    (void)world.commands().create(Price{2, 0});
    const Json json = to_json(world).json;
    const LoadedWorld copy = from_json(json, world);
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    CHECK(digest(copy.world) == before);
    world.flush();
    CHECK(world.size() == 2);
  }
  TEST_CASE("a subtree is written and added below a parent, with references inside") {
    World world;
    const Entity outside = world.create();
    const Entity house = world.create(child_of(world.create()), Price{1, 2});
    const Entity door = world.create(child_of(house), Item{});
    REQUIRE(world.names().set(house, "house"));
    REQUIRE(world.names().set(door, "door"));
    world.get<Item>(door).owner = house;
    world.get<Item>(door).watchers = {outside, door};
    const WorldJson made = to_json(world, house);
    REQUIRE_MESSAGE(made.outcome, made.outcome.message());
    CHECK(made.json["entities"].size() == 2);
    CHECK(world.get<Item>(door).watchers == std::vector{outside, door});  // The world is as it was.

    World other;
    (void)other.component<Price>();
    (void)other.component<Item>();
    const Entity street = other.create();
    const InsertedPart put = insert_json(other, made.json, street);
    REQUIRE_MESSAGE(put.outcome, put.outcome.message());
    REQUIRE(put.roots.size() == 1);
    CHECK(other.parent(put.roots[0]) == street);
    CHECK(other.get<Price>(put.roots[0]).amount == 1);
    const Entity door_there = other.names().find(put.roots[0], "door");
    CHECK(other.get<Item>(door_there).owner == put.roots[0]);
    CHECK(other.get<Item>(door_there).watchers == std::vector{Entity(), door_there});
    CHECK(other.validate());

    CHECK(says(to_json(world, house, {.outside = OutsideReferences::refuse}).outcome.message(), "outside"));
    CHECK(says(refusal([&] { (void)to_json(world, house, {.outside = OutsideReferences::keep}); }),
               "OutsideReferences::null"));
    Json wrong = made.json;
    wrong["entities"][1]["parent"] = 7;
    CHECK(says(insert_json(other, wrong, street).outcome.message(), "entities[1].parent"));
    CHECK(other.child_count(street) == 1);
  }
  TEST_CASE("a function that writes values for to_json cannot change the world") {
    World world;
    const Entity entity = world.create(Written{1});
    std::string said;
    Written::writes = [&] { said = refusal([&] { world.destroy(entity); }); };
    CHECK(to_json(world).outcome);
    Written::writes = nullptr;
    CHECK_MESSAGE(says(said, "while a query is iterating"), said);
    CHECK(world.destroy(entity));  // Nothing is under way any more.
  }
}

}  // namespace strata::test::json_test
