#include "../../storage/rows/row_reorder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rows_fixture.hpp"

namespace strata::test::reformat_test {

using namespace detail;

namespace {

struct Fixture : RowsFixture {
  /// Lays a table's rows out anew in that order, so many at a time.
  void lay_out(Table& table, const std::vector<Entity>& order, std::size_t at_a_time) {
    RowReorder row_reorder(store.rows(), table, table.row_count());
    for (std::size_t first = 0; first < order.size(); first += at_a_time) {
      std::vector<std::uint32_t> indices;
      std::vector<Place> places;
      for (std::size_t i = first; i < std::min(first + at_a_time, order.size()); ++i) {
        indices.push_back(order[i].index());
        places.push_back(store.slots().place_of(order[i].index()));
      }
      row_reorder.take(indices, places);
    }
    row_reorder.finish();
  }

  std::vector<Entity> rows_of(const Table& table) const {
    std::vector<Entity> rows;
    for (const Block* block = table.first_block(); block != nullptr; block = block->next) {
      const Entity* const entities = block->format->entities(*block);
      rows.insert(rows.end(), entities, entities + block->count);
    }
    return rows;
  }

  /// Creates rows with one value each, lays them out backwards, and compares the values.
  template <class T>
  void check_values_follow(int count) {
    Archetype& archetype = this->archetype<T>();
    const ComponentId id = store.registry().id_of<T>();
    std::vector<Entity> order;
    for (int i = 0; i < count; ++i) {
      order.push_back(create(archetype));
      ::new (store.find(order.back(), id)) T(make_value<T>(i));
    }
    const std::vector<Entity> created = order;
    std::reverse(order.begin(), order.end());
    lay_out(table(archetype), order, 7);
    CHECK(rows_of(table(archetype)) == order);
    for (int i = 0; i < count; ++i) {
      const Entity entity = created[static_cast<std::size_t>(i)];
      CHECK(number_in(*static_cast<const T*>(store.find(entity, id))) == i);
    }
    CHECK(store.check_invariants() == "");
  }
};

template <std::size_t size>
struct Bytes {
  std::array<std::byte, size> bytes{};
};
template <std::size_t size>
int number_in(const Bytes<size>& value) {
  return static_cast<int>(value.bytes.front()) == static_cast<int>(value.bytes.back())
             ? static_cast<int>(value.bytes.front())
             : -1;
}

}  // namespace

}  // namespace strata::test::reformat_test

namespace strata::test {

template <>
reformat_test::Bytes<16> make_value<reformat_test::Bytes<16>>(int number) {
  reformat_test::Bytes<16> value;
  value.bytes.fill(static_cast<std::byte>(number));
  return value;
}
template <>
reformat_test::Bytes<48> make_value<reformat_test::Bytes<48>>(int number) {
  reformat_test::Bytes<48> value;
  value.bytes.fill(static_cast<std::byte>(number));
  return value;
}
template <>
reformat_test::Bytes<50> make_value<reformat_test::Bytes<50>>(int number) {
  reformat_test::Bytes<50> value;
  value.bytes.fill(static_cast<std::byte>(number));
  return value;
}

}  // namespace strata::test

namespace strata::test::reformat_test {

TEST_SUITE("storage/row_reorder") {
  TEST_CASE_FIXTURE(Fixture, "values of every kind and size come into the new order with their entities") {
    check_values_follow<Health>(20);
    check_values_follow<Counted>(20);
    check_values_follow<Wide>(20);
    check_values_follow<Bytes<16>>(20);
    check_values_follow<Bytes<48>>(20);
    check_values_follow<Bytes<50>>(20);
  }
  TEST_CASE_FIXTURE(Fixture, "a table of several blocks, some of them not full, keeps no block too many") {
    check_values_follow<Huge>(100);
    Table& laid_out = table(archetype<Huge>());
    CHECK(laid_out.block_count() > 1);
    const std::vector<Entity> rows = rows_of(laid_out);
    for (std::size_t i = 0; i < 60; ++i) store.destroy(rows[i]);
    std::vector<Entity> order = rows_of(laid_out);
    std::sort(order.begin(), order.end());
    lay_out(laid_out, order, 3);
    CHECK(rows_of(laid_out) == order);
    CHECK(store.check_invariants() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "moves are counted as a change of the rank, and not logged") {
    Archetype& archetype = this->archetype<Health>();
    std::vector<Entity> order{create(archetype), create(archetype)};
    store.rows().changes().ranks().clear();
    store.rows().changes().moved().clear();
    const std::uint64_t changes = store.rows().changes().count();
    std::swap(order[0], order[1]);
    lay_out(table(archetype), order, 2);
    CHECK(store.rows().changes().count() != changes);
    CHECK(store.rows().changes().ranks().contains(0));
    CHECK(store.rows().changes().moved().empty());
  }
  TEST_CASE_FIXTURE(Fixture, "memory that runs out leaves the table as it was") {
    Archetype& archetype = this->archetype<Huge>();
    std::vector<Entity> order;
    for (int i = 0; i < 100; ++i) order.push_back(create(archetype));
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { lay_out(table(archetype), order, 32); },
        [&] { CHECK(store.check_invariants() == ""); });
    CHECK(failures > 0);
    CHECK(rows_of(table(archetype)) == order);
    CHECK(store.check_invariants() == "");
  }
}

}  // namespace strata::test::reformat_test
