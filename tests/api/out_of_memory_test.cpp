#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <array>
#include <functional>
#include <memory_resource>
#include <string>
#include <vector>

#include "../support/failing_memory.hpp"
#include "typed_kinds.hpp"
#include "world_mirror.hpp"

namespace strata::test::out_of_memory_test {

namespace {

/// Memory that a library must not take is refused while this lives.
class NoDefaultMemory {
 public:
  NoDefaultMemory() : before_(std::pmr::set_default_resource(std::pmr::null_memory_resource())) {}
  NoDefaultMemory(const NoDefaultMemory&) = delete;
  NoDefaultMemory& operator=(const NoDefaultMemory&) = delete;
  ~NoDefaultMemory() { std::pmr::set_default_resource(before_); }

 private:
  std::pmr::memory_resource* before_;
};

/// A small forest with something of every kind, and its memory.
struct Fixture {
  CountedScope scope;
  FailingMemory memory;
  std::vector<Entity> entities;

  void grow(World& world) {
    for (int i = 0; i < 12; ++i) {
      entities.push_back(i == 0 ? world.create(Health{i})
                                : world.create(child_of(entities[entities.size() / 3]), Health{i}));
      for (std::size_t kind = 1; kind < kTypedKinds.size(); ++kind) {
        if ((i + kind) % 3 == 0) kTypedKinds[kind].add(world, entities.back(), i);
      }
    }
  }

