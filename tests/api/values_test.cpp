#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/refusal.hpp"

namespace strata::test::values_test {

namespace {

bool is_sound(const World& world) {
  const Outcome sound = world.validate();
  CHECK_MESSAGE(sound, sound.message());
  return static_cast<bool>(sound);
}

}  // namespace

TEST_SUITE("api/values") {
  TEST_CASE("calls by an id that the world never gave are refused, whether the entity is alive or not") {
    World world;
    const Entity entity = world.create(Health{1});
    const Entity stale = world.create();
    world.destroy(stale);
    const ComponentId health = world.component<Health>();
    for (const ComponentId id : {ComponentId{1000}, detail::Registry::kUnknown}) {
      for (const Entity asked : {entity, stale, Entity()}) {
        const char* const words = "is not of this world: use the id that world.component returned";
        CHECK(says(refusal([&] { (void)world.has(asked, id); }), words));
        CHECK(says(refusal([&] { (void)world.find(asked, id); }), words));
        CHECK(says(refusal([&] { (void)std::as_const(world).find(asked, id); }), words));
        CHECK(says(refusal([&] { (void)world.remove(asked, id); }), words));
      }
      CHECK(!refusal([&] { world.add(entity, id, nullptr); }).empty());
      CHECK(!refusal([&] { world.set_storage(id, Storage::sparse); }).empty());
    }
    CHECK(!world.has(stale, health));
    CHECK(world.find(entity, health) != nullptr);
    CHECK(world.remove(entity, health));
    CHECK(!world.remove(entity, health));
    CHECK(world.find(entity, health) == nullptr);
  }
  TEST_CASE_TEMPLATE("adding a component by its id refuses null for a value, and nothing has moved", T,
                     Counted, SparseCounted) {
    World world;
    const Entity entity = world.create(Position{1, 2, 3});
    const ComponentId id = world.component<T>();
    const std::string refused = refusal([&] { world.add(entity, id, nullptr); });
    CHECK(says(refused, "null was passed"));
    CHECK(says(refused, to_string(entity).c_str()));
    CHECK(says(refused, std::string(name_of<T>).c_str()));
    CHECK_FALSE(world.has<T>(entity));
    CHECK(world.get<Position>(entity) == Position{1, 2, 3});
    CHECK(is_sound(world));
  }

  TEST_CASE_TEMPLATE("the value that an entity has may be added to it again, and stays", T, Counted,
                     SparseCounted) {
    const int live = Counted::live();
    {
      World world;
      const Entity entity = world.create(T{7});
      const ComponentId id = world.component<T>();
      void* const value = world.find(entity, id);
      CHECK(world.add(entity, id, value) == value);
      CHECK(world.get<T>(entity).value() == 7);
      CHECK(is_sound(world));
    }
    CHECK(Counted::live() == live);
  }

  TEST_CASE_TEMPLATE("a value of another entity is refused: it would die twice", T, Counted, SparseCounted) {
    World world;
    const Entity giver = world.create(T{7});
    const Entity taker = world.create(Position{});
    const ComponentId id = world.component<T>();
    CHECK(says(refusal([&] { world.add(taker, id, world.find(giver, id)); }), "stored in this world"));
    CHECK(says(refusal([&] { world.commands().buffer().add(taker, id, world.find(giver, id)); }),
               "stored in this world"));
    CHECK(world.get<T>(giver).value() == 7);
    CHECK_FALSE(world.has<T>(taker));
    CHECK(world.commands().empty());
  }

  TEST_CASE("recording a component by its id refuses null for a value") {
    World world;
    const Entity entity = world.create();
    const ComponentId id = world.component<Position>();
    CHECK(says(refusal([&] { world.commands().buffer().add(entity, id, nullptr); }), "null was passed"));
    CHECK(world.commands().empty());
  }

  TEST_CASE("a forest refuses a column that is stored in the world") {
    World world;
    world.create_many<Health>(5, Health{3});
    std::span<const Health> column;
    world.query<const Health>().each_block([&](std::span<const Health> healths) { column = healths; });
    const std::vector<std::uint32_t> parents(column.size(), kNoParent);
    const std::string refused = refusal([&] { static_cast<void>(world.build_hierarchy(parents, column)); });
    CHECK(says(refused, "build_hierarchy: the column of"));
    CHECK(says(refused, "stored in this world"));
    CHECK(world.size() == 5);
    const std::vector<Health> copies(column.begin(), column.end());
    CHECK(world.build_hierarchy(parents, copies).outcome);
    CHECK(world.size() == 10);
    CHECK(is_sound(world));
  }

  TEST_CASE("creating from columns refuses one that is stored in the world") {
    World world;
    world.create_many<Health>(5, Health{3});
    std::span<const Health> column;
    world.query<const Health>().each_block([&](std::span<const Health> healths) { column = healths; });
    CHECK(says(refusal([&] { world.create_many<Health>(5, column); }), "create_many: the column of"));
    CHECK(world.size() == 5);
  }

  TEST_CASE("a value of the world may be copied into many new entities") {
    World world;
    const Entity entity = world.create(Health{3});
    world.create_many<Health>(100, world.get<Health>(entity));
    int sum = 0;
    world.query<const Health>().each([&](const Health& health) { sum += health.points; });
    CHECK(sum == 303);
  }

  TEST_CASE("instantiating more copies than there are slots for is refused before memory is asked for") {
    World world;
    const Entity root = world.create(Health{3});
    for (const std::size_t count : {std::size_t{1} << 32, std::numeric_limits<std::size_t>::max()}) {
      CHECK(says(refusal([&] { static_cast<void>(world.instantiate(root, count)); }), "no slots are left"));
      CHECK(says(refusal([&] { static_cast<void>(world.instantiate(child_of(root), root, count)); }),
                 "no slots are left"));
    }
    CHECK(world.size() == 1);
    CHECK(is_sound(world));
  }

  TEST_CASE("a spawner below nothing, or below a stale entity, is refused") {
    World world;
    CHECK(says(refusal([&] { static_cast<void>(world.spawner<Health>(child_of(Entity()))); }),
               "names nothing"));
    const Entity gone = world.create();
    world.destroy(gone);
    CHECK(says(refusal([&] { static_cast<void>(world.spawner<Health>(child_of(gone))); }), "is stale"));
    CHECK(world.size() == 0);
  }

  TEST_CASE("a component of the user cannot be taken for the tag of a layer") {
    World world;
    const Entity entity = world.create();
    CHECK(says(refusal([&] { world.component(ComponentInfo{.name = "strata:layer 5"}); }),
               "the library's own"));
    const ComponentId mine =
        world.component(ComponentInfo{.name = "strata::layer 5", .size = 4, .alignment = 4});
    world.set_layer(entity, 5);
    CHECK(world.layer(entity) == 5);
    CHECK_FALSE(world.has(entity, mine));
  }

  TEST_CASE("too many slots are refused with the most that there can be") {
    const WorldOptions options{.max_entities = detail::Links::kMaxNodes + 1};
    CHECK(says(refusal([&] { World world(options); }), std::to_string(detail::Links::kMaxNodes).c_str()));
  }
}

}  // namespace strata::test::values_test
