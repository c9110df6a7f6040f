#include <doctest/doctest.h>

#include "../../storage/observing/access_log.hpp"
#include "../../storage/store_change.hpp"
#include "../support/components.hpp"

namespace strata::test::access_log_test {

using namespace detail;

namespace {

struct Subject {
  Store store{std::pmr::new_delete_resource()};
  AccessLog log;
  ComponentId position = store.registry().id_of<Position>();
  ComponentId frozen = store.registry().id_of<Frozen>();
};

TEST_SUITE("storage/access_log") {
  TEST_CASE("a store tells of uses by id, and of none after it is left") {
    Subject s;
    const Entity entity = s.store.create_row(s.store.archetypes().empty(), s.store.tables().root()).entity;
    s.store.observe(&s.log);
    Position value;
    s.store.add(entity, s.position, &value);
    s.store.add(entity, s.frozen, nullptr);
    CHECK(s.store.has(entity, s.position));
    CHECK(s.store.find(entity, s.frozen) == nullptr);
    CHECK(s.store.remove(entity, s.frozen));
    CHECK(!s.store.remove(entity, s.frozen));
    s.store.observe(nullptr);
    CHECK(s.store.remove(entity, s.position));
    CHECK(s.log.counts_of(s.position).added == 1);
    CHECK(s.log.counts_of(s.position).found == 1);
    CHECK(s.log.counts_of(s.position).removed == 0);
    CHECK(s.log.counts_of(s.frozen).changes() == 2);
    CHECK(s.log.counts_of(s.frozen).changed_columns == 2);
    CHECK(s.log.counts_of(s.frozen).found == 1);
  }

  TEST_CASE("iterations that ask the same are counted together, others apart") {
    Subject s;
    const ComponentAccess one[] = {{s.position, AccessKind::value}};
    const ComponentAccess other[] = {{s.position, AccessKind::with}};
    s.log.iterated({one, Visited::rows, 10, 1});
    s.log.iterated({other, Visited::rows, 5, 1});
    s.log.iterated({one, Visited::rows, 20, 2});
    s.log.iterated({one, Visited::blocks, 1, 1});
    REQUIRE(s.log.iterations().size() == 3);
    CHECK(s.log.iterations()[0].iterations == 2);
    CHECK(s.log.iterations()[0].rows == 30);
    CHECK(s.log.iterations()[0].tables == 3);
    CHECK(s.log.iterations()[2].visited == Visited::blocks);
  }

  TEST_CASE("components beyond the first page are counted, unknown ones are not") {
    Subject s;
    s.log.looked_up(ComponentId{200}, true);
    s.log.looked_up(Registry::kUnknown, false);
    CHECK(s.log.counts_of(ComponentId{200}).found == 1);
    CHECK(s.log.counts_of(ComponentId{300}).found == 0);
    CHECK(s.log.lost() == 0);
    s.log.clear();
    CHECK(s.log.counts_of(ComponentId{200}).found == 0);
  }
}

}  // namespace

}  // namespace strata::test::access_log_test
