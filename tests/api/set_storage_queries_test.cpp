#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "../support/components.hpp"
#include "../support/refusal.hpp"
#include "../support/tracked.hpp"

namespace strata::test::set_storage_queries_test {

namespace {

constexpr std::array kStorages{Storage::table, Storage::sparse};

/// Calls `check` with Health and SparseHealth in every combination of storages, each reached from another one.
template <class Check>
void with_all_storages(World& world, Check check) {
  for (const Storage sparse : {Storage::sparse, Storage::table}) {
    for (const Storage health : {Storage::table, Storage::sparse, Storage::table}) {
      world.set_storage<SparseHealth>(sparse);
      world.set_storage<Health>(health);
      check();
      const Outcome sound = world.validate();
      CHECK_MESSAGE(sound, sound.message());
    }
  }
}

template <class T>
int points_of(const T* value) {
  return value != nullptr ? value->points : -1;
}

int& points_in(const RuntimeQuery::Row& row, std::size_t term) {
  return *static_cast<int*>(row.value(term));
}

std::vector<Entity> sorted(std::vector<Entity> entities) {
  std::sort(entities.begin(), entities.end());
  return entities;
}

}  // namespace

TEST_SUITE("api/set_storage_queries") {
  TEST_CASE("a query made before finds the same rows by every way of asking") {
    World world;
    std::vector<Entity> both;
    std::vector<Entity> plain;
    for (int i = 0; i < 500; ++i) {
      const Entity entity = world.create(Health{i});
      plain.push_back(entity);
      if (i % 3 == 0) world.add(entity, SparseHealth{-i});
      if (i % 3 == 0) both.push_back(entity);
      if (i % 7 == 0) world.add<Frozen>(entity);
    }
    auto values = world.query<Entity, const Health, const SparseHealth>();
    auto maybe = world.query<Entity, Health, Maybe<const SparseHealth>>();
    auto without = world.query<Entity, With<Health>, Without<SparseHealth>>();
    auto any = world.query<Entity, AnyOf<SparseHealth, Frozen>>();
    with_all_storages(world, [&] {
      std::vector<Entity> visited;
      values.each([&](Entity entity, const Health& health, const SparseHealth& sparse) {
        CHECK(health.points == -sparse.points);
        visited.push_back(entity);
      });
      CHECK(sorted(visited) == both);
      CHECK(values.count() == both.size());
      CHECK(values.contains(values.first()));
      CHECK(!values.contains(plain[1]));
      std::size_t rows = 0;
      for (const auto& [entity, health, sparse] : maybe) {
        CHECK((sparse == nullptr ? -1 : -sparse->points) == (health.points % 3 == 0 ? health.points : -1));
        ++rows;
      }
      CHECK(rows == plain.size());
      CHECK(without.count() == plain.size() - both.size());
      CHECK(any.count() == 167 + 72 - 24);
      CHECK(values.matcher().check_invariants() == "");
      const bool in_tables =
          world.storage<Health>() == Storage::table && world.storage<SparseHealth>() == Storage::table;
      const auto each_block = [&] {
        rows = 0;
        values.each_block([&](std::span<const Entity> entities, auto, auto) { rows += entities.size(); });
      };
      CHECK(says(refusal(each_block), "each_block needs all of its terms in tables") != in_tables);
      if (in_tables) CHECK(rows == both.size());
      CHECK(says(values.explain(), "in the side store") != in_tables);
      CHECK(says(values.explain(plain[1]), "has no \"strata::test::SparseHealth\""));
    });
  }
  TEST_CASE("a query made of ids finds the same rows, and hands out what may be written") {
    World world;
    for (int i = 0; i < 100; ++i) world.create(Health{i}, SparseHealth{i}, Name{1});
    const std::array terms{Term{Role::value, world.component<Health>()},
                           Term{Role::value, world.component<SparseHealth>()}};
    RuntimeQuery query = world.query(terms);
    with_all_storages(world, [&] {
      int sum = 0;
      query.each([&](const RuntimeQuery::Row& row) { sum += points_in(row, 0) - points_in(row, 1); });
      CHECK(sum == 0);
      CHECK(query.count() == 100);
      query.cascade().each([&](const RuntimeQuery::Row& row) {
        ++points_in(row, 0);
        ++points_in(row, 1);
      });
      const bool refused = !refusal([&] { query.each_block([](const RuntimeQuery::Block&) {}); }).empty();
      CHECK(refused ==
            (world.storage<Health>() == Storage::sparse || world.storage<SparseHealth>() == Storage::sparse));
    });
    CHECK(world.query<const Health>().contains(query.first()));
  }
  TEST_CASE("cascades see the values of parents and of ancestors, and keep their order") {
    for (const Layout layout : {Layout::per_parent, Layout::per_level, Layout::adaptive}) {
      World world(WorldOptions{.layout = layout, .large_family = 4});
      std::vector<Entity> entities{world.create(Health{0}, SparseHealth{0})};
      for (int i = 1; i < 300; ++i) {
        const Entity parent = entities[static_cast<std::size_t>(i) / 3];
        entities.push_back(world.create(child_of(parent), Health{i}));
        if (i % 5 != 0) world.add(entities.back(), SparseHealth{i});
      }
      world.defragment();
      auto down = world.query<Entity, const Health, Parent<const Health>, Up<const SparseHealth>>();
      auto fold = world.query<const SparseHealth, Parent<Health>>();
      with_all_storages(world, [&] {
        std::uint32_t depth = 0;
        std::size_t rows = 0;
        down.cascade().each([&](Entity entity, const Health&, const Health* above, const SparseHealth* up) {
          CHECK(world.depth(entity) >= depth);
          depth = world.depth(entity);
          ++rows;
          Entity at = world.parent(entity);
          CHECK(points_of(above) == points_of(std::as_const(world).find<Health>(at)));
          while (at && !world.has<SparseHealth>(at)) at = world.parent(at);
          CHECK(points_of(up) == points_of(std::as_const(world).find<SparseHealth>(at)));
        });
        CHECK(rows == entities.size());
        fold.cascade(up).each([&](const SparseHealth&, Health* parent) {
          if (parent != nullptr) ++parent->points;
        });
        std::vector<Entity> family;
        world.query<Entity, With<Health>>().children_of(entities[2]).each([&](Entity child) {
          family.push_back(child);
        });
        CHECK(family == std::vector{entities[6], entities[7], entities[8]});
      });
      // Each of the six folds has added one for each child with SparseHealth.
      CHECK(world.get<Health>(entities[0]).points == 6 * 2);
      CHECK(world.get<Health>(entities[1]).points == 1 + 6 * 2);
      CHECK(world.get<Health>(entities[4]).points == 4 + 6 * 3);
    }
  }
  TEST_CASE("an order by values goes on") {
    World world;
    for (int i = 0; i < 200; ++i) world.create(Health{i * 37 % 200}, SparseHealth{i});
    auto query = world.query<const Health>();
    with_all_storages(world, [&] {
      int last = -1;
      query.order_by<Health>([](const Health& health) { return health.points; })
          .each([&](const Health& health) {
            CHECK(health.points == last + 1);
            last = health.points;
          });
      CHECK(last == 199);
    });
  }
  TEST_CASE("a change pass visits what is marked and below, wherever its values are") {
    World world;
    const Entity root = world.create(Health{1}, SparseHealth{1});
    const Entity middle = world.create(child_of(root), Health{2}, SparseHealth{2});
    const Entity leaf = world.create(child_of(middle), Health{3}, SparseHealth{3});
    auto query = world.query<Health, const SparseHealth, Parent<const Health>>();
    with_all_storages(world, [&] {
      world.add<Dirty>(middle);
      const auto changed =
          query.cascade().propagate([](Health& health, const SparseHealth& own, const Health* above) {
            health.points = own.points + above->points;
          });
      CHECK(std::vector(changed.begin(), changed.end()) == std::vector{middle, leaf});
      CHECK(world.get<Health>(leaf).points == 6);
    });
  }
  TEST_CASE("a mark lives in the side store: elsewhere it is refused, by name") {
    World world;
    const Entity root = world.create(Health{1}, SparsePosition{});
    auto query = world.query<Health>();
    auto layered = world.layered_query<const Health>();
    const auto pass = [&] { query.cascade().propagate([](Health& health) { ++health.points; }); };
    const auto ask = [&] { layered.each_layer([](auto& layer) { (void)layer.changed(); }); };
    world.add<Dirty>(root);
    world.set_storage<Dirty>(Storage::table);
    CHECK(says(refusal(pass), "\"strata::Dirty\" is stored in tables"));
    CHECK(says(refusal(ask), "\"strata::Dirty\" is stored in tables"));
    world.set_storage<Dirty>(Storage::sparse);
    ask();
    pass();
    CHECK(world.get<Health>(root).points == 2);
    CHECK(!world.has<Dirty>(root));

    // A type that says nothing can be one, where it has been moved.
    const auto marked_by_name = [&] {
      query.cascade().propagate<Name>([](Health& health) { ++health.points; });
    };
    CHECK(says(refusal(marked_by_name), "Name"));
    world.set_storage<Name>(Storage::sparse);
    world.add(root, Name{1});
    marked_by_name();
    CHECK(world.get<Health>(root).points == 3);
  }
  TEST_CASE("layers are painted in their order") {
    World world;
    std::vector<Entity> entities;
    for (int i = 0; i < 20; ++i) {
      entities.push_back(world.create(Health{i}, SparseHealth{i}));
      world.set_layer(entities.back(), -(i % 4));
    }
    auto query = world.layered_query<const Health, const SparseHealth>();
    with_all_storages(world, [&] {
      std::vector<int> keys;
      std::size_t rows = 0;
      query.each_layer([&](auto& layer) {
        keys.push_back(layer.key());
        layer.each([&](const Health& health, const SparseHealth&) {
          CHECK(health.points % 4 == -layer.key());
          ++rows;
        });
      });
      CHECK(keys == std::vector{-3, -2, -1, 0});
      CHECK(rows == 20);
    });
  }
  TEST_CASE("what is written beside it is still seen as changed, once") {
    World world;
    std::vector<Entity> entities;
    for (int i = 0; i < 50; ++i) entities.push_back(world.create(ByRow{i}, Health{i}, SparseHealth{i}));
    auto query = world.query<const ByRow, const Health>();
    std::size_t rows = 0;
    query.changed<ByRow>().each([&](const ByRow&, const Health&) { ++rows; });
    CHECK(rows == 50);
    with_all_storages(world, [&] {
      world.set(entities[7], ByRow{1});
      rows = 0;
      query.changed<ByRow>().each([&](const ByRow& row, const Health& health) {
        CHECK((row.value == 1 && health.points == 7));
        ++rows;
      });
      CHECK(rows == 1);
    });
  }
  TEST_CASE("queries go on when a component is moved while no entity has it") {
    World world;
    auto query = world.query<Entity, const Health, With<SparseFrozen>>();
    CHECK(query.count() == 0);
    for (const Storage storage : kStorages) {
      world.set_storage<Health>(storage);
      world.set_storage<SparseFrozen>(storage);
      const Entity entity = world.create(Health{1}, SparseFrozen{});
      CHECK(query.first() == entity);
      CHECK(query.count() == 1);
      world.destroy(entity);
    }
  }
}

}  // namespace strata::test::set_storage_queries_test
