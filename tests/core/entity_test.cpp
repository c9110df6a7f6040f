#include "../../core/entity.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <set>
#include <sstream>
#include <unordered_set>

namespace strata::test::entity_test {

TEST_SUITE("core/entity") {
  TEST_CASE("a default-constructed handle names nothing") {
    CHECK(!Entity());
    CHECK(Entity() == Entity::from_bits(0));
    CHECK(to_string(Entity()) == "none");
  }
  TEST_CASE("a handle survives the way through its bits") {
    constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
    for (const Entity entity : {Entity(0, 1), Entity(12, 3), Entity(kMost, kMost)}) {
      const Entity again = Entity::from_bits(entity.bits());
      CHECK(again == entity);
      CHECK(again.index() == entity.index());
      CHECK(again.generation() == entity.generation());
      CHECK(entity);
    }
  }
  TEST_CASE("a handle prints as its index and its generation") {
    std::ostringstream out;
    out << Entity(12, 3);
    CHECK(out.str() == "12v3");
  }
  TEST_CASE("handles are keys of ordered and of hashed containers") {
    const std::set<Entity> ordered{Entity(1, 1), Entity(1, 2), Entity(2, 1), Entity(1, 1)};
    const std::unordered_set<Entity> hashed(ordered.begin(), ordered.end());
    CHECK(ordered.size() == 3);
    CHECK(hashed.size() == 3);
    CHECK(hashed.contains(Entity(2, 1)));
  }
}

}  // namespace strata::test::entity_test
