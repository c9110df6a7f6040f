// Events of the user's own: which functions are called, in which order, at which entities.
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <strata/strata.hpp>
#include <string>
#include <utility>
#include <vector>

#include "../support/components.hpp"
#include "../support/refusal.hpp"
#include "event_window.hpp"

namespace strata::test::events_test {

using namespace event_window;

TEST_SUITE("api/events") {
  TEST_CASE("functions are called with events of their type, everywhere or at their entity") {
    Window w;
    w.listen<Click>("any:");
    w.listen<Click>(w.button, "own:");
    w.listen<Damage>("other:");
    CHECK(w.events.emit(Click{}, w.button) == 2);
    CHECK(w.take() == "any:button own:button");
    CHECK(w.events.emit(Click{}, w.label) == 1);
    CHECK(w.take() == "any:label");
    CHECK(w.events.emit(Click{}) == 1);
    CHECK(w.take() == "any:none");
    CHECK(w.events.emit(std::string("no function listens"), w.label) == 0);
    CHECK(w.take().empty());
    CHECK(w.world.validate());
  }
  TEST_CASE("functions are called in the order of registration, also those of an entity among others") {
    Window w;
    w.listen<Click>(w.button, "1:");
    w.listen<Click>("2:");
    w.listen<Click>(w.button, "3:");
    w.listen<Click>(w.button, "4:");
    w.listen<Click>("5:");
    w.events.emit(Click{}, w.button);
    CHECK(w.take() == "1:button 2:button 3:button 4:button 5:button");
    w.kept.erase(w.kept.begin() + 2);
    w.listen<Click>("6:");
    w.events.emit(Click{}, w.button);
    CHECK(w.take() == "1:button 2:button 4:button 5:button 6:button");
  }
  TEST_CASE("an event bubbles from its entity to the root, until a function stops it") {
    Window w;
    w.listen<Click>();
    CHECK(w.events.emit(Click{}, w.label, Spread::bubble) == 4);
    CHECK(w.take() == "label button left window");
    CHECK(w.events.emit(Click{}, w.window, Spread::bubble) == 1);
    CHECK(w.take() == "window");
    w.kept.push_back(w.events.on<Click>(w.button, [&](Click&, Propagation& at) {
      CHECK(at.entity() == w.button);
      CHECK(at.origin() == w.label);
      CHECK(!at.stopped());
      at.stop();
      CHECK(at.stopped());
    }));
    w.listen<Click>(w.button, "behind:");
    w.events.emit(Click{}, w.label, Spread::bubble);
    CHECK(w.take() == "label button behind:button");  // All at the entity where it was stopped are called.
  }
  TEST_CASE("an event sinks level by level, without the subtrees that are left out") {
    Window w;
    const Entity right_button = w.world.create(child_of(w.right));
    w.listen<Click>();
    CHECK(w.events.emit(Click{}, w.window, Spread::sink) == 6);
    CHECK(w.take() == "window left right button another label");
    w.kept.push_back(w.events.on<Click>(w.left, [](Click&, Propagation& at) { at.skip_descendants(); }));
    w.events.emit(Click{}, w.window, Spread::sink);
    CHECK(w.take() == "window left right another");
    w.kept.push_back(w.events.on<Click>(w.right, [](Click&, Propagation& at) { at.stop(); }));
    w.events.emit(Click{}, w.window, Spread::sink);
    CHECK(w.take() == "window left right");
    w.kept.push_back(w.events.on<Click>(w.window, [](Click&, Propagation& at) { at.skip_descendants(); }));
    w.events.emit(Click{}, w.window, Spread::sink);
    CHECK(w.take() == "window");
    CHECK(w.events.emit(Click{}, right_button, Spread::sink) == 1);
  }
  TEST_CASE("an event sinks in the order of children that users have chosen") {
    Window w;
    REQUIRE(w.world.move_child_before(w.right, w.left));
    w.listen<Click>();
    w.events.emit(Click{}, w.window, Spread::sink);
    CHECK(w.take() == "window right left button label");
  }
  TEST_CASE("functions may change the event, and the caller sees it") {
    Window w;
    w.kept.push_back(w.events.on<Damage>(w.button, [](Damage& damage) { damage.points -= 3; }));
    w.kept.push_back(w.events.on<Damage>(w.window, [&](Damage& damage) {
      w.notify(std::to_string(damage.points));
      damage.points = 0;
    }));
    Damage damage{10};
    w.events.emit(damage, w.label, Spread::bubble);
    CHECK(w.take() == "7");
    CHECK(damage.points == 0);
  }
  TEST_CASE("an event may be move-only, and a function, too") {
    Window w;
    auto sum = std::make_unique<int>(0);
    int* const total = sum.get();
    const Subscription adds = w.events.on<std::unique_ptr<int>>(
        [sum = std::move(sum)](std::unique_ptr<int>& event) { *sum += *std::exchange(event, nullptr); });
    w.events.emit(std::make_unique<int>(3));
    w.events.queue(std::make_unique<int>(4), w.label);
    CHECK(*total == 3);
    w.events.deliver();
    CHECK(*total == 7);
  }
  TEST_CASE("no function is called with an event for a stale entity") {
    Window w;
    w.listen<Click>();
    w.world.destroy(w.button);
    CHECK(w.events.emit(Click{}, w.button) == 0);
    CHECK(w.events.emit(Click{}, w.label, Spread::bubble) == 0);
    CHECK(w.events.emit(Click{}, Entity(1000, 1), Spread::sink) == 0);
    CHECK(w.take().empty());
  }

  TEST_CASE("an entity that a recorded command destroys gets events that are emitted before, none after") {
    Window w;
    const Entity doomed = w.world.create(child_of(w.left));
    w.kept.push_back(w.events.on<Click>(doomed, [&](Click& click) {
      CHECK(w.world.alive(doomed));
      w.notify("doomed " + std::to_string(click.x));
    }));
    const Subscription created = w.world.observers().on_create([&](Entity) {
      w.world.commands().destroy(doomed);
      CHECK(w.events.emit(Click{1}, doomed) == 1);
      w.events.queue(Click{2}, doomed);
    });
    w.world.create();
    CHECK(!w.world.alive(doomed));
    CHECK(w.events.emit(Click{3}, doomed) == 0);
    CHECK(w.events.deliver().dropped == 1);
    CHECK(w.take() == "doomed 1");
    CHECK(w.world.validate());
  }
  TEST_CASE(
      "functions that listen at an entity end with it, and another entity in its slot does not get them") {
    Window w;
    const auto held = std::make_shared<int>(0);
    w.events.on<Click>(w.label, [held](Click&) {}).detach();
    Subscription kept = w.events.on<Click>(w.label, [held](Click&) {});
    CHECK(held.use_count() == 3);
    w.world.destroy(w.label);
    const Entity next = w.world.create();
    REQUIRE(next.index() == w.label.index());
    CHECK(w.events.emit(Click{}, next) == 0);
    CHECK(held.use_count() == 2);  // Freed when the slot's new entity was met; `kept` keeps its function.
    CHECK(!kept.active());
    kept.end();
    CHECK(held.use_count() == 1);
    CHECK(w.world.validate());
  }
  TEST_CASE("functions of entities that are gone are freed, whether anything is emitted or not") {
    World world;
    const auto held = std::make_shared<int>(0);
    for (int i = 0; i < 10'000; ++i) {
      const Entity entity = world.create();
      world.events().on<Click>(entity, [held](Click&) {}).detach();
      world.destroy(entity);
      if (i == 5'000) world.create();
    }
    CHECK(held.use_count() < 20);
    for (int i = 0; i < 100; ++i) world.events().on<Click>(world.create(), [held](Click&) {}).detach();
    world.query<Entity>().each([&](Entity entity) { world.commands().destroy(entity); });
    SUBCASE("by the events alone") {
      world.events().shrink();
    }
    SUBCASE("with the world's other memory") {
      world.shrink();
    }
    CHECK(held.use_count() == 1);
    CHECK(world.validate());
  }
  TEST_CASE("a function that restore forgets may record commands when it is destroyed, but change nothing") {
    World world;
    const Entity entity = world.create(), other = world.create();
    std::string said;
    const auto end = [&](int*) {
      said = refusal([&] { world.create(); });
      world.commands().add(other, Health{1});
    };
    world.events().on<Click>(entity, [held = std::shared_ptr<int>(nullptr, end)](Click&) {}).detach();
    world.destroy(entity);
    CHECK(world.restore(entity));
    CHECK(says(said, "restore is under way"));
    CHECK(world.has<Health>(other));
    CHECK(world.validate());
  }
  TEST_CASE("functions do not come back with a handle that is restored, nor with those issued after it") {
    World world;
    const Entity first = world.create();
    world.events().on<Click>(first, [](Click&) {}).detach();
    world.destroy(first);
    const Entity second = world.create();
    REQUIRE(second.index() == first.index());
    world.events().on<Click>(second, [](Click&) {}).detach();
    world.destroy(second);
    REQUIRE(world.restore(first));
    CHECK(world.events().emit(Click{}, first) == 0);
    world.destroy(first);
    REQUIRE(world.create() == second);
    CHECK(world.events().emit(Click{}, second) == 0);
  }
  TEST_CASE("a function may listen at an entity that a recorded command will create") {
    World world;
    Events& events = world.events();
    int clicks = 0;
    const Entity later = world.commands().create();
    const Subscription listens = events.on<Click>(later, [&](Click&) { ++clicks; });
    CHECK(events.emit(Click{}, later) == 0);
    for (int i = 0; i < 100; ++i) events.on<Click>(world.create(), [](Click&) {}).detach();
    events.shrink();
    world.flush();
    CHECK(events.emit(Click{}, later) == 1);
    CHECK(clicks == 1);
    const Entity stale = world.create();
    world.destroy(stale);
    CHECK(says(refusal([&] { (void)events.on<Click>(stale, [](Click&) {}); }), "is stale"));
    CHECK(says(refusal([&] { (void)events.on<Click>(Entity(), [](Click&) {}); }), "names nothing"));
  }
}

}  // namespace strata::test::events_test
