#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/refusal.hpp"

namespace strata::test::layers_test {

TEST_SUITE("api/layers") {
  TEST_CASE("only the layers in which something changed are painted again") {
    for (const Layout layout : {Layout::per_parent, Layout::per_level}) {
      World world(WorldOptions{.layout = layout});
      const Entity window = world.create(Name{1});
      const Entity label = world.create(child_of(window), Name{2});
      const Entity popup = world.create(child_of(label), Name{3});
      const Entity wallpaper = world.create(Name{4});
      world.set_layer(popup, 10);
      world.set_layer(wallpaper, -10);
      CHECK(world.layer(window) == 0);
      CHECK(world.layer(popup) == 10);

      auto names = world.layered_query<const Name>();
      std::string painted;
      const auto paint = [&](bool all) {
        painted.clear();
        names.each_layer([&](auto& view) {
          if (all || view.changed()) view.each([&](const Name& name) { painted += std::to_string(name.id); });
        });
        world.pool<Dirty>().clear();
        return painted;
      };
      CHECK(paint(true) == "4123");
      CHECK(paint(false).empty());
      world.add<Dirty>(label);
      CHECK(paint(false) == "12");
      world.set_layer(label, 10);
      world.add<Dirty>(popup);
      CHECK(paint(false) == "23");
      CHECK(world.parent(popup) == label);
      CHECK(world.validate());
    }
  }
  TEST_CASE("an entity leaves its layer with key 0, and a stale one has none") {
    World world;
    const Entity entity = world.create(Position{1, 2, 3});
    world.set_layer(entity, 7);
    world.add(entity, Health{4});
    CHECK(world.layer(entity) == 7);
    world.set_layer(entity, 0);
    CHECK(world.layer(entity) == 0);
    CHECK(world.get<Position>(entity) == Position{1, 2, 3});
    CHECK(world.get<Health>(entity).points == 4);
    CHECK(world.validate());
    world.destroy(entity);
    CHECK(!world.layer(entity));
    CHECK_THROWS_AS(world.set_layer(entity, 1), ContractViolation);
  }
  TEST_CASE("tags that identify layers and states are not added or removed by id") {
    World world;
    const Entity a = world.create(), b = world.create(), c = world.create();
    world.set_layer(a, 3);
    world.set_layer(b, 5);
    world.disable(c);
    const ComponentId layer = *world.find_component("strata:layer 3");
    const ComponentId itself = *world.find_component("strata:disabled itself");
    CHECK(says(refusal([&] { world.add(b, layer, nullptr); }), "strata:layer 3"));
    CHECK(says(refusal([&] { world.remove(a, layer); }), "strata:layer 3"));
    CHECK(says(refusal([&] { world.remove(c, itself); }), "strata:disabled itself"));
    CHECK(world.layer(b) == 5);
    CHECK(world.validate());
  }
}

}  // namespace strata::test::layers_test
