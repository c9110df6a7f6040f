#include "strata/saving.hpp"

#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "../support/hooked.hpp"
#include "../support/refusal.hpp"
#include "saving_turns.hpp"

namespace strata::test::saving_test {

namespace {

struct Unknown {
  int number = 0;
};
struct Secret {
  int number = 0;
};
/// Written by a function of the test.
struct Written {
  static inline std::function<void()> writes;
  int number = 0;
};

}  // namespace
}  // namespace strata::test::saving_test

template <>
inline constexpr bool strata::can_toggle<strata::test::saving_test::Secret> = true;
template <>
inline constexpr auto strata::members_of<strata::test::saving_test::Written> =
    strata::OwnFormat{[](const strata::test::saving_test::Written& value, strata::ByteWriter& writer) {
                        if (value.writes) value.writes();
                        writer.write(value.number);
                      },
                      [](strata::test::saving_test::Written& value, strata::ByteReader& reader) {
                        value.number = reader.read<int>();
                        return true;
                      }};

namespace strata::test::saving_test {
namespace {

/// Two worlds that contain the same: a parent with two children, of which the first has an item and likes the other.
struct Twins {
  World first{{.layout = Layout::per_parent}};
  World second{{.layout = Layout::per_level}};
  Entity parent, one, two;

  Twins() {
    for (World* world : {&first, &second}) {
      parent = world->create(Speed{1, 2});
      one = world->create(child_of(parent), Item{});
      two = world->create(child_of(parent), SparseItem{});
      world->relations().add(one, two, Likes{3});
      (void)world->names().set(one, "one");
    }
    CHECK(digest(first) == digest(second));
    CHECK(find_differences(first, second).empty());
  }

