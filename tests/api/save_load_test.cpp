#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"
#include "../support/saved_chunks.hpp"
#include "saving_sample.hpp"

namespace strata::test::save_load_test {

namespace {

/// A value that could be copied as bytes, but for its destructor.
struct Lease {
  static inline int live = 0;
  std::uint32_t id = 0;
  Lease() { ++live; }
  Lease(Lease&& other) noexcept : id(other.id) { ++live; }
  Lease& operator=(Lease&& other) noexcept {
    id = other.id;
    return *this;
  }
  ~Lease() { --live; }
};

}  // namespace

}  // namespace strata::test::save_load_test

template <>
inline constexpr auto strata::members_of<strata::test::save_load_test::Lease> =
    strata::Members{member("id", &strata::test::save_load_test::Lease::id)};

namespace strata::test::save_load_test {

namespace {

std::string saved(const World& world) {
  std::ostringstream out;
  const Outcome done = save(world, out);
  REQUIRE_MESSAGE(done, done.message());
  return out.str();
}
LoadedWorld loaded(const std::string& bytes, const World& known, WorldOptions options = {}) {
  std::istringstream in(bytes);
  return load(in, known, {.world = options});
}

/// Returns: why a world is not the one that was saved; empty if it is.
std::string compare(const World& world, const LoadedWorld& copy) {
  if (!copy.outcome) return copy.outcome.message();
  if (const Outcome sound = copy.world.validate(); !sound)
    return "the loaded world is broken: " + sound.message();
  for (const WorldDifference& difference : find_differences(world, copy.world)) return difference.sentence;
  if (digest(world) != digest(copy.world)) return "the digest is another one";
  if (saved(copy.world).size() != saved(world).size()) return "the loaded world is saved with another size";
  return "";
}

/// A random world that is saved and loaded is the same, and goes on in the same way.
Disagreement worlds_come_back(Bytes& bytes, Log& log) {
  World world({.layout = static_cast<Layout>(bytes.below(3)),
               .large_family = 3,
               .world_number = bytes.chance(2) ? 3u : 0u});
  make_known(world);
  std::vector<Entity> entities;
  LoadedWorld copy{Outcome::done(), World()};
  bool is_copied = false;
  while (bytes.turn()) {
    if (bytes.chance(12)) {
      log("save and load");
      copy = loaded(saved(world), world);
      if (const std::string why = compare(world, copy); !why.empty()) return why;
      is_copied = true;
      continue;
    }
    if (bytes.chance(20)) {
      const Storage storage = bytes.chance(2) ? Storage::table : Storage::sparse;
      log("set_storage");
      world.set_storage<Item>(storage);
      world.set_storage<SparseMark>(storage);
    }
    if (!entities.empty() && bytes.chance(12)) {
      const Entity gone = entities[bytes.below(entities.size())];
      log("destroy the subtree of ", gone);
      world.destroy(gone);
      std::erase_if(entities, [&](Entity entity) { return !world.alive(entity); });
      is_copied = false;  // In another order, maybe: rows are in other tables.
      continue;
    }
    if (is_copied) {
      apply_turn(entities, bytes, log, world, copy.world);
      if (digest(world) != digest(copy.world)) return "the loaded world goes on in another way";
    } else {
      apply_turn(entities, bytes, log, world);
    }
  }
  const std::string why = compare(world, loaded(saved(world), world));
  return why.empty() ? Disagreement() : Disagreement(why);
}

struct Unknown {
  int number = 0;
};

/// Much larger in memory than in a file.
struct Sack {
  std::array<std::uint64_t, 100'000> items{};
};

}  // namespace

}  // namespace strata::test::save_load_test

template <>
inline constexpr auto strata::members_of<strata::test::save_load_test::Sack> = strata::OwnFormat{
    [](const strata::test::save_load_test::Sack&, strata::ByteWriter& writer) { writer.write_size(0); },
    [](strata::test::save_load_test::Sack&, strata::ByteReader& reader) { return reader.read_size() == 0; }};

