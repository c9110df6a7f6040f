#include "strata/parts.hpp"

#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <array>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"
#include "saving_turns.hpp"

namespace strata::test::parts_test {

namespace {

struct Target {
  Entity entity;
};
struct StableCounted : Counted {
  using Counted::Counted;
};
struct Owns {};
struct Guards {};
struct Wants {};

}  // namespace
}  // namespace strata::test::parts_test

namespace parts = strata::test::parts_test;
template <>
inline constexpr auto strata::members_of<parts::Target> =
    strata::Members{member("entity", &parts::Target::entity)};
template <>
inline constexpr strata::Storage strata::storage_of<parts::StableCounted> = strata::Storage::sparse;
template <>
inline constexpr strata::PoolOptions strata::pool_options_of<parts::StableCounted> = {
    .removal = strata::Removal::stable};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<parts::Owns> = {
    .source_destroyed = strata::PairCleanup::destroy};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<parts::Guards> = {
    .target_destroyed = strata::PairCleanup::refuse};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<parts::Wants> = {
    .exclusive = true, .storage = strata::Storage::table};

namespace strata::test::parts_test {

namespace {

/// A room with two entities that refer to each other, and to one outside.
struct House {
  World world;
  Entity outside = world.create(Price{9, 0});
  Entity room = world.create(Price{1, 0});
  Entity door = world.create(child_of(room), Target{outside});
  Entity key = world.create(child_of(room), Target{door});