  /// Returns: what differs after a change of the second world, in words, one line each.
  template <class Change>
  std::string after(Change change) {
    change(second);
    CHECK(digest(first) != digest(second));
    std::string text;
    for (const WorldDifference& difference : find_differences(first, second)) {
      text += (text.empty() ? "" : "\n") + difference.sentence;
    }
    return text;
  }
};

}  // namespace

TEST_SUITE("api/saving") {
  TEST_CASE("the digest of a world is a golden number, the same on every machine") {
    CHECK(digest(World()) == 0);
    Twins twins;
    CHECK(digest(twins.first) == 4061071493123760617u);
  }
  TEST_CASE("a difference is named by entity, component and member") {
    Twins twins;
    const Entity one = twins.one;
    CHECK(twins.after([&](World& world) { world.get<Item>(one).price.factor = 0.5; }) ==
          "entity 1v1 has \"strata::test::Item\", whose price.factor is 0 in the first world, and 0.5 in the "
          "second");
    const std::vector<WorldDifference> found = find_differences(twins.first, twins.second);
    REQUIRE(found.size() == 1);
    CHECK(found[0].entity == one);
    CHECK(found[0].component == "strata::test::Item");
    CHECK(found[0].path == "price.factor");
  }
  TEST_CASE("every part of what a world contains can differ") {
    const auto after = [](auto change) {
      Twins twins;
      return twins.after([&](World& world) { change(world, twins); });
    };
    CHECK(after([](World& world, Twins&) { world.create(); }) == "entity 3v1 is only in the second world");
    CHECK(after([](World& world, Twins& twins) { world.clear_parent(twins.two); }) ==
          "entity 2v1 has the parent 0v1 in the first world, and none in the second");
    CHECK(after([](World& world, Twins& twins) { (void)world.move_child_before(twins.two, twins.one); }) ==
          "entity 1v1 follows the child none in the first world, and 2v1 in the second\n"
          "entity 2v1 follows the child 1v1 in the first world, and none in the second");
    CHECK(after([](World& world, Twins& twins) { (void)world.names().set(twins.two, "two"); }) ==
          "entity 2v1 has the name none in the first world, and \"two\" in the second");
    CHECK(after([](World& world, Twins& twins) { world.add<Marked>(twins.two); }) ==
          "entity 2v1 has \"strata::test::Marked\" only in the second world");
    CHECK(after([](World& world, Twins& twins) { world.remove<SparseItem>(twins.two); }) ==
          "entity 2v1 has \"strata::test::SparseItem\" only in the first world");
    CHECK(after([](World& world, Twins& twins) { world.disable(twins.two); }) ==
          "entity 2v1 has \"strata::Disabled\" only in the second world\n"
          "entity 2v1 has \"strata:disabled itself\" only in the second world");
    CHECK(after([](World& world, Twins& twins) { world.relations().add(twins.one, twins.two, Likes{4}); }) ==
          "entity 1v1 has \"strata::test::Likes\" to 2v1, whose much is 3 in the first world, and 4 in the "
          "second");
    CHECK(after([](World& world, Twins& twins) { world.relations().add(twins.two, twins.one, Docked{}); }) ==
          "entity 2v1 has \"strata::test::Docked\" to 1v1 only in the second world");
  }
  TEST_CASE("the generation of a handle is a part of what a world contains") {
    World world;
    const Entity entity = world.create();
    World other;
    other.destroy(other.create());
    CHECK(other.create().index() == entity.index());
    CHECK(digest(world) != digest(other));
    CHECK(find_differences(world, other).size() == 2);
    CHECK(find_differences(world, other, 1).size() == 1);
  }
  TEST_CASE("components that are not described are refused by name, or left out") {
    Twins twins;
    (void)twins.first.component<Unknown>();
    CHECK(digest(twins.first) == digest(twins.second));  // No entity has it.
    twins.first.add(twins.one, Unknown{1});
    const std::string said = refusal([&] { (void)digest(twins.first); });
    CHECK(said.find("Unknown\" are not described: write members_of for it") != std::string::npos);
    CHECK(!refusal([&] { (void)find_differences(twins.second, twins.first); }).empty());
    CHECK(digest(twins.first, Undescribed::leave_out) == digest(twins.second));
    CHECK(find_differences(twins.first, twins.second, 9, Undescribed::leave_out).empty());
  }
  TEST_CASE("that a component is switched off is left out together with it") {
    World world;
    const Entity entity = world.create(Secret{1});
    World without;
    without.create();
    CHECK(world.disable<Secret>(entity));
    const std::uint64_t digest_without = digest(without);
    CHECK(digest(world, Undescribed::leave_out) == digest_without);
    CHECK(find_differences(world, without, 9, Undescribed::leave_out).empty());
    std::stringstream file;
    REQUIRE(save(world, file, {.undescribed = Undescribed::leave_out}));
    CHECK(digest(load(file, world).world) == digest_without);
  }
  TEST_CASE("a component that two worlds describe in different ways is compared as text") {
    const ValueType number{.kind = ValueKind::integer, .size = 4};
    const ValueType natural{.kind = ValueKind::natural, .size = 4};
    World first;
    World second;
    ComponentInfo info{.name = "level", .size = 4, .alignment = 4};
    for (auto [world, type] : {std::pair(&first, &number), std::pair(&second, &natural)}) {
      info.value = type;
      const ComponentId id = world->component(info);
      int value = 5;
      world->add(world->create(), id, &value);
    }
    CHECK(find_differences(first, second).empty());
  }
  TEST_CASE("functions that write values for digest and find_differences cannot change the worlds") {
    World first;
    World second;
    const Entity entity = first.create(Written{1});
    CHECK(second.create(Written{2}) == entity);
    int refused = 0;
    std::vector<World*> read = {&first};
    Written::writes = [&] {
      for (World* world : read) {
        if (says(refusal([&] { world->destroy(entity); }), "while a query is iterating")) ++refused;
      }
    };
    (void)digest(first);
    CHECK(refused == 1);
    refused = 0;
    read.push_back(&second);
    CHECK(find_differences(first, second).size() == 1);
    CHECK(refused >= 4);
    Written::writes = nullptr;
    CHECK(first.alive(entity));
    CHECK(first.destroy(entity));  // Nothing is under way any more.
  }
  TEST_CASE("a digest and a comparison are refused by their names while values are moved") {
    const HookScope hooks;
    World world;
    const World other;
    const Entity entity = world.create(Hooked(1));
    std::string digested, compared;
    hooks->moved = [&](int) {
      digested = refusal([&] { (void)digest(world); });
      compared = refusal([&] { (void)find_differences(other, world); });
    };
    world.add(entity, Speed{});
    hooks->moved = nullptr;
    CHECK(digested == "digest while add is under way: wait until that has ended");
    CHECK(compared == "find_differences while add is under way: wait until that has ended");
    CHECK(world.validate());
  }
  TEST_CASE("a digest may be taken while a query iterates and in observers") {
    World world;
    const Entity entity = world.create(Speed{1, 2});
    const std::uint64_t before = digest(world);
    world.query<const Speed>().each([&](const Speed&) { CHECK(digest(world) == before); });
    bool observed = false;
    const Subscription removal = world.observers().on_remove<Speed>([&](Entity, Speed&) {
      observed = digest(world) == before && find_differences(world, world).empty();
    });
    world.remove<Speed>(entity);
    CHECK(observed);
  }
}

}  // namespace strata::test::saving_test
