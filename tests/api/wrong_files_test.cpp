// Saved worlds whose chunks are sound, but contradict each other, are refused; and what the checks of many pairs cost.
#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <cstring>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"
#include "../support/saved_chunks.hpp"

namespace strata::test::wrong_files_test {
namespace {

struct Marked {};

/// Pairs that form no cycle.
struct Requires {};

int hooks_called = 0;

/// A component whose hooks count their calls.
struct Body {
  int number = 0;
};

}  // namespace
}  // namespace strata::test::wrong_files_test

template <>
inline constexpr auto strata::members_of<strata::test::wrong_files_test::Body> =
    strata::Members{member("number", &strata::test::wrong_files_test::Body::number)};
template <>
inline constexpr strata::Hooks<strata::test::wrong_files_test::Body>
    strata::hooks_of<strata::test::wrong_files_test::Body> = {
        .on_add =
            [](strata::World&, strata::Entity, strata::test::wrong_files_test::Body&) {
              ++strata::test::wrong_files_test::hooks_called;
            },
        .on_remove =
            [](strata::World&, strata::Entity, strata::test::wrong_files_test::Body&) {
              ++strata::test::wrong_files_test::hooks_called;
            }};

namespace strata::test::wrong_files_test {
namespace {

std::string saved(const World& world) {
  std::ostringstream out;
  const Outcome done = save(world, out);
  REQUIRE_MESSAGE(done, done.message());
  return out.str();
}

/// Loads a file, after its checksums were written anew.
LoadedWorld loaded(std::string bytes, const World& known, std::pmr::memory_resource* memory = nullptr) {
  repair_chunks(bytes);
  std::istringstream in(bytes);
  WorldOptions options;
  if (memory != nullptr) options.memory = memory;
  return load(in, known, {.world = options});
}
std::string fault_of(const std::string& bytes, const World& known) {
  return loaded(bytes, known).outcome.message();
}

/// Replaces a number in the content of the first chunk of a kind.
void write_number(std::string& bytes, const char* chunk, std::size_t at, std::uint32_t number) {
  std::memcpy(bytes.data() + bytes.find(chunk) + 20 + at, &number, sizeof number);
}

/// Pairs between entities 0, 1 and 2.
using PairList = std::vector<std::pair<int, int>>;

/// Returns: a saved world with these pairs of a relation with these options, which do not allow them.
std::string file_with_pairs(const RelationOptions& options, const PairList& forbidden) {
  ComponentInfo info = describe<Requires>();
  info.name = "requires";
  info.type = nullptr;
  const auto file = [&](const RelationOptions& own, const PairList& pairs) {
    World world;
    const ComponentId id = world.relations().relation(info, own);
    const Entity entities[3] = {world.create(), world.create(), world.create()};
    for (const auto& [source, target] : pairs)
      world.relations().add(entities[source], entities[target], id, nullptr);
    return saved(world);
  };
  // Two files with the same pairs differ in the options alone.
  const std::string any = file({.symmetric = options.symmetric}, {{0, 1}});
  const std::string limited = file(options, {{0, 1}});
  std::string wrong = file({.symmetric = options.symmetric}, forbidden);
  for (std::size_t i = 0; i < any.size(); ++i) {
    if (any[i] != limited[i]) wrong[i] = limited[i];
  }
  return wrong;
}
std::string fault_of_pairs(const RelationOptions& options, const PairList& forbidden) {
  World known;
  ComponentInfo info = describe<Requires>();
  info.name = "requires";
  info.type = nullptr;
  (void)known.component(info);
  return fault_of(file_with_pairs(options, forbidden), known);
}

}  // namespace
}  // namespace strata::test::wrong_files_test

template <>
inline constexpr strata::RelationOptions
    strata::relation_options_of<strata::test::wrong_files_test::Requires> = {.acyclic = true};

