#include "../../storage/tables/rank_lists.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <utility>
#include <vector>

#include "../../storage/store.hpp"
#include "../support/failing_memory.hpp"

namespace strata::test::rank_lists_test {

using namespace detail;

namespace {

struct Fixture {
  FailingMemory memory;
  Store store{&memory};
  Archetype& archetype = store.archetypes().empty();

  Entity create(std::uint32_t rank) {
    return store.create_row(archetype, store.tables().create_branch(rank, 0)).entity;
  }

  using Listed = std::vector<std::pair<std::uint32_t, std::size_t>>;  // rank, tables

  Listed upwards() const {
    Listed listed;
    for (auto at = archetype.ranks().first(); !at.at_end(); at.next()) {
      listed.emplace_back(at.rank(), at.tables().size());
    }
    return listed;
  }
  Listed downwards() const {
    Listed listed;
    for (auto at = archetype.ranks().last(); !at.at_end(); at.previous()) {
      listed.emplace_back(at.rank(), at.tables().size());
    }
    return listed;
  }
};

}  // namespace

TEST_SUITE("storage/rank_lists") {
  TEST_CASE_FIXTURE(Fixture, "a table of rank 200,000 takes as much memory as one of rank 0") {
    const Entity low = create(0);
    const MemoryUse at_zero = archetype.ranks().memory_use();
    store.destroy(low);
    create(200'000);
    CHECK(archetype.ranks().memory_use() == at_zero);
    CHECK(at_zero.reserved < 64);
  }
  TEST_CASE_FIXTURE(Fixture, "memory for lists goes with the last table of a rank") {
    std::vector<Entity> entities;
    for (std::uint32_t rank = 0; rank < 1000; ++rank) entities.push_back(create(rank));
    CHECK(archetype.ranks().memory_use().reserved < 1000 * 40);
    for (const Entity entity : entities) store.destroy(entity);
    CHECK(archetype.ranks().memory_use().used == 0);
    CHECK(archetype.ranks().memory_use().reserved < 1000);
    store.archetypes().empty().shrink();
    CHECK(archetype.ranks().memory_use().reserved == 0);
  }
  TEST_CASE_FIXTURE(Fixture, "the only list is used again for another rank") {
    store.destroy(create(3));
    const MemoryUse kept = archetype.ranks().memory_use();
    CHECK(kept.used == 0);
    CHECK(upwards().empty());
    CHECK(downwards().empty());
    create(200);
    CHECK(archetype.ranks().memory_use().reserved == kept.reserved);
    CHECK((upwards() == Listed{{200, 1}}));
    CHECK(archetype.at_rank(3).empty());
    create(3);
    CHECK((upwards() == Listed{{3, 1}, {200, 1}}));
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Fixture, "lists are in order of rank, whatever the order of their tables") {
    for (const std::uint32_t rank : {64u, 5u, 4'000'000'000u, 63u, 5u, 0u, 1000u, 65u}) create(rank);
    const Listed rising{{0, 1}, {5, 2}, {63, 1}, {64, 1}, {65, 1}, {1000, 1}, {4'000'000'000u, 1}};
    CHECK(upwards() == rising);
    CHECK((downwards() == Listed(rising.rbegin(), rising.rend())));
    CHECK(archetype.at_rank(5).size() == 2);
    CHECK(archetype.at_rank(6).empty());
    CHECK(archetype.at_rank(999).empty());
    CHECK(archetype.at_rank(4'000'000'001u).empty());
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Fixture, "lists behave like a map of ranks to tables") {
    std::mt19937 random(1);
    std::map<std::uint32_t, std::size_t> model;
    std::vector<std::pair<Entity, std::uint32_t>> entities;
    for (int turn = 0; turn < 2000; ++turn) {
      // Dense and thin parts, growing first and shrinking at the end.
      if (entities.empty() || random() % 2000 > static_cast<unsigned>(turn)) {
        const std::uint32_t rank = random() % 2 == 0 ? random() % 200 : random() % 5000;
        entities.emplace_back(create(rank), rank);
        ++model[rank];
      } else {
        std::swap(entities[random() % entities.size()], entities.back());
        store.destroy(entities.back().first);
        const auto found = model.find(entities.back().second);
        if (--found->second == 0) model.erase(found);
        entities.pop_back();
      }
      if (turn % 16 == 0) REQUIRE(upwards() == Listed(model.begin(), model.end()));
      if (turn % 500 == 0) REQUIRE(store.check_invariants() == "");
    }
    CHECK((downwards() == Listed(model.rbegin(), model.rend())));
  }
  TEST_CASE_FIXTURE(Fixture, "out of memory leaves the lists as they were") {
    for (const std::uint32_t rank : {3u, 4u, 300u}) create(rank);
    for (const std::uint32_t rank : {5u, 100u, 3u}) {
      Branch& branch = store.tables().create_branch(rank, 0);
      const Listed before = upwards();
      const std::size_t failures = sweep_out_of_memory(
          memory, [&] { store.create_row(archetype, branch); },
          [&] {
            CHECK(upwards() == before);
            CHECK(store.check_invariants() == "");
          });
      CHECK(failures > 0);
      CHECK(upwards() != before);
    }
  }
  TEST_CASE_FIXTURE(Fixture, "a branch that can be given no other rank leaves no promise behind") {
    Branch& branch = store.tables().create_branch(1, 0);
    Archetype& other = store.archetypes().with(archetype, store.registry().add({.name = "tag"}));
    store.create_row(archetype, branch);
    store.create_row(other, branch);
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { store.tables().reserve_rank(branch, 7); },
        [&] { CHECK(store.check_invariants() == ""); });
    CHECK(failures > 0);
    store.tables().set_rank(branch, 7);
    CHECK((upwards() == Listed{{7, 1}}));
    CHECK(other.at_rank(7).size() == 1);
    CHECK(store.check_invariants() == "");
  }
}

}  // namespace strata::test::rank_lists_test
