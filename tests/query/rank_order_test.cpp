#include "../../query/matching/rank_order.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../../storage/store.hpp"

namespace strata::test::rank_order_test {

using namespace detail;

namespace {

using Visits = std::vector<std::pair<std::uint32_t, std::size_t>>;  // rank, archetype

Visits visits(std::span<Archetype* const> archetypes, Order order) {
  Visits visits;
  for (RankOrder at(archetypes, order); !at.at_end(); at.next()) {
    CHECK(at.tables().size() == 1);
    visits.emplace_back(at.rank(), at.archetype());
  }
  return visits;
}

}  // namespace

TEST_SUITE("query/rank_order") {
  TEST_CASE("lists of many archetypes come by rank, then by archetype, and back by falling rank") {
    for (const std::size_t count : {0u, 1u, 2u, 3u, 4u, 5u, 60u}) {
      Store store(std::pmr::new_delete_resource());
      std::mt19937 random(7);
      std::vector<Archetype*> archetypes;
      std::set<std::pair<std::uint32_t, std::size_t>> model;
      std::vector<Branch*> branches;
      for (std::uint32_t rank = 0; rank < 300; ++rank)
        branches.push_back(&store.tables().create_branch(rank, 0));
      for (std::size_t i = 0; i < count; ++i) {
        const ComponentId tag = store.registry().add({.name = "tag " + std::to_string(i)});
        archetypes.push_back(&store.archetypes().with(store.archetypes().empty(), tag));
        for (int tables = static_cast<int>(random() % 20); tables > 0; --tables) {
          const std::uint32_t rank = random() % 300;
          store.create_row(*archetypes.back(), *branches[rank]);
          model.emplace(rank, i);
        }
      }
      CHECK(visits(archetypes, Order::down) == Visits(model.begin(), model.end()));
      Visits falling;
      for (std::uint32_t rank = 300; rank-- > 0;) {
        for (auto at = model.lower_bound({rank, 0}); at != model.end() && at->first == rank; ++at) {
          falling.push_back(*at);
        }
      }
      CHECK(visits(archetypes, Order::up) == falling);
    }
  }
}

}  // namespace strata::test::rank_order_test