  /// Returns: everything that can be seen of the world, in words.
  std::string seen(World& world) const {
    std::string text = std::to_string(world.size());
    for (const Entity entity : entities) {
      text += '\n' + to_string(entity) + (world.alive(entity) ? " under " : " dead ") +
              to_string(world.parent(entity));
      for (const Entity child : world.children(entity)) text += ' ' + to_string(child);
      for (const TypedKind& kind : kTypedKinds) {
        text += kind.has(world, entity)
                    ? ' ' + std::string(kind.name) + '=' + std::to_string(kind.read(world, entity))
                    : "";
      }
    }
    world.query<Entity>().cascade().each([&](Entity entity) { text += ' ' + to_string(entity); });
    return text;
  }
};

// Not a template parameter, so that the sweep is compiled once.
using Change = std::function<void(World&, std::vector<Entity>&)>;

/// Lets `change` run out of memory at every allocation, and checks that nothing of it stays, and that observers, if
/// any, are told of nothing that did not happen.
void sweep(Layout layout, const Change& change, bool observed = false) {
  Fixture fixture;
  WorldMirror mirror;
  {
    World world(WorldOptions{.layout = layout, .memory = &fixture.memory, .large_family = 4});
    if (observed) mirror.watch(world);
    fixture.grow(world);
    const std::string before = fixture.seen(world);
    sweep_out_of_memory(
        fixture.memory,
        [&] {
          const NoDefaultMemory guard;
          change(world, fixture.entities);
        },
        [&] {
          const Outcome sound = world.validate();
          CHECK_MESSAGE(sound, sound.message());
          CHECK(fixture.seen(world) == before);
          const Disagreement wrong = mirror.compare(fixture.entities);
          CHECK_MESSAGE(!wrong, wrong.value_or(""));
        });
    const Outcome sound = world.validate();
    CHECK_MESSAGE(sound, sound.message());
    CHECK(fixture.seen(world) != before);
  }
  CHECK(!mirror.ended());
  CHECK(fixture.memory.blocks() == 0);
  CHECK(fixture.memory.complaint().empty());
  CHECK(fixture.scope.clean());
}

/// Without observers: while there are some, bulk operations change entities one by one; see BulkOperations.
void sweep_unobserved(const Change& change) {
  sweep(Layout::per_parent, change);
  sweep(Layout::per_level, change);
  sweep(Layout::adaptive, change);
}

void sweep_layouts(const Change& change) {
  sweep_unobserved(change);
  sweep(Layout::adaptive, change, true);
}

using Entities = std::vector<Entity>;

}  // namespace

TEST_SUITE("api/out_of_memory") {
  TEST_CASE("creating a root") {
    sweep_layouts([](World& world, const Entities&) { world.create(Counted{1}, SparseCounted{2}, Wide(3)); });
  }
  TEST_CASE("creating the first child of a leaf") {
    sweep_layouts([](World& world, const Entities& entities) {
      world.create(child_of(entities.back()), Counted{1}, SparseCounted{2}, SparseWide(3));
    });
  }
  TEST_CASE("creating through a spawner that is made for it") {
    sweep_layouts([](World& world, const Entities& entities) {
      world.spawner<Counted, SparseCounted, Wide>(child_of(entities[2]))
          .create(Counted{1}, SparseCounted{2}, Wide(3));
    });
    sweep_layouts([](World& world, const Entities&) {
      world.spawner<Counted, SparseCounted, Frozen>().create(Counted{1}, SparseCounted{2}, {});
    });
  }
  TEST_CASE("creating many") {
    sweep_layouts([](World& world, const Entities&) {
      world.create_many(300, Counted{1}, SparseCounted{2}, Huge(3), SparseFrozen{});
    });
    sweep_layouts([](World& world, const Entities& entities) {
      world.spawner<Counted, Health>(child_of(entities.back())).create_many(300, Counted{1}, Health{2});
    });
  }
  TEST_CASE("filling many") {
    const auto fill = [](std::span<const Entity>, std::span<Counted> counted, std::span<SparseOwner> owners) {
      for (Counted& value : counted) value = Counted{4};
      for (SparseOwner& value : owners) *value.value = 5;
    };
    sweep_layouts([&](World& world, const Entities&) { world.create_many<Counted, SparseOwner>(300, fill); });
    sweep_layouts([&](World& world, const Entities& entities) {
      world.spawner<Counted, SparseOwner>(child_of(entities.back())).create_many(300, fill);
    });
  }
  TEST_CASE("an accessor that adds to the side store") {
    sweep_layouts([](World& world, const Entities& entities) {
      world.accessor<SparsePosition>().add(entities[3], SparsePosition{});
      world.destroy(entities[4]);
    });
  }
  TEST_CASE("setting a resource") {
    sweep_layouts([](World& world, const Entities& entities) {
      world.resources().set(Wide(1));
      world.destroy(entities[4]);
    });
  }
  TEST_CASE("shrinking") {
    sweep_layouts([](World& world, const Entities& entities) {
      world.shrink();
      world.destroy(entities[4]);
    });
  }
  TEST_CASE("creating a given handle far above the others") {
    sweep_layouts([](World& world, const Entities&) { world.create_at(Entity(5000, 1)); });
  }
  TEST_CASE("restoring a handle") {
    sweep_layouts([](World& world, const Entities&) {
      const Entity gone(12, 3);
      if (world.create_at(gone)) world.destroy(gone);
      world.shrink();
      (void)world.restore(gone);
    });
  }
  TEST_CASE("adding a component that no table has yet") {
    sweep_layouts([](World& world, const Entities& entities) { world.add(entities[3], Velocity{1, 2, 3}); });
  }
  TEST_CASE("adding to the side store") {
    sweep_layouts([](World& world, const Entities& entities) {
      const Entity entity = entities[world.has<SparseOwner>(entities[3]) ? 4 : 3];
      world.add(entity, SparseOwner(7));
    });
  }
  TEST_CASE("removing the component of a whole table") {
    sweep_layouts([](World& world, const Entities& entities) { world.remove<Health>(entities[0]); });
  }
  TEST_CASE("moving a subtree to another depth") {
    sweep_layouts(
        [](World& world, const Entities& entities) { (void)world.set_parent(entities[2], entities.back()); });
  }
  TEST_CASE("setting all children, of which some leave and others are taken out of subtrees") {
    sweep_layouts([](World& world, const Entities& entities) {
      // Entity 0 has the children 1 and 2; below them are the others.
      (void)world.set_children(entities[0], std::array{entities[11], entities[2], entities[4]});
    });
    sweep_layouts([](World& world, const Entities& entities) {
      (void)world.set_children(entities[2], std::array{entities[1], entities[9], entities[3]});
    });
  }
  TEST_CASE("making a subtree a root") {
    sweep_layouts([](World& world, const Entities& entities) { world.clear_parent(entities[1]); });
  }
  TEST_CASE("destroying a subtree") {
    sweep_layouts([](World& world, const Entities& entities) { world.destroy(entities[0]); });
  }
  TEST_CASE("destroying many") {
    sweep_layouts([](World& world, const Entities& entities) {
      world.destroy(std::array{entities[4], entities[11], entities[1], entities[3]});
    });
    sweep_layouts([](World& world, const Entities&) { world.destroy(world.query<With<Wide>>()); });
  }
  TEST_CASE("adding to many") {
    sweep_unobserved([](World& world, const Entities& entities) { world.add(entities, Counted{77}); });
    sweep_unobserved([](World& world, const Entities& entities) { world.add(entities, SparseCounted{77}); });
    sweep_unobserved([](World& world, const Entities& entities) {
      world.add(entities, Velocity{1, 2, 3});
      world.add(entities[0], Health{9});
    });
    sweep_unobserved([](World& world, const Entities&) {
      world.add<Frozen>(world.query<With<SparseHealth>>());
      world.add<SparseFrozen>(world.query<Entity>());
    });
  }
  TEST_CASE("removing from many") {
    sweep_unobserved([](World& world, const Entities& entities) { world.remove<Health>(entities); });
    sweep_unobserved([](World& world, const Entities&) { world.remove<Counted>(world.query<Entity>()); });
    sweep_unobserved([](World& world, const Entities& entities) { world.remove<SparseCounted>(entities); });
  }
  TEST_CASE("destroying everything") {
    sweep_layouts([](World& world, const Entities&) { world.clear(); });
  }
  TEST_CASE("destroying an inner entity alone") {
    sweep_layouts(
        [](World& world, const Entities& entities) { world.destroy(entities[0], ChildPolicy::orphan); });
  }
  TEST_CASE("a flush that runs out of memory goes on where it stopped") {
    std::string expected;
    for (std::size_t nth = 0;; ++nth) {
      Fixture fixture;
      bool failed = false;
      {
        World world(WorldOptions{.memory = &fixture.memory});
        fixture.grow(world);
        Commands& commands = world.commands();
        const Entities old = fixture.entities;
        for (int i = 0; i < 5; ++i) {
          const Entity created = commands.create(child_of(old[5]), Counted(i), SparseCounted(i), Velocity{});
          fixture.entities.push_back(created);
          commands.add(created, SparseWide(1));
        }
        commands.set_parent(old[1], old[2]);
        commands.add(old[3], SparseCounted(9));
        commands.add(old[3], Velocity{});
        commands.destroy(old[4]);
        fixture.memory.fail_at(nth);
        try {
          world.flush();
        } catch (const std::bad_alloc&) {
          failed = true;
        }
        fixture.memory.never_fail();
        const Outcome sound = world.validate();
        CHECK_MESSAGE(sound, sound.message());
        world.flush();
        if (nth == 0) expected = fixture.seen(world);
        CHECK(fixture.seen(world) == expected);
      }
      CHECK(fixture.memory.blocks() == 0);
      CHECK(fixture.scope.clean());
      if (nth != 0 && !failed) break;
    }
  }
}

}  // namespace strata::test::out_of_memory_test
