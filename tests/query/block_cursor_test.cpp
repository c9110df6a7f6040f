#include "../../query/batches/block_cursor.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "../support/components.hpp"

namespace strata::test::block_cursor_test {

using namespace detail;

namespace {

// Two archetypes with rows at ranks 0, 2 and 3, and one that has none.
struct Fixture {
  Store store{std::pmr::new_delete_resource()};
  ComponentId position = store.registry().id_of<Position>();
  ComponentId health = store.registry().id_of<Health>();
  Archetype& first = store.archetypes().with(store.archetypes().empty(), position);
  Archetype& none = store.archetypes().with(first, store.registry().id_of<Velocity>());
  Archetype& second = store.archetypes().with(first, health);

  Fixture() {
    Branch& two = store.tables().create_branch(2, 0);
    Branch& three = store.tables().create_branch(3, 0);
    store.create_row(first, three);
    store.create_row(first, store.tables().root());
    store.create_row(second, store.tables().root());
    store.create_row(second, two);
    store.create_row(second, three);
  }

  using Visits = std::vector<std::pair<std::size_t, std::uint32_t>>;  // match, rank

  Visits visits(const Selection& selection) const {
    const Term term{Role::value, position};
    const Matcher matcher(store, std::span(&term, 1), nullptr);
    BlockCursor cursor(matcher, selection);
    Visits visits;
    while (cursor.next()) visits.emplace_back(cursor.match(), table_of(cursor.block()).rank());
    for (int again = 0; again < 3; ++again) CHECK_FALSE(cursor.next());
    return visits;
  }
};

}  // namespace

TEST_SUITE("query/block_cursor") {
  TEST_CASE_FIXTURE(Fixture, "without an order, blocks come archetype by archetype") {
    CHECK((visits(Order::any) == Visits{{0, 0}, {0, 3}, {2, 0}, {2, 2}, {2, 3}}));
  }
  TEST_CASE_FIXTURE(Fixture, "downwards they come by rising rank, upwards by falling rank") {
    CHECK((visits(Order::down) == Visits{{0, 0}, {2, 0}, {2, 2}, {0, 3}, {2, 3}}));
    CHECK((visits(Order::up) == Visits{{0, 3}, {2, 3}, {2, 2}, {0, 0}, {2, 0}}));
  }
  TEST_CASE_FIXTURE(Fixture, "of some depths, the same blocks come in the same order, without the others") {
    for (const Order order : {Order::down, Order::up}) {
      for (std::uint32_t lowest = 0; lowest < 6; ++lowest) {
        for (const std::uint32_t last : {lowest, lowest + 1, lowest + 2, lowest + 7, 900u, Depths::kMost}) {
          Visits expected = visits(order);
          std::erase_if(expected, [&](const auto& at) { return at.second < lowest || at.second > last; });
          CHECK((visits(Selection(order).within(lowest, last)) == expected));
        }
      }
    }
    CHECK_THROWS_WITH_AS(Selection(Order::any).within(1, 1), doctest::Contains("cascade()"),
                         ContractViolation);
    CHECK_THROWS_WITH_AS(Selection(Order::down).within(3, 1), doctest::Contains("depths(3, 1)"),
                         ContractViolation);
  }
  TEST_CASE("where nothing matches, nothing is visited, and the end stays the end") {
    Store store(std::pmr::new_delete_resource());
    const Term term{Role::value, store.registry().id_of<Position>()};
    const Matcher matcher(store, std::span(&term, 1), nullptr);
    for (const Order order : {Order::any, Order::down, Order::up}) {
      BlockCursor cursor(matcher, order);
      CHECK_FALSE(cursor.next());
      CHECK_FALSE(cursor.next());
    }
  }
}

}  // namespace strata::test::block_cursor_test
