#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "../../core/contract.hpp"
#include "../../include/strata/storage_advisor.hpp"
#include "../../include/strata/strata.hpp"
#include "../support/components.hpp"

namespace strata::test::storage_advisor_test {

namespace {

struct Burning {
  float heat = 0;
};
struct Dusty {
  int grains = 0;
};
struct Followed {
  int steps = 0;
};

/// A world of fighters, and an advisor of it.
struct Subject {
  World world;
  StorageAdvisor advisor{world};
  std::vector<Entity> entities;

  explicit Subject(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) entities.push_back(world.create(Position{}, Velocity{}));
  }

  template <class T>
  StorageAdvice::Component advice() {
    const StorageAdvice all = advisor.advise();
    const StorageAdvice::Component* const one = all.find(world.component<T>());
    return one != nullptr ? *one : StorageAdvice::Component();
  }
  template <class T>
  StorageAdvice::Accesses counts() {
    return advice<T>().use.accesses;
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

}  // namespace

}  // namespace strata::test::storage_advisor_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::storage_advisor_test::Dusty> =
    strata::Storage::sparse;
template <>
inline constexpr strata::Tracking strata::tracking_of<strata::test::storage_advisor_test::Followed> =
    strata::Tracking::blocks;

namespace strata::test::storage_advisor_test {

namespace {

TEST_SUITE("api/storage_advisor") {
  TEST_CASE("look-ups are counted by whether they hit, by type and by id, in either storage") {
    Subject s(2);
    s.world.add(s.entities[0], Burning{});
    s.world.add(s.entities[0], Dusty{});
    s.advisor.start();
    int hits = 0;
    for (const Entity entity : s.entities) {
      hits += s.world.has<Burning>(entity) ? 1 : 0;
      hits += s.world.find<Burning>(entity) != nullptr ? 1 : 0;
      hits += s.world.has<Dusty>(entity) ? 1 : 0;
      hits += s.world.has(entity, s.world.component<Dusty>()) ? 1 : 0;
    }
    s.world.set(s.entities[0], Burning{2});
    hits += s.world.get<Burning>(s.entities[0]).heat == 2 ? 1 : 0;
    s.advisor.stop();
    CHECK(hits == 5);
    CHECK(s.counts<Burning>().found == 4);
    CHECK(s.counts<Burning>().missed == 2);
    CHECK(s.counts<Dusty>().found == 2);
    CHECK(s.counts<Dusty>().missed == 2);
    CHECK(s.counts<Position>().look_ups() == 0);
  }

  TEST_CASE("additions, replacements and removals are counted apart, with what a row holds beside") {
    Subject s(3);
    s.advisor.start();
    for (const Entity entity : s.entities) {
      s.world.add(entity, Burning{});
      s.world.add(entity, Burning{1});
      s.world.add(entity, Dusty{});
    }
    s.world.remove<Burning>(s.entities[0]);
    s.world.remove<Burning>(s.entities[0]);
    s.world.remove<Dusty>(s.entities[1]);
    s.advisor.stop();
    const StorageAdvice::Accesses burning = s.counts<Burning>();
    CHECK(burning.added == 3);
    CHECK(burning.replaced == 3);
    CHECK(burning.removed == 1);
    CHECK(burning.changed_bytes == 4 * (sizeof(Position) + sizeof(Velocity) + sizeof(Entity)));
    const StorageAdvice::Accesses dusty = s.counts<Dusty>();
    CHECK(dusty.added == 3);
    CHECK(dusty.removed == 1);
    CHECK(s.world.get<Burning>(s.entities[2]).heat == 1);
    CHECK(s.world.validate());
  }

  TEST_CASE("commands are counted once for each entity, as they are applied") {
    Subject s(2);
    s.advisor.start();
    for (const Entity entity : s.entities) {
      s.world.commands().add(entity, Burning{});
      s.world.commands().add(entity, Burning{3});
      s.world.commands().remove<Dusty>(entity);
    }
    CHECK(s.counts<Burning>().added == 0);
    s.world.flush();
    s.advisor.stop();
    CHECK(s.counts<Burning>().added == 2);
    CHECK(s.counts<Dusty>().changes() == 0);
  }

  TEST_CASE("iterations are counted in rows, with what else they ask of") {
    Subject s(10);
    s.world.add(s.entities[0], Dusty{});
    auto both = s.world.query<Position, const Velocity>();
    auto alone = s.world.query<Position>();
    auto dusty = s.world.query<const Dusty, With<Velocity>>();
    s.advisor.start();
    both.each([](Position&, const Velocity&) {});
    alone.each_block([](std::span<Position>) {});
    for ([[maybe_unused]] auto row : both) break;
    dusty.each([](const Dusty&) {});
    s.advisor.stop();
    both.each([](Position&, const Velocity&) {});
    const StorageAdvice::Component::Use position = s.advice<Position>().use;
    CHECK(position.iterated == 30);
    CHECK(position.iterated_alone == 10);
    CHECK(position.iterated_with == std::vector<std::string>{"Velocity"});
    CHECK(s.advice<Velocity>().use.iterated == 21);
    CHECK(s.advice<Dusty>().use.iterated == 1);
  }

  TEST_CASE("what is toggled a lot and rarely iterated belongs in the side store") {
    Subject s(1'000);
    auto burning = s.world.query<Burning>();
    auto movement = s.world.query<Position, const Velocity>();
    s.advisor.start();
    for (int frame = 0; frame < 10; ++frame, s.advisor.next_frame()) {
      for (const Entity entity : s.entities) s.world.add(entity, Burning{});
      for (std::size_t i = 10; i < s.entities.size(); ++i) s.world.remove<Burning>(s.entities[i]);
      burning.each([](Burning&) {});
      movement.each([](Position&, const Velocity&) {});
      for (std::size_t i = 0; i < 10; ++i) s.world.remove<Burning>(s.entities[i]);
    }
    s.advisor.stop();
    const StorageAdvice::Component advice = s.advice<Burning>();
    CHECK(advice.current == Storage::table);
    CHECK(advice.recommended == Storage::sparse);
    CHECK(advice.saving > 0);
    CHECK(advice.saved_share() > 0.5);
    CHECK(contains(advice.reason, "2,000 times a frame"));
    CHECK(contains(advice.reason, "rows of 32 other bytes"));
    CHECK(contains(advice.reason, "10 rows a frame"));
    CHECK(s.advice<Position>().recommended == Storage::table);
    CHECK(contains(s.advisor.report(), "Burning: side store. It is added or removed"));
  }

  TEST_CASE("what is iterated a lot and never toggled belongs in tables") {
    World world;
    StorageAdvisor advisor(world);
    for (int i = 0; i < 1'000; ++i) world.create(Position{}, Dusty{});
    auto query = world.query<Position, Dusty>();
    advisor.start();
    for (int frame = 0; frame < 10; ++frame, advisor.next_frame()) query.each([](Position&, Dusty&) {});
    advisor.stop();
    const StorageAdvice advice = advisor.advise();
    const StorageAdvice::Component* const dusty = advice.find(world.component<Dusty>());
    REQUIRE(dusty != nullptr);
    CHECK(dusty->current == Storage::sparse);
    CHECK(dusty->recommended == Storage::table);
    CHECK(advice.cost_recommended < advice.cost_now);
    CHECK(contains(dusty->reason, "1,000 rows a frame, together with Position"));
    CHECK(contains(dusty->reason, "It is never added or removed"));
    CHECK(!advice.find(world.component<Position>())->moves());
  }

  TEST_CASE("without enough uses everything is kept, and the reason says so") {
    Subject s(10);
    s.advisor.start();
    for (const Entity entity : s.entities) s.world.add(entity, Burning{});
    s.advisor.stop();
    const StorageAdvice::Component advice = s.advice<Burning>();
    CHECK(!advice.moves());
    CHECK(advice.saving == 0);
    CHECK(contains(advice.reason, "too little to tell"));
    CHECK(contains(s.advisor.report(), "Burning: keep, in the tables."));
  }

  TEST_CASE("what is visited in blocks, or tracked, stays in tables, and the reason says so") {
    Subject s(1'000);
    auto burning = s.world.query<Burning>();
    s.advisor.start();
    for (const Entity entity : s.entities) {
      s.world.add(entity, Burning{});
      s.world.add(entity, Followed{});
    }
    burning.each_block([](std::span<Burning>) {});
    s.advisor.stop();
    CHECK(!s.advice<Burning>().moves());
    CHECK(contains(s.advice<Burning>().reason, "in blocks"));
    CHECK(!s.advice<Followed>().moves());
    CHECK(contains(s.advice<Followed>().reason, "tracked"));
  }

  TEST_CASE("costs that the user gives decide") {
    World world;
    StorageAdvice::Costs costs;
    costs.pool_change = 1'000;
    StorageAdvisor advisor(world, costs);
    const Entity entity = world.create(Position{});
    advisor.start();
    for (int i = 0; i < 2'000; ++i) {
      world.add(entity, Burning{});
      world.remove<Burning>(entity);
    }
    advisor.stop();
    CHECK(!advisor.advise().find(world.component<Burning>())->moves());
  }

  TEST_CASE("a second advisor of a running world is refused, and one that ends stops") {
    World world;
    StorageAdvisor second(world);
    {
      StorageAdvisor first(world);
      first.start();
      CHECK_THROWS_AS(second.start(), ContractViolation);
      CHECK(!second.running());
      CHECK_THROWS_AS(first.start(), ContractViolation);
      CHECK(first.running());
    }
    second.start();
    CHECK(second.running());
    second.stop();
    second.stop();
    CHECK(detail::parts_of(world).store.observer() == nullptr);
  }

  TEST_CASE("components that a world sees first while it is observed are found, then and later") {
    World world;
    StorageAdvisor advisor(world);
    advisor.start();
    const Entity entity = world.create(Position{1, 2, 3}, Dusty{4});
    world.add(entity, Burning{5});
    CHECK(world.get<Position>(entity).y == 2);
    CHECK(world.get<Dusty>(entity).grains == 4);
    CHECK(!world.has<Velocity>(entity));
    advisor.stop();
    CHECK(world.get<Burning>(entity).heat == 5);
    CHECK(world.has<Dusty>(entity));
    CHECK(!world.has<Velocity>(entity));
    CHECK(world.validate());
  }

  TEST_CASE("stopped, it counts nothing; started again, it goes on; cleared, it begins anew") {
    Subject s(1);
    const auto look = [&] { CHECK(s.world.has<Position>(s.entities[0])); };
    s.advisor.start();
    look();
    s.advisor.stop();
    look();
    s.advisor.next_frame();
    CHECK(s.counts<Position>().found == 1);
    CHECK(s.advisor.advise().frames == 0);
    s.advisor.start();
    look();
    s.advisor.stop();
    CHECK(s.counts<Position>().found == 2);
    s.advisor.clear();
    CHECK(s.counts<Position>().found == 0);
  }

  TEST_CASE("components that the library adds stay where they are, and the report says so") {
    World world;
    const Entity entity = world.create(Health{});
    world.disable(entity);
    REQUIRE(world.names().set(entity, "a"));
    StorageAdvisor advisor(world);
    advisor.start();
    advisor.stop();
    const std::string report = advisor.report();
    CHECK(report.find("Queries visit it in blocks") == std::string::npos);
    CHECK(report.find("The library adds and removes it") != std::string::npos);
  }
  TEST_CASE("several readers are counted at the same time") {
    Subject s(100);
    s.advisor.start();
    const World& world = s.world;
    const auto read = [&] {
      int found = 0;
      for (const Entity entity : s.entities) found += world.has<Position>(entity) ? 1 : 0;
      CHECK(found == 100);
    };
    { std::jthread first(read), second(read); }
    s.advisor.stop();
    CHECK(s.counts<Position>().found == 200);
  }
}

}  // namespace

}  // namespace strata::test::storage_advisor_test
