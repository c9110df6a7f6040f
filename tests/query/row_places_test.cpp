#include "../../query/filtering/row_places.hpp"

#include <doctest/doctest.h>

#include <memory_resource>
#include <utility>
#include <vector>

namespace strata::test::row_places_test {

using namespace detail;

namespace {

/// Entities and where they are; blocks have headers alone, as no value is read.
class Whereabouts {
 public:
  Whereabouts() : slots_(std::pmr::get_default_resource()) {}

  Entity place(Block& block, std::uint32_t row) {
    const Entity entity = slots_.reserve();
    slots_.place(entity.index(), {&block, row});
    return entity;
  }
  std::vector<Entity> place_all(Block& block, const std::vector<std::uint32_t>& rows) {
    std::vector<Entity> entities;
    for (const std::uint32_t row : rows) entities.push_back(place(block, row));
    return entities;
  }
  const Slots& slots() const { return slots_; }

 private:
  Slots slots_;
};

using Pairs = std::vector<std::pair<const Block*, std::uint32_t>>;

void set(RowPlaces& places, const Pairs& pairs) {
  places.set(static_cast<std::uint32_t>(pairs.size()), [&](std::uint32_t row) { return pairs[row]; });
}

/// Returns: where the stretches begin, and the last one ends.
std::vector<std::uint32_t> begins_of(const RowPlaces& places) {
  std::vector<std::uint32_t> begins;
  for (std::uint32_t stretch = 0; stretch <= places.stretches(); ++stretch)
    begins.push_back(places.begin(stretch));
  return begins;
}

}  // namespace

TEST_SUITE("query/row_places") {
  TEST_CASE("entities of one block are one stretch") {
    Whereabouts where;
    Block block{};
    const std::vector<Entity> entities = where.place_all(block, {4, 2, 3});
    RowPlaces places;
    REQUIRE(places.find_in(block, where.slots(), entities));
    CHECK(begins_of(places) == std::vector<std::uint32_t>{0, 3});
    CHECK(&places.block(0) == &block);
    CHECK(std::vector(places.block_rows(), places.block_rows() + 3) == std::vector<std::uint32_t>{4, 2, 3});
  }

  TEST_CASE("one entity elsewhere is enough for them not to be in one block") {
    Whereabouts where;
    Block block{};
    Block other{};
    std::vector<Entity> entities = where.place_all(block, {0, 1});
    entities.insert(entities.begin() + 1, where.place(other, 7));
    RowPlaces places;
    CHECK_FALSE(places.find_in(block, where.slots(), entities));
  }

  TEST_CASE("a stretch ends where the block changes, also when it comes again") {
    Block a{};
    Block b{};
    RowPlaces places;
    set(places, {{&a, 0}, {&a, 5}, {&b, 1}, {&a, 6}});
    CHECK(begins_of(places) == std::vector<std::uint32_t>{0, 2, 3, 4});
    set(places, {});
    CHECK(begins_of(places) == std::vector<std::uint32_t>{0});
  }

  TEST_CASE("what is kept stays in order and has stretches of its own") {
    Block a{};
    Block b{};
    RowPlaces places;
    set(places, {{&a, 0}, {&b, 1}, {&a, 2}, {&b, 3}});
    places.keep(std::vector<std::uint32_t>{0, 2, 3});
    CHECK(begins_of(places) == std::vector<std::uint32_t>{0, 2, 3});
    CHECK(&places.block(0) == &a);
    CHECK(&places.block(2) == &b);
    CHECK(std::vector(places.block_rows(), places.block_rows() + 3) == std::vector<std::uint32_t>{0, 2, 3});
  }

  TEST_CASE("a block that is all rows' is that of each once it is spread") {
    Block block{};
    RowPlaces places;
    places.set_in(block, 3, [](std::uint32_t row) { return 10 - row; });
    places.spread(3);
    for (std::uint32_t row = 0; row < 3; ++row) {
      CHECK(&places.block(row) == &block);
      CHECK(places.block_rows()[row] == 10 - row);
    }
  }

  TEST_CASE("rows are neighbours if each is behind the one before") {
    Block block{};
    RowPlaces places;
    const std::vector<std::uint32_t> rows{3, 4, 5, 7, 6, 8};
    places.set_in(block, 6, [&](std::uint32_t row) { return rows[row]; });
    CHECK(places.are_neighbours(0, 3));
    CHECK(places.are_neighbours(2, 3));
    CHECK_FALSE(places.are_neighbours(0, 4));
    CHECK_FALSE(places.are_neighbours(2, 6));  // The first and the last are as far apart as they should be.
  }
}

}  // namespace strata::test::row_places_test
