#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"

namespace strata::test::related_failures_test {

/// Both are stored in tables.
struct Serves {};
struct Follows {};
struct CarriedBy {};

}  // namespace strata::test::related_failures_test

template <>
inline constexpr strata::RelationOptions
    strata::relation_options_of<strata::test::related_failures_test::Serves> = {.storage =
                                                                                    strata::Storage::table};
template <>
inline constexpr strata::RelationOptions
    strata::relation_options_of<strata::test::related_failures_test::Follows> = {
        .exclusive = true, .storage = strata::Storage::table, .queried = true};
template <>
inline constexpr strata::RelationOptions
    strata::relation_options_of<strata::test::related_failures_test::CarriedBy> = {
        .exclusive = true, .target_destroyed = strata::PairCleanup::destroy};

namespace strata::test::related_failures_test {
namespace {

/// An entity below a root, with children and grandchildren, of which some have pairs with it, as others have.
struct Scene {
  explicit Scene(Layout layout) : world({.layout = layout, .memory = &memory, .large_family = 3}) {
    root = world.create(Counted{1});
    middle = world.create(child_of(root), Counted{2});
    for (int i = 0; i < 6; ++i) children.push_back(world.create(child_of(middle), Counted{10 + i}));
    for (int i = 0; i < 12; ++i) {
      below.push_back(world.create(child_of(children[static_cast<std::size_t>(i) / 4]), Counted{20 + i}));
    }
    for (int i = 0; i < 5; ++i) outside.push_back(world.create(Counted{40 + i}));
    sibling = world.create(child_of(root), Counted{50});
    carried = world.create(child_of(below[0]), Counted{60});
    Relations& relations = world.relations();
    for (const Entity source : {root, children[1], children[4], below[0], below[5], below[6], sibling}) {
      relations.add<Serves>(source, middle);
      relations.add<Follows>(source, middle);
    }
    for (const Entity source : outside) relations.add<Serves>(source, middle);
    relations.add<Serves>(outside[1], carried);
    relations.add<Serves>(below[0], children[5]);
    relations.add<Serves>(below[7], children[5]);
    relations.add<CarriedBy>(children[5], middle);
    relations.add<CarriedBy>(carried, middle);
    relations.add<Serves>(middle, root);
  }

  /// Returns: where all entities are, whether they are disabled, and their pairs.
  std::string seen() {
    std::string text = std::to_string(world.size());
    for (std::uint32_t index = 0; index < 40; ++index) {
      const Entity entity(index, 1);
      if (!world.alive(entity)) continue;
      text += '\n' + to_string(entity) + " below " + to_string(world.parent(entity)) + ' ' +
              std::to_string(world.depth(entity)) + (world.disabled(entity) ? " off" : "") + ' ' +
              std::to_string(world.get<Counted>(entity).value());
      for (const Entity child : world.children(entity)) text += ' ' + to_string(child);
      text += " serves";
      for (const Entity target : world.relations().targets<Serves>(entity)) text += ' ' + to_string(target);
      text += " follows " + to_string(world.relations().target<Follows>(entity));
    }
    std::size_t served = 0;
    world.query<Entity>().to<Serves>(middle).each([&](Entity source) { served += source.index(); });
    return text + "\nserved by " + std::to_string(served);
  }

  FailingMemory memory;
  World world;
  Entity root, middle, sibling, carried;
  std::vector<Entity> children, below, outside;
};

/// Destroys the middle entity, whose children become roots, with each allocation failing in turn.
void sweep(Layout layout, bool disabled, bool observed) {
  const CountedScope scope;
  {
    Scene scene(layout);
    World& world = scene.world;
    if (disabled) world.disable(scene.middle);
    if (disabled) world.disable(scene.children[2]);
    std::size_t told = 0;
    Subscription observer;
    if (observed) observer = world.observers().on_destroy([&](Entity) { ++told; });
    world.shrink();
    const std::string before = scene.seen();
    const std::size_t failures = sweep_out_of_memory(
        scene.memory, [&] { world.destroy(scene.middle, ChildPolicy::orphan); },
        [&] {
          const Outcome sound = world.validate();
          CHECK_MESSAGE(sound, sound.message());
          CHECK(scene.seen() == before);
          CHECK(told == 0);
        });
    CHECK(failures > 10);
    const Outcome sound = world.validate();
    CHECK_MESSAGE(sound, sound.message());
    CHECK(told == (observed ? 3 : 0));
    CHECK_FALSE(world.alive(scene.middle));
    CHECK_FALSE(world.alive(scene.children[5]));
    CHECK_FALSE(world.alive(scene.carried));
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(world.parent(scene.children[i]) == Entity());
      CHECK(world.disabled(scene.children[i]) == (disabled && i == 2));
    }
    CHECK(world.parent(scene.below[5]) == scene.children[1]);
    CHECK(world.depth(scene.below[5]) == 1);
    CHECK(world.relations().size<Serves>() == 0);
    CHECK(world.relations().size<Follows>() == 0);
  }
  CHECK(scope.clean());
}

}  // namespace

TEST_SUITE("api/related_failures") {
  TEST_CASE("destroying an entity that has sources in tables, without its children, is all or nothing") {
    for (const Layout layout : {Layout::per_parent, Layout::per_level, Layout::adaptive}) {
      for (const bool disabled : {false, true}) {
        for (const bool observed : {false, true}) {
          CAPTURE(static_cast<int>(layout));
          CAPTURE(disabled);
          sweep(layout, disabled, observed);
        }
      }
    }
  }
  TEST_CASE("it is, too, if children have a layout of their own that they lose") {
    for (const Layout layout : {Layout::per_parent, Layout::per_level, Layout::adaptive}) {
      const CountedScope scope;
      {
        Scene scene(Layout::per_level);
        World& world = scene.world;
        world.set_layout(scene.middle, layout);
        world.shrink();
        const std::string before = scene.seen();
        sweep_out_of_memory(
            scene.memory, [&] { world.destroy(scene.middle, ChildPolicy::orphan); },
            [&] {
              const Outcome sound = world.validate();
              CHECK_MESSAGE(sound, sound.message());
              CHECK(scene.seen() == before);
            });
        CHECK(world.validate());
        CHECK(world.parent(scene.children[4]) == Entity());
      }
      CHECK(scope.clean());
    }
  }
}

}  // namespace strata::test::related_failures_test
