#include "../../query/terms/operators.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "../../query/query.hpp"
#include "../support/components.hpp"

namespace strata::test::operators_test {

using namespace detail;

namespace {

static_assert(detail::position_of<const Health, Entity, Health>() == 1);
static_assert(detail::position_of<Health, Entity, const Health>() == 2);
static_assert(detail::position_of<Maybe<const Health>, Health, Maybe<Health>>() == 1);
static_assert(detail::position_of<Parent<const Health>, Parent<Health>>() == 0);
static_assert(detail::position_of<Entity>() == 0);

struct Subject {
  Store store{std::pmr::new_delete_resource()};

  Entity create(int points, bool velocity, bool sparse) {
    const Entity entity = store.create_row(store.archetypes().empty(), store.tables().root()).entity;
    ::new (store.add(entity, store.registry().id_of<Health>()).value) Health{points};
    if (velocity) ::new (store.add(entity, store.registry().id_of<Velocity>()).value) Velocity{};
    if (sparse) ::new (store.add(entity, store.registry().id_of<SparseHealth>()).value) SparseHealth{points};
    return entity;
  }
};

struct Sum {
  long total = 0;
  void operator()(const Health& health) { total += health.points; }
};

}  // namespace

TEST_SUITE("query/operators") {
  TEST_CASE("each operator finds in every row what those before it wrote") {
    Subject subject;
    for (int i = 0; i < 5000; ++i) subject.create(i, i % 2 == 0, false);
    Query<Entity, Health, Maybe<Velocity>, Without<Frozen>> query(subject.store, nullptr);
    Sum sum;
    const auto twice = on<Health>([](Health& health) { health.points *= 2; });
    std::size_t moving = 0;
    query.each(
        twice, on<const Health>(sum),
        [&](Entity entity, Health& health, Velocity* velocity) {
          CHECK(entity);
          if (velocity != nullptr) velocity->x = static_cast<float>(++health.points);
        },
        on<Maybe<const Velocity>, const Health>([&](const Velocity* velocity, const Health& health) {
          if (velocity == nullptr) return;
          ++moving;
          CHECK(velocity->x == static_cast<float>(health.points));
        }));
    CHECK(sum.total == 4999L * 5000);
    CHECK(moving == 2500);
  }
  TEST_CASE("operators go by runs of rows, the same for all") {
    Subject subject;
    for (int i = 0; i < 6; ++i) subject.create(i, i < 3, false);
    std::vector<int> order;
    Query<const Health>(subject.store, nullptr)
        .cascade()
        .each([&](const Health& health) { order.push_back(health.points); },
              [&](const Health& health) { order.push_back(10 + health.points); });
    CHECK(order == std::vector<int>{3, 4, 5, 13, 14, 15, 0, 1, 2, 10, 11, 12});
  }
  TEST_CASE("operators visit rows of the side store, too") {
    Subject subject;
    for (int i = 0; i < 500; ++i) subject.create(i, false, i % 5 == 0);
    Query<Health, SparseHealth> query(subject.store, nullptr);
    Sum sum;
    query.each(on<Health, const SparseHealth>(
                   [](Health& to, const SparseHealth& from) { to.points = -from.points; }),
               on<const Health>(sum));
    CHECK(sum.total == -(495L * 100 / 2));
  }
}

}  // namespace strata::test::operators_test
