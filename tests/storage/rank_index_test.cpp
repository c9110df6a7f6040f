#include "../../storage/tables/rank_index.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../storage/store.hpp"
#include "../support/failing_memory.hpp"

using namespace strata;
using namespace strata::test;

namespace {

struct Fixture {
  FailingMemory memory;
  Store store{&memory};
  std::vector<Archetype*> made;

  explicit Fixture(int archetypes = 8) {
    for (int i = 0; i < archetypes; ++i) {
      ComponentInfo tag;
      tag.name = "tag " + std::to_string(i);
      made.push_back(&store.archetypes().with(store.archetypes().empty(), store.registry().add(tag)));
    }
  }

  Entity create(Archetype& archetype, std::uint32_t rank) {
    return store.create_row(archetype, store.tables().create_branch(rank, 0)).entity;
  }

  std::vector<Archetype*> at(std::uint32_t rank) const {
    const std::span<Archetype* const> found = store.archetypes().at_rank(rank);
    return {found.begin(), found.end()};
  }

  /// Returns: the archetypes with rows of a rank, found by a look at each.
  std::vector<Archetype*> with_rows(std::uint32_t rank) const {
    std::vector<Archetype*> found;
    for (Archetype* archetype : store.archetypes().all()) {
      if (!archetype->at_rank(rank).empty()) found.push_back(archetype);
    }
    return found;
  }
};

}  // namespace

TEST_SUITE("storage/rank_index") {
  TEST_CASE_FIXTURE(Fixture, "a rank has the archetypes with rows there, in order of creation") {
    for (const std::size_t i : {5, 1, 7, 3}) create(*made[i], 2);
    create(*made[4], 3);
    CHECK((at(2) == std::vector<Archetype*>{made[1], made[3], made[5], made[7]}));
    CHECK((at(3) == std::vector<Archetype*>{made[4]}));
    CHECK(at(1).empty());
    CHECK(at(200'000).empty());
  }
  TEST_CASE_FIXTURE(Fixture, "an archetype whose only list is used for another rank changes its rank") {
    store.destroy(create(*made[0], 5));
    create(*made[0], 9);
    CHECK(at(5).empty());
    CHECK((at(9) == std::vector<Archetype*>{made[0]}));
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Fixture, "archetypes that lose their rows leave, all of them once room is given back") {
    std::vector<Entity> entities;
    for (Archetype* archetype : made) {
      entities.push_back(create(*archetype, 4));
      entities.push_back(create(*archetype, 6));
    }
    for (const Entity entity : entities) store.destroy(entity);
    CHECK((at(4).size() + at(6).size() <= made.size()));  // Each may keep one list.
    for (Archetype* archetype : made) archetype->shrink();
    CHECK((at(4).empty() && at(6).empty()));
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Fixture, "no archetype with rows of a rank is missing, whatever comes and goes") {
    std::mt19937 random(5);
    std::vector<Entity> entities;
    for (int turn = 0; turn < 2000; ++turn) {
      if (random() % 2 == 0 || entities.empty()) {
        entities.push_back(create(*made[random() % made.size()], random() % 5 * 70));
      } else {
        std::swap(entities[random() % entities.size()], entities.back());
        store.destroy(entities.back());
        entities.pop_back();
      }
      const std::uint32_t rank = random() % 5 * 70;
      const std::vector<Archetype*> found = at(rank);
      const std::vector<Archetype*> expected = with_rows(rank);
      const auto older = [](const Archetype* a, const Archetype* b) { return a->id() < b->id(); };
      REQUIRE(std::includes(found.begin(), found.end(), expected.begin(), expected.end(), older));
    }
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Fixture, "a list that finds no memory is not in the index") {
    create(*made[0], 3);
    create(*made[1], 3);
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { create(*made[2], 3); },
        [&] {
          CHECK(std::ranges::count(at(3), made[2]) == 0);
          CHECK(store.check_invariants().empty());
        });
    CHECK(failures > 0);
    CHECK((at(3) == std::vector<Archetype*>{made[0], made[1], made[2]}));
  }
}