namespace strata::test::save_load_test {

TEST_SUITE("api/save_load") {
  STRATA_MODEL_TEST("a world that is saved and loaded is the same, and goes on in the same way",
                    worlds_come_back, .runs = 100, .turns = 100);

  TEST_CASE("an empty world and a small one come back") {
    const World empty;
    CHECK(compare(empty, loaded(saved(empty), empty)) == "");
    const World world = make_sample();
    CHECK(compare(world, loaded(saved(world), world)) == "");
    const std::string again = saved(loaded(saved(world), world).world);
    CHECK(saved(loaded(again, world).world) == again);
  }
  TEST_CASE("handles are issued in the same order, and stale ones stay stale") {
    World world;
    std::vector<Entity> entities(100);
    world.create_many(entities);
    for (std::size_t i = 0; i < 100; i += 3) world.destroy(entities[(i * 7) % 100]);
    LoadedWorld copy = loaded(saved(world), world);
    CHECK(!copy.world.alive(entities[0]));
    for (int i = 0; i < 50; ++i) CHECK(world.create() == copy.world.create());
  }
  TEST_CASE("any changed byte, and any length, is refused") {
    const World world = make_sample();
    const std::string bytes = saved(world);
    CHECK(bytes.size() < 2000);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ 0x55);
      CHECK(!loaded(changed, world).outcome);
      CHECK(!loaded(bytes.substr(0, at), world).outcome);
    }
  }
  TEST_CASE("changed bytes with a right checksum are refused, or are another sound world") {
    const World world = make_sample();
    const std::string bytes = saved(world);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (const int mask : {1, 2, 0x80, 0xFF}) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ mask);
        repair_chunks(changed);
        const LoadedWorld read = loaded(changed, world);
        const Outcome sound = read.world.validate();
        CHECK_MESSAGE(sound, at, ' ', sound.message());
        if (read.outcome) CHECK(!saved(read.world).empty());
        if (!read.outcome) CHECK(says(read.outcome.message(), "the world cannot be loaded: "));
      }
    }
  }
  TEST_CASE("what is wrong is said, and where") {
    const World world = make_sample();
    const std::string bytes = saved(world);
    const auto why = [&](const std::string& file, const World& known) {
      return loaded(file, known).outcome.message();
    };
    CHECK(why("", world) == "the world cannot be loaded: it is no saved world: it ends at byte 0");
    CHECK(why(std::string(100, 'x'), world) ==
          "the world cannot be loaded: it is no saved world: it does not begin as one");
    CHECK(says(why(bytes.substr(0, bytes.size() - 1), world), "is cut off at byte"));
    CHECK(says(why(bytes, World()),
               "(COMP), at byte 42: it has the component \"strata::test::Speed\", which the program "
               "does not know: register it"));
    std::string version = bytes;
    version[8] = 9;
    CHECK(says(why(version, world), "it has the format 9, and only 1 can be read"));
    CHECK(says(loaded(bytes, world, {.max_entities = 2}).outcome.message(),
               "more than WorldOptions::max_entities"));
    World other;
    ComponentInfo info = describe<Speed>();
    info.value = &detail::value_type_of<Price>();
    info.size = sizeof(Price);
    info.alignment = alignof(Price);
    (void)other.component(info);
    CHECK(says(why(bytes, other), "\"strata::test::Speed\" has other members in the program"));
  }
  TEST_CASE("what cannot be saved is refused by name") {
    World world = make_sample();
    (void)world.component<Unknown>();
    CHECK(!saved(world).empty());  // No entity has it.
    const Entity entity = world.create(Unknown{1});
    std::ostringstream out;
    CHECK(says(save(world, out).message(), "Unknown\" cannot be saved: its values are not described"));
    std::ostringstream without;
    CHECK(save(world, without, {Undescribed::leave_out}));
    const LoadedWorld copy = loaded(without.str(), world);
    CHECK(copy.world.alive(entity));
    CHECK(!copy.world.has<Unknown>(entity));
    std::ostringstream broken;
    broken.setstate(std::ios::badbit);
    CHECK(says(save(world, broken, {Undescribed::leave_out}).message(),
               "the stream cannot be written: see that it is open"));
  }
  TEST_CASE("when memory runs out, nothing is left of what was loaded") {
    const World world = make_sample();
    const std::string bytes = saved(world);
    for (std::size_t nth = 1;; ++nth) {
      FailingMemory memory;
      bool failed = false;
      {
        memory.fail_at(nth);
        try {
          const LoadedWorld copy = loaded(bytes, world, {.memory = &memory});
          CHECK(copy.outcome);
        } catch (const std::bad_alloc&) {
          failed = true;
        }
      }
      CHECK(memory.blocks() == 0);
      CHECK(memory.complaint().empty());
      if (!failed) break;
    }
  }
  TEST_CASE("components that are large in memory and small in the file come back") {
    World world;
    for (int i = 0; i < 20; ++i) world.create(Sack{}, Marked{});
    const LoadedWorld copy = loaded(saved(world), world);
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    CHECK(copy.world.size() == 20);
  }
  TEST_CASE("states, layers and layouts of many entities are read in one pass") {
    World world({.large_family = 4});
    make_known(world);
    std::vector<std::uint32_t> parents(3'000);
    for (std::uint32_t i = 0; i < parents.size(); ++i) parents[i] = i == 0 ? kNoParent : i - 1;
    const BuiltHierarchy built = world.build_hierarchy(parents);
    for (std::size_t i = 0; i < parents.size(); ++i) {
      const Entity entity = built.entities[i];
      if (i % 3 == 0) world.disable_subtree(entity);
      if (i % 5 == 0) world.disable(entity);
      world.set_layer(entity, static_cast<int>(i % 700));
      if (i % 2 == 0) world.set_layout(entity, Layout::per_parent);
    }
    const Entity empty = world.create();
    world.set_layout(empty, Layout::per_parent);
    LoadedWorld copy = loaded(saved(world), world);
    CHECK(compare(world, copy) == "");
    CHECK(copy.world.enable_subtree(built.entities[0]));
    CHECK(world.enable_subtree(built.entities[0]));
    for (World* const one : {&world, &copy.world}) one->create(child_of(empty));
    CHECK(digest(copy.world) == digest(world));
  }
  TEST_CASE("states that contradict the tree are refused") {
    World world;
    const Entity parent = world.create();
    world.create(child_of(parent), Marked{});
    std::string bytes = saved(world);
    const std::size_t rows = bytes.find("ROWS", bytes.find("ROWS") + 1) + 20;  // Those of the child.
    CHECK(bytes[rows + 4] == 0);
    bytes[rows + 4] = 1;  // Disabled because of its parent.
    repair_chunks(bytes);
    CHECK(says(loaded(bytes, world).outcome.message(), "and its parent disagree about their states"));
  }
  TEST_CASE("a long chain and a large family come back") {
    World world;
    make_known(world);
    std::vector<std::uint32_t> parents(60'000);
    for (std::uint32_t i = 0; i < parents.size(); ++i)
      parents[i] = i == 0 ? kNoParent : i < 40'000 ? i - 1 : 7;
    const std::vector<Speed> speeds(parents.size(), Speed{1, 2});
    REQUIRE(world.build_hierarchy(parents, std::span(speeds)).outcome);
    const LoadedWorld copy = loaded(saved(world), world);
    REQUIRE(copy.outcome);
    CHECK(digest(copy.world) == digest(world));
    CHECK(copy.world.validate());
  }
  TEST_CASE("values with a destructor that are loaded were constructed") {
    {
      World world;
      world.create(Lease());
      const LoadedWorld copy = loaded(saved(world), world);
      REQUIRE(copy.outcome);
      CHECK(Lease::live == 2);
    }
    CHECK(Lease::live == 0);
  }
  TEST_CASE("recorded commands are not written, nor the entities that they will create") {
    World world;
    const Entity first = world.create(Price{1, 0});
    world.destroy(world.create());
    const std::uint64_t before = digest(world);
    const Entity recorded = world.commands().create(Price{2, 0});
    const Entity further = world.commands().create(Price{3, 0});
    auto record_more = [&](const SavingProgress&) {
      (void)world.commands().create(Price{4, 0});
      return true;
    };
    std::stringstream file;
    REQUIRE(save(world, file, {.progress = record_more}));
    const LoadedWorld copy = load(file, world);
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    CHECK(digest(copy.world) == before);
    CHECK(copy.world.size() == 1);
    CHECK(copy.world.get<Price>(first).amount == 1);
    CHECK(copy.world.validate());
    world.flush();
    CHECK(world.get<Price>(recorded).amount == 2);
    CHECK(world.get<Price>(further).amount == 3);
    CHECK(world.size() > 3);
    CHECK(world.validate());
  }
}

}  // namespace strata::test::save_load_test