  House() {
    (void)world.names().set(door, "door");
    world.relations().add(key, door, Likes{3});
    world.relations().add(key, outside, Likes{4});
    world.relations().add(outside, key, Wants{});
  }
};

/// An entity with values that count their lives, in every storage, and others beside it.
Entity make_counted(World& world, Entity above, int number) {
  const Entity entity = above ? world.create(child_of(above), Counted(number), Owner(number))
                              : world.create(Counted(number), Owner(number));
  world.add(entity, SparseCounted(number));
  world.add(entity, StableCounted(number));
  world.add(entity, SparseWide(static_cast<float>(number)));
  return entity;
}
int sum_of(const World& world, Entity root) {
  int sum = 0;
  for (const Entity entity : world.depth_first(root)) {
    sum += world.get<Counted>(entity).value() + world.get<SparseCounted>(entity).value() +
           world.get<StableCounted>(entity).value() + *world.get<Owner>(entity).value;
    CHECK(world.get<SparseWide>(entity).aligned());
  }
  return sum;
}

}  // namespace

TEST_SUITE("api/parts") {
  TEST_CASE("a part keeps references inside and outside, names and pairs") {
    House house;
    ExtractedPart taken = extract(house.world, house.room);
    REQUIRE(taken.outcome);
    CHECK(taken.part.size() == 4);  // And one that stands for the entity outside.
    CHECK(house.world.size() == 1);
    CHECK(!house.world.alive(house.door));
    CHECK(house.world.relations().size<Wants>() == 0);
    CHECK(house.world.validate());
    const InsertedPart put = insert(house.world, taken.part, house.outside);
    REQUIRE(put.outcome);
    CHECK(taken.part.empty());
    REQUIRE(put.roots.size() == 1);
    const Entity room = put.roots[0];
    CHECK(house.world.parent(room) == house.outside);
    const Entity door = house.world.names().find(room, "door");
    const Entity key = house.world.next_sibling(door);
    CHECK(house.world.get<Target>(door).entity == house.outside);
    CHECK(house.world.get<Target>(key).entity == door);
    CHECK(house.world.relations().get<Likes>(key, door).much == 3);
    CHECK(house.world.relations().get<Likes>(key, house.outside).much == 4);
    CHECK(house.world.validate());
  }
  TEST_CASE("references outside become null, or are refused") {
    House house;
    const ExtractedPart refused = extract(house.world, house.room, {.outside = OutsideReferences::refuse});
    CHECK(says(refused.outcome.message(), "Target\" of entity 2v1 refers to entity 0v1, which is outside"));
    CHECK(refused.part.empty());
    CHECK(house.world.size() == 4);
    ExtractedPart taken = extract(house.world, house.room, {.outside = OutsideReferences::null});
    World other;
    const Entity room = insert(other, taken.part).roots[0];
    const Entity door = other.names().find(room, "door");
    CHECK(!other.get<Target>(door).entity);
    CHECK(other.relations().size<Likes>() == 1);
  }
  TEST_CASE("values are moved, and destroyed once") {
    const CountedScope scope;
    {
      World world;
      World other;
      const Entity beside = make_counted(world, Entity(), 100);
      const Entity root = make_counted(world, Entity(), 1);
      for (int i = 2; i < 40; ++i) make_counted(world, i % 3 == 0 ? root : beside, i);
      const Entity there = make_counted(other, Entity(), 1000);
      const int sum = sum_of(world, root);
      const int rest = sum_of(world, beside);
      ExtractedPart taken = extract(world, root);
      REQUIRE(taken.outcome);
      CHECK(sum_of(world, beside) == rest);
      CHECK(world.validate());
      const InsertedPart put = insert(other, taken.part, there);
      REQUIRE(put.outcome);
      CHECK(sum_of(other, put.roots[0]) == sum);
      CHECK(other.validate());
      ExtractedPart dropped = extract(other, there);
      CHECK(dropped.outcome);
    }
    CHECK(scope.clean());
  }
  TEST_CASE("if memory fails, both worlds are whole") {
    const CountedScope scope;
    {
      FailingMemory memory;
      World world({.memory = &memory});
      const Entity beside = make_counted(world, Entity(), 100);
      const Entity root = make_counted(world, Entity(), 1);
      for (int i = 2; i < 12; ++i) make_counted(world, i % 2 == 0 ? root : beside, i);
      (void)world.names().set(root, "root");
      world.relations().add(root, beside, Likes{});
      world.relations().add(beside, root, Wants{});
      world.disable_subtree(root);
      world.set_layer(root, 3);
      const int sum = sum_of(world, root);
      const int rest = sum_of(world, beside);
      ExtractedPart taken{Outcome::done(), {}};
      const auto is_whole = [&](Entity whole, int wanted) {
        if (const Outcome sound = world.validate(); !sound) FAIL(sound.message());
        CHECK(sum_of(world, whole) == wanted);
        CHECK(sum_of(world, beside) == rest);
      };
      const std::size_t failed = sweep_out_of_memory(
          memory, [&] { taken = extract(world, root, {.memory = &memory}); },
          [&] {
            is_whole(root, sum);
            CHECK(world.relations().size<Wants>() == 1);
          });
      CHECK(failed > 10);
      REQUIRE(taken.outcome);
      const std::size_t size = taken.part.size();
      InsertedPart put{Outcome::done(), {}};
      const std::size_t failed_later = sweep_out_of_memory(
          memory, [&] { put = insert(world, taken.part, beside); },
          [&] {
            is_whole(beside, rest);
            CHECK(taken.part.size() == size);
          });
      CHECK(failed_later > 10);
      CHECK(sum_of(world, put.roots[0]) == sum);
      CHECK(world.validate());
    }
    CHECK(scope.clean());
  }
  TEST_CASE("observers are told that entities go and come, with their values") {
    World world;
    World other;
    std::string log;
    const auto observe = [&](World& of) {
      return std::array<Subscription, 2>{
          of.observers().on_add<Health>([&](Entity, Health& h) { log += "+" + std::to_string(h.points); }),
          of.observers().on_remove<Health>(
              [&](Entity, Health& h) { log += "-" + std::to_string(h.points); })};
    };
    const Entity root = world.create(Health{1});
    world.create(child_of(root), Health{2});
    const auto seen = observe(world);
    const auto seen_there = observe(other);
    ExtractedPart taken = extract(world, root);
    CHECK(log == "-2-1");
    CHECK(insert(other, taken.part).outcome);
    CHECK(log == "-2-1+1+2");
  }
  TEST_CASE("an instance of a prefab finds its counterparts again") {
    World world;
    const Entity prefab = world.create(Price{1, 0});
    const Entity below = world.create(child_of(prefab), Price{2, 0});
    world.make_prefab(prefab);
    const Entity instance = world.instantiate(prefab);
    ExtractedPart taken = extract(world, instance);
    const Entity again = insert(world, taken.part).roots[0];
    CHECK(world.prefab_of(again) == prefab);
    CHECK(world.counterpart(again, below) == *world.children(again).begin());
    CHECK(!world.is_prefab(again));
    CHECK(world.validate());
  }
  TEST_CASE("an instance that is saved or changes worlds leaves the memory of its world alone") {
    FailingMemory memory;
    World other;
    Entity again;
    {
      World world({.memory = &memory});
      const Entity prefab = world.create(Price{1, 0});
      world.make_prefab(prefab);
      const Entity instance = world.instantiate(prefab);
      const std::size_t before = memory.allocations();
      std::ostringstream file;
      CHECK(save(std::as_const(world), instance, file));
      CHECK(memory.allocations() == before);
      const Entity top = world.create();
      CHECK(world.set_parent(prefab, top));
      CHECK(world.set_parent(instance, top));
      ExtractedPart taken = extract(world, top);
      again = insert(other, taken.part).roots[0];
    }
    CHECK(memory.bytes() == 0);
    CHECK(other.validate());
    CHECK(other.child_count(again) == 2);
  }
  TEST_CASE("what relations refuse or destroy is refused") {
    House house;
    house.world.relations().add(house.outside, house.door, Guards{});
    CHECK(says(extract(house.world, house.room).outcome.message(), "cannot be extracted"));
    house.world.relations().remove<Guards>(house.outside, house.door);
    house.world.relations().add(house.door, house.outside, Owns{});
    CHECK(says(extract(house.world, house.room).outcome.message(),
               "destroys entity 0v1 with it: first remove the pair"));
    CHECK(house.world.size() == 4);
  }
  TEST_CASE("a component that is another one in the other world is refused by name") {
    World world;
    World other;
    const ComponentId id = world.component({.name = "level", .size = 4, .alignment = 4});
    (void)other.component({.name = "level", .size = 8, .alignment = 8});
    int value = 5;
    const Entity entity = world.create();
    world.add(entity, id, &value);
    ExtractedPart taken = extract(world, entity);
    const InsertedPart put = insert(other, taken.part);
    CHECK(says(
        put.outcome.message(),
        "\"level\" cannot get from one world to the other: it has another size there: describe it alike"));
    CHECK(put.roots.empty());
    CHECK(taken.part.size() == 1);
    CHECK(insert(world, taken.part).outcome);
    CHECK(world.size() == 1);
  }
  TEST_CASE("a taken name is refused, and the part stays") {
    World world({.sibling_names = SiblingNames::unique});
    const Entity parent = world.create();
    for (int i = 0; i < 2; ++i)
      (void)world.names().set(i == 0 ? world.create() : world.create(child_of(parent)), "door");
    ExtractedPart taken = extract(world, world.roots()[1]);
    const InsertedPart put = insert(world, taken.part, parent);
    CHECK(says(put.outcome.message(), "another child, is named \"door\""));
    CHECK(taken.part.size() == 1);
    CHECK(world.child_count(parent) == 1);
    CHECK(world.validate());
    CHECK(insert(world, taken.part).outcome);
  }
  TEST_CASE("stale entities, and changes in a query, are refused") {
    World world;
    const Entity gone = world.create();
    world.destroy(gone);
    CHECK(says(extract(world, gone).outcome.message(), "is stale or was never issued"));
    WorldPart part;
    CHECK(says(refusal([&] { (void)insert(world, part, gone); }), "insert below"));
    CHECK(insert(world, part).roots.empty());
    const Entity entity = world.create(Health{});
    world.query<Health>().each([&](Health&) {
      CHECK(says(refusal([&] { (void)extract(world, entity); }), "extract"));
      CHECK(says(refusal([&] { (void)insert(world, part); }), "insert"));
    });
  }
  TEST_CASE("a chain of 200,000 is extracted, and inserted by another thread") {
    World world;
    std::vector<std::uint32_t> parents(200'000);
    for (std::uint32_t i = 0; i < parents.size(); ++i) parents[i] = i == 0 ? kNoParent : i - 1;
    const BuiltHierarchy built = world.build_hierarchy(parents);
    ExtractedPart taken = extract(world, built.entities[1]);
    CHECK(taken.part.size() == 199'999);
    World other;
    std::thread([&, part = std::move(taken.part)]() mutable { (void)insert(other, part); }).join();
    CHECK(other.size() == 199'999);
    CHECK(other.validate());
    CHECK(world.validate());
  }
  TEST_CASE("what a query matches is written, with what is below it") {
    const House house;
    std::ostringstream all;
    std::ostringstream by_ids;
    REQUIRE(save(house.world, house.world.query<const Price>(), all));
    const std::array doors = {Term{Role::with, *house.world.find_component(name_of<Target>)}};
    REQUIRE(save(house.world, house.world.query(doors), by_ids));
    World target;
    make_known(target);
    (void)target.component<Target>();
    (void)target.relations().relation<Wants>();
    std::istringstream in(all.str());
    const InsertedPart inserted = load_below(target, in);
    REQUIRE_MESSAGE(inserted.outcome, inserted.outcome.message());
    CHECK(inserted.roots.size() == 2);
    CHECK(target.size() == 4);
    CHECK(target.names().find("door") == Entity());
    std::istringstream ids(by_ids.str());
    CHECK(load_below(target, ids).roots.size() == 2);
    CHECK_THROWS_AS((void)save(target, house.world.query<const Price>(), all), ContractViolation);
  }
  TEST_CASE("many pairs of a relation without cycles are moved without a search for each") {
    constexpr std::uint32_t kPairs = 20'000;
    FailingMemory memory;
    World other({.memory = &memory});
    World world;
    const Entity root = world.create();
    std::vector<Entity> entities(kPairs + 1);
    for (Entity& entity : entities) entity = world.create(child_of(root));
    // A chain whose entities have their indices in any order. It is added from its end, which is the cheap way.
    const auto at = [&](std::uint64_t i) { return entities[i * 7'919 % entities.size()]; };
    for (std::uint32_t i = kPairs; i-- > 0;) world.relations().add<Needs>(at(i), at(i + 1));
    ExtractedPart taken = extract(world, root);
    REQUIRE(taken.outcome);
    const std::size_t before = memory.allocations();
    REQUIRE(insert(other, taken.part).outcome);
    CHECK(memory.allocations() - before < kPairs / 10);  // Each search for a cycle takes memory.
    std::size_t pairs = 0;
    other.relations().each<Needs>([&](Entity, Entity) { ++pairs; });
    CHECK(pairs == kPairs);
    CHECK(other.validate());
  }
  TEST_CASE("subtrees are written and read, below any parent, all or nothing") {
    House house;
    std::stringstream file;
    const std::vector<Entity> some = {house.door, house.room, house.key, house.room};
    CHECK(save(house.world, some, file));
    const std::string bytes = file.str();
    const InsertedPart put = load_below(house.world, file, house.outside);
    REQUIRE(put.outcome);
    CHECK(put.roots.size() == 1);  // The others are below it.
    CHECK(house.world.child_count(house.outside) == 1);
    CHECK(house.world.size() == 7);
    CHECK(house.world.validate());
    for (std::size_t size = 0; size < bytes.size(); size += 7) {
      std::istringstream cut(bytes.substr(0, size));
      CHECK(!load_below(house.world, cut, house.outside).outcome);
    }
    CHECK(house.world.size() == 7);
    std::stringstream whole;
    CHECK(save(house.world, whole));
    World unknown;
    CHECK(says(load_below(unknown, whole).outcome.message(), "which the program does not know"));
  }
}

}  // namespace strata::test::parts_test
