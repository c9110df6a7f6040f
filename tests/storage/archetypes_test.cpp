#include "../../storage/tables/archetypes.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"

namespace strata::test::archetypes_test {

using namespace detail;

namespace {

struct Fixture {
  FailingMemory memory;
  Registry registry{&memory};
  Archetypes archetypes{registry, &memory};
  ComponentId position = registry.id_of<Position>();
  ComponentId velocity = registry.id_of<Velocity>();

  Archetype& get(std::vector<ComponentId> ids) { return archetypes.get(Signature(ids, &memory)); }
};

}  // namespace

TEST_SUITE("storage/archetypes") {
  TEST_CASE_FIXTURE(Fixture, "there is one archetype per signature, numbered in order of creation") {
    CHECK(archetypes.empty().id() == 0);
    CHECK(get({position, velocity}).id() == 1);
    CHECK(get({velocity, position}).id() == 1);
    CHECK(get({velocity}).id() == 2);
    CHECK(&get({}) == &archetypes.empty());
    CHECK(archetypes.all().size() == 3);
  }
  TEST_CASE_FIXTURE(Fixture, "edges lead to the neighbours, and back") {
    Archetype& one = archetypes.with(archetypes.empty(), position);
    CHECK(&one == &get({position}));
    CHECK(&archetypes.with(one, position) == &one);
    CHECK(&archetypes.without(one, position) == &archetypes.empty());
    CHECK(&archetypes.without(one, velocity) == &one);
    CHECK(archetypes.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Fixture, "a component lists the archetypes that have it, in order of creation") {
    Archetype& both = get({position, velocity});
    Archetype& one = get({velocity});
    const auto list = archetypes.with_component(velocity);
    CHECK(std::vector<Archetype*>(list.begin(), list.end()) == std::vector<Archetype*>{&both, &one});
    CHECK(archetypes.with_component(position).size() == 1);
    CHECK(archetypes.with_component(ComponentId{99}).empty());
  }
  TEST_CASE_FIXTURE(Fixture, "what stays as it is of archetypes shares allocations") {
    std::vector<Signature> wanted;
    for (int i = 0; i < 200; ++i) {
      const ComponentId tag = registry.add({.name = std::to_string(i)});
      wanted.emplace_back(std::array{position, velocity, tag}, std::pmr::new_delete_resource());
    }
    const std::size_t before = memory.allocations();
    for (const Signature& signature : wanted) archetypes.get(signature);
    CHECK(archetypes.all().size() == 201);
    CHECK(memory.allocations() - before < 50);
    CHECK(archetypes.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Fixture,
                    "the memory of an archetype depends on its components and edges, not on their ids") {
    std::vector<ComponentId> tags;
    for (int i = 0; i < 20'000; ++i) tags.push_back(registry.add({.name = std::to_string(i)}));
    const std::size_t before = memory.bytes();
    for (const ComponentId tag : tags) {
      Archetype& archetype = archetypes.with(archetypes.empty(), tag);
      archetypes.without(archetype, tag);
    }
    CHECK(archetypes.all().size() == 20'001);
    CHECK((memory.bytes() - before) / 20'000 < 1024);
    CHECK(archetypes.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Fixture, "out of memory leaves the archetypes as they were") {
    std::vector<ComponentId> ids{position, velocity};
    for (int i = 0; i < 60; ++i) ids.push_back(registry.add({.name = std::to_string(i), .size = 4}));
    const Signature wanted(ids, std::pmr::new_delete_resource());
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { archetypes.get(wanted); },
        [&] {
          CHECK(archetypes.all().size() == 1);
          CHECK(archetypes.with_component(position).empty());
          CHECK(archetypes.check_invariants().empty());
        });
    CHECK(failures > 3);
    CHECK(archetypes.all().size() == 2);
    CHECK(archetypes.check_invariants().empty());
  }
}

}  // namespace strata::test::archetypes_test
