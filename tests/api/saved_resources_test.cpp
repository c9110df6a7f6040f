#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../support/described.hpp"
#include "../support/failing_memory.hpp"
#include "../support/hooked.hpp"
#include "../support/refusal.hpp"
#include "../support/saved_chunks.hpp"

namespace strata::test::saved_resources_test {

namespace {

struct Rules {
  std::int32_t rounds = 3;
  Entity first;
  std::vector<Price> prices;
};
struct Started {};
/// Is not described.
struct Score {
  int* place = nullptr;
};
/// Cannot be copied, and is no part of what a world contains.
struct Window {
  std::unique_ptr<int> handle;
};
/// Cannot be moved or copied, but is described.
struct Seed {
  Seed() = default;
  Seed(const Seed&) = delete;
  Seed& operator=(const Seed&) = delete;
  std::uint64_t state = 1;
};
struct NoFirst {
  explicit NoFirst(int of) : number(of) {}
  int number;
};
/// What an older program has in place of Rules.
struct OldRules {
  std::int16_t rounds = 0;
  Entity beginner;
};

}  // namespace
}  // namespace strata::test::saved_resources_test

namespace saved_resources = strata::test::saved_resources_test;
template <>
inline constexpr auto strata::members_of<saved_resources::Rules> = strata::Members{
    member("rounds", &saved_resources::Rules::rounds), member("first", &saved_resources::Rules::first),
    member("prices", &saved_resources::Rules::prices)};
template <>
inline constexpr auto strata::members_of<saved_resources::Seed> =
    strata::Members{member("state", &saved_resources::Seed::state)};
template <>
inline constexpr auto strata::members_of<saved_resources::NoFirst> =
    strata::Members{member("number", &saved_resources::NoFirst::number)};
template <>
inline constexpr auto strata::members_of<saved_resources::OldRules> =
    strata::Members{member("rounds", &saved_resources::OldRules::rounds),
                    member("beginner", &saved_resources::OldRules::beginner)};
template <>
inline constexpr std::string_view strata::name_of<saved_resources::Rules> = "Rules";
template <>
inline constexpr std::string_view strata::name_of<saved_resources::Score> = "Score";
template <>
inline constexpr std::string_view strata::name_of<saved_resources::Started> = "Started";
template <>
inline constexpr std::string_view strata::name_of<saved_resources::NoFirst> = "NoFirst";
template <>
inline constexpr std::string_view strata::name_of<saved_resources::OldRules> = "OldRules";
template <>
inline constexpr bool strata::is_saved_resource<saved_resources::Window> = false;

