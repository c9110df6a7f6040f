#include "../../storage/changes/changed_ranks.hpp"

#include <doctest/doctest.h>

#include <set>

#include "../support/failing_memory.hpp"
#include "rows_fixture.hpp"

namespace strata::test::changed_ranks_test {

using namespace detail;

namespace {

std::set<std::uint32_t> listed(const ChangedRanks& ranks) {
  std::set<std::uint32_t> list;
  for (std::uint32_t rank = ranks.next(0); rank != ChangedRanks::kNone; rank = ranks.next(rank + 1)) {
    list.insert(rank);
  }
  return list;
}

}  // namespace

TEST_SUITE("storage/changed_ranks") {
  TEST_CASE("recorded ranks are found in their order, until they are erased") {
    ChangedRanks ranks(std::pmr::new_delete_resource());
    CHECK(ranks.empty());
    CHECK(ranks.next(0) == ChangedRanks::kNone);
    ranks.reserve(1000);
    std::set<std::uint32_t> model;
    for (std::uint32_t i = 0; i < 400; ++i) {
      const std::uint32_t rank = i * i * 7 % 1000;
      if (i % 3 != 2) {
        ranks.note(rank);
        model.insert(rank);
      } else {
        const std::uint32_t erased = model.count(rank) != 0 || model.empty() ? rank : *model.begin();
        ranks.erase(erased);
        model.erase(erased);
      }
      REQUIRE(listed(ranks) == model);
      REQUIRE(ranks.empty() == model.empty());
      REQUIRE(ranks.contains(rank) == (model.count(rank) != 0));
    }
    while (!model.empty()) {
      ranks.erase(*model.rbegin());
      model.erase(*model.rbegin());
      REQUIRE(listed(ranks) == model);
    }
    CHECK(ranks.empty());
  }
  TEST_CASE("a rank without room stands for all, until the set is cleared") {
    ChangedRanks ranks(std::pmr::new_delete_resource());
    ranks.note(3);
    CHECK(ranks.has_all());
    CHECK(!ranks.empty());
    CHECK(ranks.contains(100'000));
    ranks.clear();
    CHECK(ranks.empty());
    CHECK(!ranks.contains(3));
  }
  TEST_CASE("making room that fails changes nothing") {
    FailingMemory memory;
    ChangedRanks ranks(&memory);
    ranks.reserve(10);
    ranks.note(7);
    CHECK(sweep_out_of_memory(
              memory, [&] { ranks.reserve(10'000); }, [&] { CHECK(listed(ranks) == std::set{7u}); }) == 1);
    CHECK(listed(ranks) == std::set{7u});
  }
  TEST_CASE_FIXTURE(RowsFixture,
                    "the first change of a watched block's rows notes its rank, later ones do not") {
    ChangedRanks& changed = store.rows().changes().ranks();
    const Entity entity = create(archetype<Counted>(), 1);
    CHECK(listed(changed) == std::set{0u});
    changed.erase(0);
    create(archetype<Counted>(), 2);
    CHECK(changed.empty());
    RowChanges::watch(*store.slots().find(entity).block);
    store.destroy(entity);
    CHECK(listed(changed) == std::set{0u});
  }
  TEST_CASE_FIXTURE(RowsFixture, "a table that is cleared or re-parented notes its rank") {
    ChangedRanks& changed = store.rows().changes().ranks();
    create(archetype<Counted>(), 1);
    changed.clear();
    store.rows().clear(table(archetype<Counted>()));
    CHECK(listed(changed) == std::set{0u});
  }
}

}  // namespace strata::test::changed_ranks_test
