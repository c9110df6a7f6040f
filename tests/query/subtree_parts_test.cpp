#include "../../query/parallel/subtree_parts.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "../support/components.hpp"

namespace strata::test::subtree_parts_test {

using namespace detail;

TEST_SUITE("query/subtree_parts") {
  TEST_CASE("the last part has all further rows if a depth has more than were estimated") {
    Store store{std::pmr::new_delete_resource()};
    const ComponentId position = store.registry().id_of<Position>();
    Archetype& archetype = store.archetypes().with(store.archetypes().empty(), position);
    constexpr std::uint32_t kRows = 1'000;
    for (std::uint32_t i = 0; i < kRows; ++i) store.create_row(archetype, store.tables().root());
    const Term term{Role::value, position};
    Matcher matcher(store, std::span(&term, 1), nullptr);
    matcher.refresh();
    const std::span<Block* const> tables = archetype.ranks().first().tables();
    const TablePiece all{tables, 0, 0, 0, static_cast<std::uint32_t>(tables.size()), nullptr, 0, 0};
    for (const std::size_t estimate : {0u, 2u, kRows - 100, kRows, kRows + 100}) {
      CAPTURE(estimate);
      SubtreeParts parts(matcher);
      parts.begin(std::span(&all, 1), estimate, 4);
      REQUIRE(parts.parts() == 4);
      CHECK(parts.part_rows()[0] == estimate / 4);
      CHECK(std::accumulate(parts.part_rows().begin(), parts.part_rows().end(), std::size_t{0}) == kRows);
      for (const PartPiece& piece : parts.pieces()) CHECK(piece.part < 4);
    }
  }
}

}  // namespace strata::test::subtree_parts_test
