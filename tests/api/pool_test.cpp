#include <doctest/doctest.h>

#include <algorithm>
#include <strata/strata.hpp>
#include <string>
#include <vector>

#include "../support/components.hpp"

namespace strata::test::pool_test {

namespace {

struct Fixture {
  World world;
  std::vector<Entity> entities;

  explicit Fixture(std::initializer_list<int> points = {}) {
    for (const int number : points) entities.push_back(world.create(SparseHealth{number}));
  }
  std::vector<int> visited() {
    std::vector<int> all;
    world.query<const SparseHealth>().each([&](const SparseHealth& health) { all.push_back(health.points); });
    return all;
  }
  std::vector<Entity> marked() {
    std::vector<Entity> all;
    world.query<Entity, With<SparseFrozen>>().each([&](Entity entity) { all.push_back(entity); });
    return all;
  }
};

constexpr auto kWeaker = [](const SparseHealth& a, const SparseHealth& b) { return a.points < b.points; };

}  // namespace

TEST_SUITE("api/pool") {
  TEST_CASE("a pool is sorted by values, by entities or by a key, in any way") {
    Fixture f{3, 1, 2, 5, 4};
    const std::vector<int> up{1, 2, 3, 4, 5};
    SUBCASE("by values") {
      f.world.pool<SparseHealth>().sort(kWeaker);
    }
    SUBCASE("by a member") {
      f.world.pool<SparseHealth>().sort(&SparseHealth::points);
    }
    SUBCASE("by entities") {
      f.world.pool<SparseHealth>().sort([&](Entity a, Entity b) {
        return f.world.get<SparseHealth>(a).points < f.world.get<SparseHealth>(b).points;
      });
    }
    SUBCASE("in place") {
      f.world.pool<SparseHealth>().sort(kWeaker, sorting::InPlace{});
    }
    SUBCASE("by swaps") {
      f.world.pool<SparseHealth>().sort(kWeaker, sorting::BySwaps{});
    }
    SUBCASE("by insertion") {
      f.world.pool<SparseHealth>().sort(kWeaker, sorting::Insertion{});
    }
    SUBCASE("by a permutation that std::sort finds") {
      f.world.pool<SparseHealth>().sort(kWeaker, sorting::ByPermutation{[](auto first, auto last, auto less) {
                                          std::sort(first, last, less);
                                        }});
    }
    CHECK(f.visited() == up);
    CHECK(f.world.validate());
  }
  TEST_CASE("steps sort a pool, and say when all is in order") {
    Fixture f{3, 1, 2, 5, 4, 0};
    int steps = 0;
    while (!f.world.pool<SparseHealth>().sort_step(kWeaker, 4)) REQUIRE(++steps < 50);
    CHECK(steps > 1);
    CHECK(f.visited() == std::vector{0, 1, 2, 3, 4, 5});
    CHECK(f.world.pool<SparseFrozen>().sort_step([](Entity a, Entity b) { return a < b; },
                                                 0));  // No entity has it.
  }
  TEST_CASE("a pool follows another's order") {
    Fixture f{1, 2, 3, 4};
    for (const int i : {3, 0, 2}) f.world.add<SparseFrozen>(f.entities[static_cast<std::size_t>(i)]);
    f.world.pool<SparseHealth>().sort_like<SparseFrozen>();
    CHECK(f.visited() == std::vector{4, 1, 3, 2});
    f.world.pool<SparseHealth>().sort(kWeaker);
    f.world.pool<SparseFrozen>().sort_like<SparseHealth>();
    CHECK(f.marked() == std::vector{f.entities[0], f.entities[2], f.entities[3]});
    CHECK(f.world.validate());
  }
  TEST_CASE("ancestors come before their descendants") {
    Fixture f;
    Entity node;
    std::vector<Entity> chain;
    for (int i = 0; i < 300; ++i) {
      node = i == 0 ? f.world.create() : f.world.create(child_of(node));
      chain.push_back(node);
    }
    const Entity root = f.world.create();
    for (std::size_t i = chain.size(); i-- > 0;) f.world.add<SparseFrozen>(chain[i]);
    f.world.add<SparseFrozen>(root);
    f.world.pool<SparseFrozen>().sort_by_depth();
    std::vector<Entity> expected = chain;
    expected.insert(expected.begin() + 1, root);  // As deep as the first, and after it as before.
    CHECK(f.marked() == expected);
    f.world.pool<SparseHealth>().sort_by_depth();  // No entity has it.
    CHECK(f.world.validate());
  }
  TEST_CASE("sorting is refused while a query visits, and for components in tables") {
    Fixture f{2, 1};
    f.world.add(f.entities[0], Health{1});
    f.world.query<const SparseHealth>().each([&](const SparseHealth&) {
      CHECK_THROWS_AS(f.world.pool<SparseHealth>().sort(kWeaker), ContractViolation);
      CHECK_THROWS_AS(f.world.pool<SparseHealth>().sort_step(kWeaker, 9), ContractViolation);
      CHECK_THROWS_AS((f.world.pool<SparseHealth>().sort_like<SparseFrozen>()), ContractViolation);
      CHECK_THROWS_AS(f.world.pool<SparseHealth>().sort_by_depth(), ContractViolation);
    });
    CHECK_THROWS_WITH_AS(f.world.pool<Health>().sort(&Health::points),
                         doctest::Contains("sort needs a component of the side store"), ContractViolation);
    CHECK_THROWS_AS((f.world.pool<SparseHealth>().sort_like<Health>()), ContractViolation);
  }
  TEST_CASE("every call of a pool refuses a component in tables, by name") {
    Fixture f{2, 1};
    f.world.add(f.entities[0], Health{1});
    Pool<Health> pool = f.world.pool<Health>();
    const auto refuses = [](const char* operation, auto call) {
      const std::string sentence =
          std::string(operation) + " needs a component of the side store, and \"" +
          std::string(name_of<Health>) +
          "\" is stored in tables: call set_storage, or specialise storage_of for it";
      CHECK_THROWS_WITH_AS(call(), sentence.c_str(), ContractViolation);
    };
    refuses("size", [&] { (void)pool.size(); });
    refuses("sort", [&] { pool.sort(&Health::points); });
    refuses("sort_step", [&] { pool.sort_step(&Health::points, 9); });
    refuses("sort_like", [&] { pool.sort_like<SparseHealth>(); });
    refuses("sort_like", [&] { f.world.pool<SparseHealth>().sort_like<Health>(); });
    refuses("sort_by_depth", [&] { pool.sort_by_depth(); });
    refuses("clear", [&] { pool.clear(); });
    refuses("compact", [&] { pool.compact(); });
    CHECK(f.world.get<Health>(f.entities[0]).points == 1);
  }
  TEST_CASE("a pool that is kept follows where its component is stored") {
    Fixture f{3, 1, 2};
    Pool<SparseHealth> pool = f.world.pool<SparseHealth>();
    CHECK(pool.size() == 3);
    f.world.set_storage<SparseHealth>(Storage::table);
    CHECK_THROWS_AS(pool.sort(kWeaker), ContractViolation);
    f.world.set_storage<SparseHealth>(Storage::sparse);
    pool.sort(kWeaker);
    CHECK(f.visited() == std::vector{1, 2, 3});
    CHECK(pool.clear() == 3);
    CHECK(pool.size() == 0);
    CHECK(pool.compact() == 0);
    CHECK(f.world.validate());
  }
  TEST_CASE("a pool of a component that the world does not know is empty, and stays unknown") {
    World world;
    CHECK(world.pool<SparseHealth>().size() == 0);
    CHECK(world.pool<SparseHealth>().clear() == 0);
    world.pool<SparseHealth>().sort(kWeaker);
    CHECK(!world.find_component(name_of<SparseHealth>));
  }
  TEST_CASE("a comparison cannot change the pool, and its commands wait") {
    Fixture f{3, 2, 1};
    CHECK_THROWS_AS(f.world.pool<SparseHealth>().sort([&](Entity a, Entity b) {
      f.world.remove<SparseHealth>(a);
      return a > b;
    }),
                    ContractViolation);
    CHECK_THROWS_AS(f.world.pool<SparseHealth>().sort([&](Entity a, Entity b) {
      f.world.pool<SparseHealth>().sort(kWeaker);
      return a > b;
    }),
                    ContractViolation);
    CHECK(f.visited() == std::vector{3, 2, 1});
    f.world.pool<SparseHealth>().sort([&](const SparseHealth& a, const SparseHealth& b) {
      f.world.commands().destroy(f.entities[0]);
      return a.points < b.points;
    });
    CHECK(f.visited().size() == 2);
    CHECK(f.world.validate());
  }
}

}  // namespace strata::test::pool_test
