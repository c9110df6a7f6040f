#include "../../storage/rows/row_selection.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "../../storage/store.hpp"
#include "../support/components.hpp"
#include "../support/failing_memory.hpp"

namespace strata::test::row_selection_test {

using namespace detail;

namespace {

/// A store with two tables, one of several blocks.
struct Subject {
  FailingMemory memory;
  Store store{&memory};
  std::vector<Entity> entities;

  Subject() {
    const ComponentId health = store.registry().id_of<Health>();
    Archetype& large = store.archetypes().with(store.archetypes().empty(), health);
    const std::uint32_t full = large.format().full_capacity();
    for (std::uint32_t i = 0; i < 2 * full + 100; ++i)
      create(i % 100 == 7 ? store.archetypes().empty() : large, i);
  }
  void create(Archetype& archetype, std::uint32_t number) {
    const NewRow row = store.create_row(archetype, store.tables().root());
    const ComponentId health = store.registry().id_of<Health>();
    if (archetype.format().contains(health))
      ::new (store.find(row.entity, health)) Health{static_cast<int>(number)};
    entities.push_back(row.entity);
  }
  Place place(Entity entity) const { return store.slots().find(entity); }
};

using Rows = std::vector<std::pair<const Block*, std::uint32_t>>;

/// Returns: the rows of all runs, after checking that runs are as long as they can be.
Rows listed(RowSelection& selection, bool backwards) {
  Rows rows;
  for (const RowSelection::Part& part : selection.parts()) {
    Rows of_part;
    Place before{nullptr, 0};
    const auto visit = [&](Place first, std::uint32_t count) {
      CHECK(count != 0);
      CHECK((before.block != first.block ||
             (backwards ? first.row + count < before.row : before.row < first.row)));
      before = {first.block, backwards ? first.row : first.row + count};
      for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t row = backwards ? first.row + count - 1 - i : first.row + i;
        of_part.emplace_back(first.block, row);
      }
    };
    backwards ? selection.for_each_run_backwards(part, visit) : selection.for_each_run(part, visit);
    CHECK(of_part.size() == part.count);
    if (backwards) std::reverse(of_part.begin(), of_part.end());
    rows.insert(rows.end(), of_part.begin(), of_part.end());
  }
  return rows;
}

}  // namespace

TEST_SUITE("storage/row_selection") {
  TEST_CASE("rows come out in the order of their tables, whatever the order in which they were added") {
    Subject subject;
    for (const std::size_t count : {0u, 1u, 63u, 64u, 65u, 1000u, 20'000u}) {
      std::vector<Entity> chosen = subject.entities;
      std::shuffle(chosen.begin(), chosen.end(), std::mt19937(static_cast<unsigned>(count)));
      chosen.resize(std::min(count, chosen.size()));
      RowSelection selection(&subject.memory);
      std::map<const Table*, std::vector<std::uint32_t>> expected;
      for (const Entity entity : chosen) {
        CHECK(selection.add(subject.place(entity)));
        CHECK(!selection.add(subject.place(entity)));
      }
      selection.arrange();
      CHECK(selection.size() == chosen.size());
      // All rows of a table were appended in the order of the entities.
      std::sort(chosen.begin(), chosen.end());
      Rows in_order;
      for (const RowSelection::Part& part : selection.parts()) {
        for (const Entity entity : chosen) {
          const Place place = subject.place(entity);
          if (&table_of(*place.block) == part.table) in_order.emplace_back(place.block, place.row);
        }
      }
      CHECK(listed(selection, false) == in_order);
      CHECK(listed(selection, true) == in_order);
    }
  }
  TEST_CASE("runs are added as a whole, over rows that are there already, too") {
    Subject subject;
    Block& block = *subject.place(subject.entities.front()).block;
    RowSelection selection(&subject.memory);
    selection.add(RowRun{&block, 10, 1});
    selection.add(RowRun{&block, 60, 70});
    CHECK(selection.size() == 71);
    selection.add(RowRun{&block, 0, 64});
    CHECK(selection.size() == 130);
    selection.add(RowRun{&block, 128, 64});
    CHECK(selection.size() == 192);
    selection.add(RowRun{&block, block.count - 1, 1});
    selection.arrange();
    CHECK(listed(selection, false).size() == 193);
  }
  TEST_CASE("rows that are added after the first grouping are grouped anew") {
    Subject subject;
    RowSelection selection(&subject.memory);
    selection.add(subject.place(subject.entities[0]));
    selection.arrange();
    CHECK(selection.parts().size() == 1);
    for (const Entity entity : subject.entities) selection.add(subject.place(entity));
    selection.arrange();
    CHECK(selection.parts().size() == 2);
    CHECK(listed(selection, true).size() == subject.entities.size());
  }
  TEST_CASE("out of memory is passed on, and nothing is leaked") {
    Subject subject;
    const std::size_t failures = sweep_out_of_memory(
        subject.memory,
        [&] {
          RowSelection selection(&subject.memory);
          for (const Entity entity : subject.entities) selection.add(subject.place(entity));
          selection.arrange();
        },
        [] {});
    CHECK(failures > 3);
  }
}

}  // namespace strata::test::row_selection_test
