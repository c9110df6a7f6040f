#include <doctest/doctest.h>

#include <cstring>
#include <strata/strata.hpp>
#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/refusal.hpp"
#include "../support/tracked.hpp"

namespace strata::test::inspection_test {

namespace {

/// A component described at run time: a number of 4 bytes.
ComponentInfo number(Storage storage) {
  return {.name = storage == Storage::table ? "test.number" : "test.sparse_number",
          .size = 4,
          .alignment = 4,
          .storage = storage};
}

std::vector<std::string> names(const std::vector<ConstComponentValue>& components) {
  std::vector<std::string> all;
  for (const ConstComponentValue& component : components) all.push_back(component.info->name);
  return all;
}

std::vector<std::string> names_of(const World& world, const TableView& table) {
  std::vector<std::string> all;
  for (const ComponentId id : table.components()) all.push_back(world.component_info(id).name);
  return all;
}

template <class T>
std::string name() {
  return std::string(name_of<T>);
}

}  // namespace

TEST_SUITE("api/inspection") {
  TEST_CASE("a component is found by its name, and described by its id") {
    World world;
    CHECK(!world.find_component(name_of<Health>));
    const Entity entity = world.create(Health{1}, SparseHealth{2});
    const auto health = world.find_component(name_of<Health>);
    REQUIRE(health);
    CHECK(*health == world.component<Health>());
    CHECK(world.component_info(*health).size == sizeof(Health));
    CHECK(world.component_info(world.component<SparseHealth>()).storage == Storage::sparse);
    const ComponentId described = world.component(number(Storage::table));
    CHECK(world.find_component("test.number") == described);
    CHECK(world.component_info(described).name == "test.number");
    CHECK(world.find(entity, *health) == world.find<Health>(entity));
  }
  TEST_CASE("ids count from 0, so all components can be listed") {
    World world;
    CHECK(world.component_count() == 0);
    world.disable(world.create(Health{1}));
    REQUIRE(world.component_count() > 2);
    std::size_t found = 0;
    for (std::uint32_t i = 0; i < world.component_count(); ++i)
      found += world.find_component(world.component_info(ComponentId{i}).name) == ComponentId{i} ? 1 : 0;
    CHECK(found == world.component_count());
    CHECK(world.component_info(kChildOf).name == name<ChildOf>());
    CHECK_THROWS_AS(static_cast<void>(world.component_info(ComponentId{world.component_count()})),
                    ContractViolation);
  }
  TEST_CASE_TEMPLATE("values are replaced and reported as written by id", T, Counted, SparseCounted) {
    const CountedScope scope;
    {
      World world;
      const ComponentId id = world.component<T>();
      const Entity entity = world.create(T(1), Health{1});
      const T given(2);
      CHECK(world.set(entity, id, &given) == world.find<T>(entity));
      CHECK(world.get<T>(entity).value() == 2);
      int replaced = 0;
      std::vector<int> seen;
      const auto on_replace = world.observers().on_replace<T>([&](Entity, const T& old, T&) {
        replaced = old.value();
        world.commands().add(entity, Frozen{});
      });
      const auto on_set =
          world.observers().on_set<T>([&](Entity, T& value) { seen.push_back(value.value()); });
      const T other(3);
      world.query<const Health>().each([&](const Health&) { world.set(entity, id, &other); });
      CHECK(replaced == 2);
      CHECK(world.has<Frozen>(entity));
      world.set(entity, id, world.find(entity, id));  // Its own value.
      world.modified(entity, id);
      CHECK(seen == std::vector<int>{3, 3, 3});
      CHECK(world.validate());
    }
    CHECK(scope.clean());
  }
  TEST_CASE("a value that is set by id counts as written, and what cannot be set is refused") {
    World world;
    const Entity entity = world.create(ByRow{1}, Owner(1));
    auto changed = world.query<const ByRow>();
    const auto visited = [&] {
      std::size_t count = 0;
      changed.changed<ByRow>().each([&](const ByRow&) { ++count; });
      return count;
    };
    CHECK(visited() == 1);
    const ByRow given{2};
    world.set(entity, world.component<ByRow>(), &given);
    CHECK(visited() == 1);
    world.modified(entity, world.component<ByRow>());
    CHECK(visited() == 1);
    CHECK(visited() == 0);
    const auto said = [&](ComponentId id, const void* value) {
      return refusal([&] { world.set(entity, id, value); });
    };
    CHECK(says(said(world.component<Health>(), &given), "has no value of strata::test::Health"));
    CHECK(says(said(world.component<Frozen>(), &given), "has no value of strata::test::Frozen"));
    CHECK(says(said(world.component<Owner>(), &given), "cannot be copied: call add"));
    CHECK(says(said(world.component<ByRow>(), nullptr), "pass the address of a value"));
    CHECK(says(said(ComponentId{99}, &given), "component id 99 is not of this world"));
    CHECK(says(refusal([&] { world.modified(Entity(), world.component<ByRow>()); }), "modified: entity"));
    CHECK(says(refusal([&] { world.modified(entity, world.component<Health>()); }), "has no value of"));
    CHECK(visited() == 0);
  }
  TEST_CASE("an id that the world never gave is refused") {
    const World world;
    CHECK_THROWS_AS(static_cast<void>(world.component_info(ComponentId{77})), ContractViolation);
  }
  TEST_CASE("the components of an entity are listed with the addresses of their values") {
    World world;
    const Entity entity = world.create(Health{1}, Frozen{}, SparseHealth{2}, SparseFrozen{});
    world.create(Position{}, SparseWide(1));
    const World& reader = world;
    const std::vector<ConstComponentValue> all = reader.components(entity);
    CHECK(names(all) ==
          std::vector{name<Health>(), name<Frozen>(), name<SparseHealth>(), name<SparseFrozen>()});
    CHECK(all[0].value == reader.find<Health>(entity));
    CHECK(all[0].id == world.component<Health>());
    CHECK(all[1].value == nullptr);
    CHECK(all[2].value == reader.find<SparseHealth>(entity));
    CHECK(all[3].value == nullptr);
  }
  TEST_CASE("values may be written through what lists them, and count as written") {
    World world;
    const Entity entity = world.create(ByBlock{1}, SparseHealth{2});
    auto query = world.query<const ByBlock>();
    query.changed<ByBlock>().each([](const ByBlock&) {});
    for (const ConstComponentValue& component : std::as_const(world).components(entity)) {
      CHECK(component.value != nullptr);
    }
    int written = 0;
    query.changed<ByBlock>().each([&](const ByBlock&) { ++written; });
    CHECK(written == 0);
    for (const ComponentValue& component : world.components(entity)) {
      const int value = 7;
      std::memcpy(component.value, &value, sizeof(value));
    }
    query.changed<ByBlock>().each([&](const ByBlock& block) { written += block.value; });
    CHECK(written == 7);
    CHECK(world.get<SparseHealth>(entity).points == 7);
  }
  TEST_CASE("described components are listed, wherever they are stored") {
    World world;
    const Entity entity = world.create();
    for (const Storage storage : {Storage::table, Storage::sparse}) {
      int value = storage == Storage::table ? 5 : 6;
      world.add(entity, world.component(number(storage)), &value);
    }
    const auto all = world.components(entity);
    REQUIRE(all.size() == 2);
    CHECK(all[0].info->name == "test.number");
    CHECK(*static_cast<const int*>(all[0].value) == 5);
    CHECK(all[1].info->name == "test.sparse_number");
    CHECK(*static_cast<const int*>(all[1].value) == 6);
    world.set_storage(all[0].id, Storage::sparse);
    CHECK(std::as_const(world).components(entity)[0].value == world.find(entity, all[0].id));
  }
  TEST_CASE("nothing is listed of an entity without components, or of one that is gone") {
    World world;
    const Entity bare = world.create();
    const Entity gone = world.create(Health{1}, SparseHealth{1});
    CHECK(world.components(bare).empty());
    world.destroy(gone);
    const Entity next = world.create(Health{2});  // In the same slot.
    CHECK(next.index() == gone.index());
    CHECK(world.components(gone).empty());
    CHECK(std::as_const(world).components(Entity()).empty());
  }
  TEST_CASE("the library's own components are listed with the others") {
    World world;
    const Entity entity = world.create(Health{1});
    world.set_layer(entity, 3);
    int own = 0;
    for (const auto& component : world.components(entity)) own += component.info->name.starts_with("strata:");
    CHECK(own != 0);
    CHECK(world.find_component("strata:layer 3"));
  }
  TEST_CASE("tables are visited with their components, place and rows") {
    World world({.layout = Layout::per_parent});
    const Entity root = world.create(Health{1});
    const Entity child = world.create(child_of(root), Health{2}, Frozen{});
    world.create(child_of(child), Health{3}, Frozen{});
    world.create(child_of(child), Health{4}, Frozen{});
    std::vector<std::size_t> rows;
    std::vector<std::uint32_t> depths;
    std::vector<Entity> parents;
    world.each_table([&](const TableView& table) {
      rows.push_back(table.rows());
      depths.push_back(table.depth());
      parents.push_back(table.parent());
      auto expected = std::vector{name<Health>()};
      if (table.depth() != 0) expected.push_back(name<Frozen>());
      CHECK(names_of(world, table) == expected);
    });
    CHECK(rows == std::vector<std::size_t>{1, 1, 2});
    CHECK(depths == std::vector<std::uint32_t>{0, 1, 2});
    CHECK(parents == std::vector{Entity(), root, child});
  }
  TEST_CASE("a table that families share names no parent") {
    World world({.layout = Layout::per_level});
    const Entity first = world.create();
    const Entity second = world.create();
    world.create(child_of(first));
    world.create(child_of(second));
    int shared = 0;
    world.each_table([&](const TableView& table) {
      CHECK(table.parent() == Entity());
      CHECK(table.components().empty());
      if (table.depth() == 1) shared += static_cast<int>(table.rows());
    });
    CHECK(shared == 2);
  }
  TEST_CASE("blocks of a table hand out entities and the bytes of columns") {
    World world;
    constexpr std::size_t kCount = 40'000;  // More than a block holds.
    std::vector<Entity> entities(kCount);
    int next = 0;
    world.create_many<Health, Frozen>(entities, [&](std::span<const Entity>, std::span<Health> healths) {
      for (Health& health : healths) health.points = next++;
    });
    std::size_t row = 0;
    int blocks = 0;
    world.each_table([&](const TableView& table) {
      table.each_block([&](const TableView::Block& block) {
        ++blocks;
        const std::span<const std::byte> bytes = block.bytes(world.component<Health>());
        REQUIRE(bytes.size() == block.rows() * sizeof(Health));
        CHECK(block.bytes(world.component<Frozen>()).empty());
        CHECK(block.bytes(world.component<Position>()).empty());
        CHECK_THROWS_AS(static_cast<void>(block.bytes(ComponentId{99})), ContractViolation);
        for (std::size_t i = 0; i < block.rows(); ++i, ++row) {
          REQUIRE(block.entities()[i] == entities[row]);
          REQUIRE(static_cast<const void*>(&bytes[i * sizeof(Health)]) == world.find<Health>(entities[row]));
        }
      });
    });
    CHECK(row == kCount);
    CHECK(blocks > 1);
  }
  TEST_CASE("structural changes are refused while tables are visited") {
    World world;
    const Entity entity = world.create(Health{1});
    world.each_table([&](const TableView&) {
      CHECK_THROWS_AS(world.destroy(entity), ContractViolation);
      CHECK(world.components(entity).size() == 1);
    });
    CHECK(world.destroy(entity));
    int tables = 0;
    world.each_table([&](const TableView&) { ++tables; });
    CHECK(tables == 0);
  }
}

}  // namespace strata::test::inspection_test
