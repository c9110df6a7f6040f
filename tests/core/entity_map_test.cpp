#include "../../core/entity_map.hpp"

#include <doctest/doctest.h>

#include <array>

namespace strata::test::entity_map_test {

TEST_SUITE("core/entity_map") {
  TEST_CASE("an entity of the subtree becomes its copy, and any other stays what it is") {
    const std::array originals{Entity(2, 1), Entity(0, 3)};
    const std::array copies{Entity(4, 1), Entity(5, 1)};
    const std::array<std::uint32_t, 3> positions{1, 77, 0};
    const EntityMap map(originals, copies, positions);
    CHECK(map(Entity(2, 1)) == Entity(4, 1));
    CHECK(map(Entity(0, 3)) == Entity(5, 1));
    CHECK(map(Entity(0, 2)) == Entity(0, 2));
    CHECK(map(Entity(1, 1)) == Entity(1, 1));
    CHECK(map(Entity(9, 1)) == Entity(9, 1));
    CHECK(map(Entity()) == Entity());
  }
}

}  // namespace strata::test::entity_map_test
