#include "../../storage/tables/archetype.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "../../storage/store.hpp"
#include "../support/components.hpp"
#include "../support/failing_memory.hpp"

namespace strata::test::archetype_test {

using namespace detail;

namespace {

using Labels = std::vector<std::uint32_t>;

struct Fixture {
  Store store{std::pmr::new_delete_resource()};
  Archetype& archetype = store.archetypes().empty();

  Branch& branch(std::uint32_t rank, std::uint32_t label) {
    return store.tables().create_branch(rank, label);
  }
  Entity create(Branch& branch) { return store.create_row(archetype, branch).entity; }
  Labels labels_at(std::uint32_t rank) const {
    Labels labels;
    for (const Block* block : archetype.at_rank(rank)) labels.push_back(table_of(*block).branch().label);
    return labels;
  }
};

}  // namespace

TEST_SUITE("storage/archetype") {
  TEST_CASE_FIXTURE(Fixture, "tables of a rank are listed in the order in which they were filled") {
    Branch& first = branch(1, 1);
    Branch& second = branch(1, 2);
    Branch& third = branch(1, 3);
    create(second);
    const Entity entity = create(first);
    create(third);
    CHECK((labels_at(1) == Labels{2, 1, 3}));
    store.destroy(entity);
    CHECK((labels_at(1) == Labels{2, 3}));
    create(first);
    CHECK((labels_at(1) == Labels{2, 3, 1}));
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Fixture, "a table that leaves its rank is replaced in the list by the last one") {
    std::vector<Entity> entities;
    for (std::uint32_t label = 1; label <= 4; ++label) entities.push_back(create(branch(1, label)));
    store.destroy(entities[1]);
    CHECK((labels_at(1) == Labels{1, 4, 3}));
    store.destroy(entities[3]);
    CHECK((labels_at(1) == Labels{1, 3}));
    store.destroy(entities[2]);
    store.destroy(entities[0]);
    CHECK(labels_at(1).empty());
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Fixture,
                    "a table that outgrows its block is listed with the new one, in its old position") {
    Branch& growing = branch(1, 1);
    create(growing);
    create(branch(1, 2));
    const Block* const before = archetype.at_rank(1)[0];
    while (archetype.at_rank(1)[0] == before) create(growing);
    CHECK((labels_at(1) == Labels{1, 2}));
    CHECK(archetype.at_rank(1)[0] == table_of(*archetype.at_rank(1)[0]).first_block());
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE("a branch of another rank leaves one list for the other, as promised") {
    FailingMemory memory;
    Store owned(&memory);
    Branch& moving = owned.tables().create_branch(1, 1);
    owned.create_row(owned.archetypes().empty(), moving);
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { owned.tables().reserve_rank(moving, 9); },
        [&] { CHECK(owned.check_invariants().empty()); });
    CHECK(failures > 0);
    memory.fail_at(1);
    owned.tables().set_rank(moving, 9);
    memory.never_fail();
    CHECK(owned.archetypes().empty().at_rank(1).empty());
    CHECK(owned.archetypes().empty().at_rank(9).size() == 1);
    CHECK(owned.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Fixture, "a rank for which there is no table has an empty list") {
    create(branch(4, 1));
    CHECK(archetype.rank_count() == 5);
    CHECK(labels_at(3).empty());
    CHECK(labels_at(4).size() == 1);
    CHECK(labels_at(99).empty());
  }
}

}  // namespace strata::test::archetype_test