namespace strata::test::saved_resources_test {

namespace {

std::string bytes_of(const World& world, SaveOptions options = {}) {
  std::ostringstream out;
  const Outcome done = save(world, out, options);
  REQUIRE_MESSAGE(done, done.message());
  return out.str();
}
LoadedWorld load_bytes(const std::string& bytes, const World& known, const LoadOptions& options = {}) {
  std::istringstream in(bytes);
  return load(in, known, options);
}

/// A world with resources of several kinds.
World sample() {
  World world;
  const Entity entity = world.create();
  world.resources().set(Rules{7, entity, {{1, 0.5}, {2, 0.25}}});
  world.resources().set(Started{});
  world.resources().emplace<Seed>().state = 99;
  world.resources().emplace<Window>().handle = std::make_unique<int>(5);
  return world;
}

}  // namespace

TEST_SUITE("api/saved_resources") {
  TEST_CASE("described resources are saved and loaded with their references") {
    const World world = sample();
    const LoadedWorld copy = load_bytes(bytes_of(world), world);
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    const Resources& resources = copy.world.resources();
    CHECK(resources.size() == 3);
    const Rules& rules = resources.get<Rules>();
    CHECK(rules.rounds == 7);
    CHECK(copy.world.alive(rules.first));
    REQUIRE(rules.prices.size() == 2);
    CHECK(rules.prices[1].factor == 0.25);
    CHECK(resources.find<Started>() != nullptr);
    CHECK(resources.get<Seed>().state == 99);
    CHECK(resources.find<Window>() == nullptr);
    CHECK(digest(world) == digest(copy.world));
    CHECK(bytes_of(copy.world) == bytes_of(world));
    CHECK(copy.world.validate());
  }
  TEST_CASE("the order in which resources were made does not matter") {
    World first;
    World second;
    first.resources().set(Price{1, 2});
    first.resources().set(Started{});
    second.resources().set(Started{});
    second.resources().set(Price{1, 2});
    CHECK(digest(first) == digest(second));
    CHECK(bytes_of(first) == bytes_of(second));
    CHECK(find_differences(first, second).empty());
  }
  TEST_CASE("a type that only the file has is refused, or skipped with a note") {
    const std::string bytes = bytes_of(sample());
    World known;
    known.resources().add_type<Started>();
    known.resources().add_type<Seed>();
    CHECK(says(load_bytes(bytes, known).outcome.message(),
               "it has the resource \"Rules\", which the program does not know: add its type to the "
               "resources of the world that is given"));
    const LoadedWorld copy = load_bytes(bytes, known, {.unknown = UnknownComponents::skip});
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    REQUIRE(copy.notes.size() == 1);
    CHECK(copy.notes[0].kind == LoadNote::Kind::skipped);
    CHECK(copy.notes[0].sentence == "\"Rules\" is skipped: the program does not know it");
    CHECK(copy.world.resources().size() == 2);
  }
  TEST_CASE("resources with other members are refused, skipped or converted, also by a migration") {
    World older;
    const Entity entity = older.create();
    older.resources().set(OldRules{5, entity});
    const std::string bytes = bytes_of(older);
    World known;
    known.resources().add_type<Rules>();
    Migration rename{.saved_name = "OldRules", .name = "Rules", .members = {{"beginner", "first"}}};
    const LoadedWorld copy = load_bytes(bytes, known, {.migrations = {&rename, 1}});
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    CHECK(copy.world.resources().get<Rules>().rounds == 5);
    CHECK(copy.world.resources().get<Rules>().first == entity);
    CHECK(copy.notes.size() == 4);  // Two names, a number, and `prices`.
    rename.members.clear();
    rename.convert = [](const SavedValue& saved, void* to) -> bool {
      return saved.member("beginner").read(static_cast<Rules*>(to)->first);
    };
    const LoadedWorld other = load_bytes(bytes, known, {.migrations = {&rename, 1}});
    REQUIRE_MESSAGE(other.outcome, other.outcome.message());
    CHECK(other.world.resources().get<Rules>().first == entity);
  }
  TEST_CASE("what cannot be saved is refused by name, or left out") {
    World world;
    world.resources().set(Score{});
    std::ostringstream out;
    CHECK(save(world, out).message() ==
          "resource \"Score\" cannot be saved: its values are not described; write members_of or "
          "is_saved_resource for it");
    CHECK_THROWS_AS((void)digest(world), ContractViolation);
    CHECK_THROWS_AS((void)find_differences(world, world), ContractViolation);
    const std::string bytes = bytes_of(world, {.undescribed = Undescribed::leave_out});
    CHECK(digest(world, Undescribed::leave_out) == digest(World()));
    CHECK(load_bytes(bytes, world).world.resources().size() == 0);
  }
  TEST_CASE("a value that cannot be made in the program is refused or skipped") {
    World world;
    world.resources().emplace<NoFirst>(3);
    const std::string bytes = bytes_of(world);
    CHECK(!load_bytes(bytes, world).outcome);
    const LoadedWorld copy = load_bytes(bytes, world, {.changed = ChangedComponents::skip});
    REQUIRE(copy.outcome);
    CHECK(copy.notes.size() == 1);
    CHECK(copy.world.resources().size() == 0);
  }
  TEST_CASE("a file that has a resource twice is refused") {
    const World world = sample();
    std::string bytes = bytes_of(world);
    const std::size_t at = bytes.find("RSRC");
    const std::size_t end = bytes.find("END!");
    REQUIRE(end != std::string::npos);
    bytes.insert(end, bytes.substr(at, end - at));
    CHECK(load_bytes(bytes, world).outcome.message().find("twice") != std::string::npos);
  }
  TEST_CASE("files that are damaged anywhere are refused, and change nothing") {
    const World world = sample();
    const std::string bytes = bytes_of(world);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      CHECK(!load_bytes(bytes.substr(0, i), world).outcome);
      std::string wrong = bytes;
      wrong[i] = static_cast<char>(wrong[i] ^ 5);
      repair_chunks(wrong);
      const LoadedWorld copy = load_bytes(wrong, world, {.unknown = UnknownComponents::skip});
      if (copy.outcome) CHECK(copy.world.validate());
    }
  }
  TEST_CASE("differences in resources are named") {
    World first = sample();
    World second = sample();
    CHECK(find_differences(first, second).empty());
    second.resources().get<Rules>().prices[0].amount = 4;
    second.resources().remove<Started>();
    first.resources().remove<Seed>();
    const std::vector<WorldDifference> found = find_differences(first, second);
    REQUIRE(found.size() == 3);
    CHECK(found[0].sentence ==
          "the world has the resource \"Rules\", whose prices[0].amount is 1 in the first world, and 4 in "
          "the second");
    CHECK(!found[0].entity);
    CHECK(found[0].component == "Rules");
    CHECK(found[0].path == "prices[0].amount");
    CHECK(found[1].sentence == "the world has the resource \"Started\" only in the first world");
    CHECK(found[2].sentence.find("only in the second world") != std::string::npos);
    CHECK(digest(first) != digest(second));
    CHECK(find_differences(first, second, 1).size() == 1);
  }
  TEST_CASE("going back to a checkpoint brings resources back; equal ones stay where they are") {
    World world;
    History history(world);
    world.resources().set(Price{1, 2});
    world.resources().set(std::string("first"));
    world.resources().emplace<Window>().handle = std::make_unique<int>(5);
    REQUIRE(history.checkpoint());
    const std::uint64_t before = digest(world);
    const Price* const price = world.resources().find<Price>();
    world.resources().get<std::string>() = "second";
    world.resources().set(3);
    *world.resources().get<Window>().handle = 6;
    REQUIRE(history.checkpoint());
    const std::uint64_t after = digest(world);
    REQUIRE(history.undo());
    CHECK(digest(world) == before);
    CHECK(world.resources().find<Price>() == price);
    CHECK(world.resources().get<std::string>() == "first");
    CHECK(world.resources().find<int>() == nullptr);
    CHECK(*world.resources().get<Window>().handle == 6);
    CHECK(world.resources().check_invariants() == "");
    REQUIRE(history.redo());
    CHECK(digest(world) == after);
    CHECK(world.resources().get<int>() == 3);
    world.resources().remove<Price>();
    world.resources().remove<std::string>();
    REQUIRE(history.undo());
    CHECK(digest(world) == before);
    CHECK(world.validate());
  }
  TEST_CASE("a resource that cannot be copied is named at the first checkpoint") {
    World world;
    world.resources().emplace<Seed>();
    History history(world);
    const Outcome refused = history.checkpoint();
    CHECK(refused.message().find("Seed") != std::string::npos);
    CHECK(history.begin() == history.end());
  }
  TEST_CASE("memory that runs out while a checkpoint is restored changes nothing") {
    FailingMemory memory;
    {
      World world({.memory = &memory});
      History history(world);
      world.resources().set(Rules{1, Entity(), {{1, 1}}});
      world.resources().set(std::string(50, 'x'));
      REQUIRE(history.checkpoint());
      world.resources().set(Rules{2, Entity(), {}});
      world.resources().remove<std::string>();
      const std::uint64_t before = digest(world);
      const std::size_t failures = sweep_out_of_memory(
          memory, [&] { CHECK(history.restore(0)); },
          [&] {
            CHECK(digest(world) == before);
            CHECK(world.resources().check_invariants() == "");
          });
      CHECK(failures >= 2);
      CHECK(world.resources().get<Rules>().rounds == 1);
    }
    CHECK(memory.blocks() == 0);
  }
  TEST_CASE("parts of worlds have no resources") {
    const World world = sample();
    World target;
    std::istringstream in(bytes_of(world));
    const InsertedPart inserted = load_below(target, in);
    REQUIRE_MESSAGE(inserted.outcome, inserted.outcome.message());
    CHECK(target.size() == 1);
    CHECK(target.resources().size() == 0);
  }
  TEST_CASE("resources that are replaced or removed while a world is saved are written as they are then") {
    World world;
    world.resources().set(Rules{.rounds = 1, .first = {}, .prices = {}});
    world.resources().set(Started{});
    bool is_changed = false;
    auto changes = [&](const SavingProgress&) {
      if (std::exchange(is_changed, true)) return true;
      world.resources().remove<Started>();
      world.resources().remove<Rules>();
      world.resources().set(Rules{.rounds = 2, .first = {}, .prices = {}});
      return true;
    };
    std::stringstream file;
    REQUIRE(save(world, file, {.progress = changes}));
    REQUIRE(is_changed);
    const LoadedWorld loaded = load(file, world);
    REQUIRE_MESSAGE(loaded.outcome, loaded.outcome.message());
    CHECK(loaded.world.resources().get<Rules>().rounds == 2);
    CHECK(loaded.world.resources().find<Started>() == nullptr);
  }
  TEST_CASE("resources may be added and removed by functions that copy values for restore") {
    const HookScope hooks;
    World world;
    const Entity entity = world.create(Hooked(1));
    History history(world);
    REQUIRE(history.checkpoint());
    world.set(entity, Hooked(2));
    world.resources().set(Started{});
    int copies = 0;
    hooks->copied = [&](int) {
      ++copies;
      world.resources().remove<Started>();
      world.resources().set(Rules{});
      world.resources().set(std::string(100, 'x'));
    };
    REQUIRE(history.restore(0));
    hooks->copied = nullptr;
    CHECK(copies != 0);
    CHECK(world.resources().find<Started>() == nullptr);
    CHECK(world.resources().find<Rules>() == nullptr);
    CHECK(world.resources().find<std::string>() == nullptr);
    CHECK(world.get<Hooked>(entity).number() == 1);
    CHECK(world.validate());
  }
  TEST_CASE("resources that functions change while they copy values for restore are restored, too") {
    const HookScope hooks;
    World world;
    const Entity entity = world.create(Hooked(1));
    world.resources().set(Price{1, 2});
    world.resources().set(Started{});
    world.resources().set(std::string("first"));
    History history(world);
    REQUIRE(history.checkpoint());
    const std::uint64_t before = digest(world, Undescribed::leave_out);
    for (const bool removed : {false, true}) {
      CAPTURE(removed);
      world.set(entity, Hooked(2));
      int copies = 0;
      hooks->copied = [&](int) {
        ++copies;
        world.resources().remove<Started>();
        if (removed) world.resources().remove<Price>();
        if (!removed) world.resources().set(Price{3, 4});
      };
      REQUIRE(history.restore(0));
      hooks->copied = nullptr;
      CHECK(copies != 0);
      REQUIRE(world.resources().find<Price>() != nullptr);
      CHECK(world.resources().get<Price>().amount == 1);
      CHECK(world.resources().find<Started>() != nullptr);
      CHECK(digest(world, Undescribed::leave_out) == before);
      CHECK(world.validate());
    }
  }
}

}  // namespace strata::test::saved_resources_test
