#include <doctest/doctest.h>
#include <strata/tbb/tbb_executor.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace strata::test::tbb_test {

namespace {

struct Place {
  int value = 0;
};

}  // namespace

TEST_SUITE("api/tbb") {
  TEST_CASE("the threads of oneTBB visit each entity once, and parents before their children") {
    for (const int workers : {1, 2, 4}) {
      TbbExecutor executor(workers);
      CHECK(executor.worker_count() == static_cast<std::size_t>(workers));
      World world;
      for (int root = 0; root < 500; ++root) {
        Entity above = world.create(Place{root});
        for (int level = 1; level < 4; ++level) above = world.create(child_of(above), Place{1});
      }
      auto query = world.query<Place, Parent<const Place>>();
      query.cascade().par(executor, 16).each([](Place& own, const Place* parent) {
        own.value += parent != nullptr ? parent->value : 0;
      });
      std::vector<int> found(504, 0);
      world.query<const Place>().cascade().depth(3).each(
          [&](const Place& place) { ++found[static_cast<std::size_t>(place.value)]; });
      for (std::size_t root = 0; root < 500; ++root) CHECK(found[root + 3] == 1);
    }
  }

  TEST_CASE("a visit inside a visit uses the threads of oneTBB, too") {
    TbbExecutor executor(2);
    World world;
    for (int i = 0; i < 100; ++i) world.create(Place{});
    auto query = world.query<Place>();
    const World& reader = world;
    std::atomic<int> counted = 0;
    query.par(executor, 8).each([&](Place&) {
      const auto inner = reader.query<const Place>();
      inner.par(executor, 8).each([&](const Place&) { ++counted; });
    });
    CHECK(counted == 100 * 100);
  }

  TEST_CASE("the first exception by row passes through the threads of oneTBB") {
    TbbExecutor executor(2);
    World world;
    for (int i = 0; i < 1000; ++i) world.create(Place{i});
    auto query = world.query<const Place>();
    const auto visit = [&] {
      query.par(executor, 8).each([](const Place& place) {
        if (place.value % 200 == 150) throw std::runtime_error(std::to_string(place.value));
      });
    };
    for (int i = 0; i < 20; ++i) CHECK_THROWS_WITH_AS(visit(), "150", std::runtime_error);
  }
}

}  // namespace strata::test::tbb_test
