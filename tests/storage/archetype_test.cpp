#include "../../storage/archetype.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "../../storage/store.hpp"
#include "../support/components.hpp"

using namespace strata;
using namespace strata::test;

namespace {

using Labels = std::vector<std::uint32_t>;

struct Fixture {
  Store store{std::pmr::new_delete_resource()};
  Archetype& archetype = store.archetypes().empty();

  Branch& branch(std::uint32_t rank, std::uint32_t label) {
    return store.tables().create_branch(rank, label);
  }
  Entity create(Branch& branch) {
    const Place place = store.create(archetype, branch);
    return archetype.layout().entities(*place.block)[place.row];
  }
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
  TEST_CASE_FIXTURE(Fixture, "a rank for which there is no table has an empty list") {
    create(branch(4, 1));
    CHECK(archetype.rank_count() == 5);
    CHECK(labels_at(3).empty());
    CHECK(labels_at(4).size() == 1);
    CHECK(labels_at(99).empty());
  }
}
