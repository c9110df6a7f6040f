#include "../../hierarchy/shrinker.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "../../hierarchy/hierarchy_commands.hpp"
#include "subject.hpp"

namespace strata::test::shrinker_test {

using namespace detail;

namespace {

struct Fixture {
  Subject subject{Layout::per_parent};
  Layers layers{subject.store};
  States states{subject.store, subject.hierarchy.links(), subject.hierarchy.notifier()};
  HierarchyCommands target{subject.store, subject.hierarchy, layers, states};
  CommandBuffer commands{subject.store, target};
  EventRouter events{subject.store, subject.hierarchy.links()};
  Shrinker shrinker{subject.store, subject.hierarchy, events, commands};

  bool run(std::size_t steps) {
    auto keep_going = [&] { return --steps != 0; };
    return shrinker.run(KeepGoing(keep_going));
  }
};

}  // namespace

TEST_SUITE("hierarchy/shrinker") {
  TEST_CASE_FIXTURE(Fixture, "families that are gone leave neither tables nor links nor branches") {
    const Entity first = subject.create({}, 0);
    std::vector<Entity> parents;
    for (int i = 0; i < 1000; ++i) {
      parents.push_back(subject.create({}, i));
      subject.create(parents.back(), i);
    }
    CHECK(subject.store.tables().branch_count() == 1000);
    for (const Entity parent : parents) subject.hierarchy.destroy(parent, ChildPolicy::destroy);
    const std::size_t before = subject.memory.bytes();
    CHECK(run(1000));
    CHECK(subject.store.tables().branch_count() == 0);
    CHECK(subject.store.tables().numbered() == 1);
    CHECK(subject.hierarchy.links().size() == 0);
    CHECK(subject.memory.bytes() < before / 2);
    CHECK(subject.store.alive(first));
    CHECK(subject.broken() == "");
    subject.create(subject.create(first, 1), 2);
    CHECK(subject.broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "one step at a time comes to the same end") {
    std::vector<Entity> parents;
    for (int i = 0; i < 1000; ++i) {
      parents.push_back(subject.create({}, i));
      subject.create(parents.back(), i, i % 2 == 0);
    }
    for (std::size_t i = 500; i < parents.size(); ++i) {
      subject.hierarchy.destroy(parents[i], ChildPolicy::destroy);
    }
    int steps = 1;
    while (!run(1)) ++steps;
    CHECK(steps > 30);
    CHECK(subject.broken() == "");
    const std::size_t after = subject.memory.bytes();
    CHECK(run(1000));
    CHECK(subject.memory.bytes() == after);
  }
  TEST_CASE_FIXTURE(Fixture, "recorded commands stay recorded") {
    const Entity entity = subject.create({}, 1);
    const Entity later = commands.create(std::nullopt);
    commands.destroy(entity);
    CHECK(run(1000));
    commands.apply();
    CHECK(!subject.store.alive(entity));
    CHECK(subject.store.alive(later));
    CHECK(run(1000));
    CHECK(subject.broken() == "");
  }
}

}  // namespace strata::test::shrinker_test