namespace strata::test::wrong_files_test {

TEST_SUITE("api/wrong_files") {
  constexpr std::size_t kFirstRow = 6;    // In a chunk of rows without components: behind their number.
  constexpr std::size_t kFirstChild = 6;  // In a chunk of families: behind the number of children.

  TEST_CASE("an entity with two rows, or with none, is refused") {
    World world;
    world.create();
    world.create();
    std::string bytes = saved(world);
    CHECK(fault_of(bytes, world).empty());
    write_number(bytes, "ROWS", kFirstRow + 4, 0);
    CHECK(says(fault_of(bytes, world), "the entity with index 0 has no row, or has two"));
  }
  TEST_CASE("an entity that is not there, or has a row elsewhere, is refused") {
    World world;
    const Entity parent = world.create();
    world.create(child_of(parent), Marked{});
    world.destroy(world.create());
    for (const std::uint32_t wrong : {1u, 2u, 3u, ~0u}) {
      std::string bytes = saved(world);
      write_number(bytes, "ROWS", kFirstRow, wrong);
      CHECK(!fault_of(bytes, world).empty());
    }
    std::string bytes = saved(world);
    const std::size_t second = bytes.find("ROWS", bytes.find("ROWS") + 1);
    bytes[second + 20 + kFirstRow + 1] = 0;  // There is one component.
    CHECK(says(fault_of(bytes, world), "the entity with index 0 has no row, or has two"));
  }
  TEST_CASE(
      "children that are not alive, that have a parent already, or are their own ancestors, are refused") {
    World world;
    const Entity parent = world.create();
    const Entity child = world.create(child_of(parent));
    world.create(child_of(child));
    world.destroy(world.create());
    std::string bytes = saved(world);
    CHECK(fault_of(bytes, world).empty());
    for (const std::uint32_t wrong : {0u, 2u, 3u, 4u, ~0u}) {
      bytes = saved(world);
      write_number(bytes, "TREE", kFirstChild, wrong);
      CHECK(says(fault_of(bytes, world), "is no child, or is one twice"));
    }
    bytes = saved(world);
    write_number(bytes, "TREE", kFirstChild + 10, 0);  // The child of the child is its parent.
    CHECK(says(fault_of(bytes, world), "is its own ancestor"));
  }
  TEST_CASE("a cycle of a relation that may have none is refused, and two entities are named") {
    const std::string fault = fault_of_pairs({.acyclic = true}, {{0, 1}, {1, 2}, {2, 0}});
    CHECK(says(fault, "the pairs of \"requires\" form a cycle: it contains the one from entity "));
    CHECK(says(fault, " to entity "));
  }
  TEST_CASE("a second pair of an entity in an exclusive relation is refused") {
    CHECK(fault_of_pairs({.exclusive = true}, {{0, 1}, {2, 1}}).empty());
    CHECK(says(fault_of_pairs({.exclusive = true}, {{0, 1}, {0, 2}}),
               "has a pair of \"requires\" that cannot be"));
    CHECK(says(fault_of_pairs({.exclusive = true, .symmetric = true}, {{0, 1}, {2, 1}}), "that cannot be"));
  }
  TEST_CASE("many pairs of a relation without cycles are checked together") {
    constexpr std::uint32_t kPairs = 100'000;
    World world;
    std::vector<Entity> entities(kPairs + 1);
    world.create_many(entities);
    // A chain whose entities have their indices in any order. It is added from its end, which is the cheap way.
    const auto at = [&](std::uint64_t i) { return entities[i * 7'919 % entities.size()]; };
    for (std::uint32_t i = kPairs; i-- > 0;) world.relations().add<Requires>(at(i), at(i + 1));
    FailingMemory memory;
    const LoadedWorld copy = loaded(saved(world), world, &memory);
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    CHECK(digest(copy.world) == digest(world));
    CHECK(memory.allocations() < kPairs / 10);  // Each search for a cycle takes memory.
  }
  TEST_CASE("no hook is called for the entities of a file that is refused, or whose entities are read") {
    World known;
    (void)known.component<Body>();
    const std::string bytes = [] {
      World world;
      world.create(Body{7});
      return saved(world);
    }();
    hooks_called = 0;
    std::istringstream cut(bytes.substr(0, bytes.size() - 4));
    CHECK(!load(cut, known).outcome);
    CHECK(hooks_called == 0);
    {
      const LoadedWorld whole = loaded(bytes, known);
      REQUIRE(whole.outcome);
      CHECK(hooks_called == 0);
    }
    CHECK(hooks_called == 1);  // The entity ends with its world, as those that the program creates.
  }
}

}  // namespace strata::test::wrong_files_test
